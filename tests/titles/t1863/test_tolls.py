"""The pirate of 1863: what its station costs the routes of others."""

from __future__ import annotations

import pytest

from engine.core.ids import CompanyId, HexId, TrainName
from engine.core.orders import Route
from engine.titles.t1863.tolls import toll_of
from tests.kit.games.situations_1863 import London, situation, tube

PIRATE = {"pirate": ("F9", 0)}


def rival(owner: str = "BAK", trains: str = "2T", **more: object) -> London:
    """The Metropolitan runs from Paddington to Marylebone, where the pirate is; two minor stations are on the way."""
    return situation(
        tube("MET", {"Ann": 5}, 100, trains=trains), tube("BAK", "Bob", 50, minor=True, markers="K2", cash=10),
        privates={"CHO": owner}, marks=PIRATE, tiles={"C10": "57#1", "D9": "4#1", "E8": "58#5", "F9": "6#0"},
        **more,  # type: ignore[arg-type]
    ).turn("MET", waiting="BAK")  # fmt: skip


@pytest.mark.rule("1863:9.12", "1863:9.21")
def test_t21_each_route_that_stops_or_passes_pays_out_of_its_revenue() -> None:
    game = rival()
    routes = [Route(TrainName(t), tuple(map(HexId, hexes.split()))) for t, hexes in (
        ("2T", "C10 D9 E8 F9"), ("2+1e", "H11 F9 K2"), ("2T", "C10 H11"),
    )]  # fmt: skip
    assert toll_of(game.title, game.state, CompanyId("MET"), routes) == 10
    assert toll_of(game.title, game.state, CompanyId("BAK"), routes) == 0


@pytest.mark.rule("1863:9.12", "1863:12.51")
@pytest.mark.parametrize(("way", "due"), [("route", 10), ("company", 5)])
def test_r51_the_toll_of_two_routes(way: str, due: int) -> None:
    game = rival(options={"toll": way})
    routes = [Route(TrainName(t), tuple(map(HexId, hexes.split()))) for t, hexes in (
        ("2T", "C10 D9 E8 F9"), ("2+1e", "H11 F9 K2"),
    )]  # fmt: skip
    assert toll_of(game.title, game.state, CompanyId("MET"), routes) == due


@pytest.mark.rule("1863:9.12", "1863:12.51")
@pytest.mark.parametrize("way", ["route", "company"])
def test_r51_the_toll_goes_from_the_revenue_to_the_owner(way: str) -> None:
    game = rival(options={"toll": way})
    game.do("MET: run best")
    assert (game.money("MET"), game.money("BAK")) == (55, 15)
    assert game.state.companies[CompanyId("MET")].last_run == 55


@pytest.mark.rule("1863:9.12")
@pytest.mark.parametrize("owner", ["MET", "Bob"])
def test_own_routes_pay_nothing_and_the_pirate_works_for_no_player(owner: str) -> None:
    game = rival(owner)
    game.do("MET: run best")
    assert (game.money("MET"), game.money("BAK"), game.money("Bob")) == (60, 10, 0)
