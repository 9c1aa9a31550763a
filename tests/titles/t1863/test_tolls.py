"""The pirate of 1863: what its station costs the routes of others."""

from __future__ import annotations

import pytest

from engine.core.events import Ran
from engine.core.ids import CompanyId
from tests.kit.games.situations_1863 import London, situation, tube

ONE = {"C10": "57#1", "D9": "4#1", "E8": "58#5", "F9": "6#0"}
TWO = {**ONE, "C10": "LU09#0", "C12": "58#1", "B13": "58#4", "B15": "57#3"}
"""From Paddington to Marylebone, and to Holland Park as well, with two minor stations on each way."""


def rival(
    owner: str = "BAK", trains: str = "2T", tiles: dict[str, str] = ONE, at: str = "F9", **more: object
) -> London:
    """The Metropolitan runs from Paddington to Marylebone, for 60, or with two ways for 70 to either end. The pirate is
    at one."""
    return situation(
        tube("MET", {"Ann": 5}, 100, trains=trains), tube("BAK", "Bob", 50, minor=True, markers="K2", cash=10),
        **{"privates": {"CHO": owner}, "marks": {"pirate": (at, 0)}, "tiles": tiles, **more},  # type: ignore[arg-type]
    ).turn("MET", waiting="BAK")  # fmt: skip


@pytest.mark.rule("1863:9.12", "1863:9.21")
@pytest.mark.parametrize(
    ("at", "route", "kept", "due"),
    [
        ("F9", "C10-D9-E8-F9", 65, 5),
        ("F9", "C10-F9", 65, 5),
        ("F9", "C10-C12-B13-B15", 70, 0),
        ("C10", "C10-B15", 65, 5),
        ("E8", "C10-F9", 65, 5),  # the order leaves its hex out
    ],
)
def test_t21_a_route_that_stops_or_passes_pays_out_of_its_revenue(at: str, route: str, kept: int, due: int) -> None:
    game = rival(tiles=TWO, at=at)
    game.do(f"MET: run 2T {route}")
    assert (game.money("MET"), game.money("BAK")) == (kept, 10 + due)


@pytest.mark.rule("1863:9.12", "1863:12.51")
@pytest.mark.parametrize("order", ["run best", "run 2T C10-F9, 2T C10-B15"])
@pytest.mark.parametrize(("way", "due"), [("route", 10), ("company", 5)])
def test_r51_the_toll_of_two_routes(way: str, due: int, order: str) -> None:
    game = rival(options={"toll": way}, trains="2T 2T", tiles=TWO, at="C10")
    game.do(f"MET: {order}")
    assert (game.money("MET"), game.money("BAK")) == (140 - due, 10 + due)
    assert game.state.companies[CompanyId("MET")].last_run == 140 - due


@pytest.mark.rule("1863:9.12", "1863:12.51")
@pytest.mark.parametrize("way", ["route", "company"])
def test_r51_the_toll_goes_from_the_revenue_to_the_owner(way: str) -> None:
    game = rival(options={"toll": way})
    game.do("MET: run best")
    assert (game.money("MET"), game.money("BAK")) == (55, 15)
    assert game.state.companies[CompanyId("MET")].last_run == 55


@pytest.mark.rule("1863:9.12", "1863:12.51")
@pytest.mark.parametrize("way", ["route", "company"])
@pytest.mark.parametrize(
    ("at", "trains", "kept"), [("F9", "2T", 70), ("B15", "2T", 70), ("C10", "2T", 65), ("F9", "2T 2T", 135)]
)
def test_r51_the_best_run_is_the_one_that_leaves_most_after_the_toll(at: str, trains: str, kept: int, way: str) -> None:
    game = rival(options={"toll": way}, trains=trains, tiles=TWO, at=at)
    game.do("MET: run best")
    assert (game.state.companies[CompanyId("MET")].last_run, game.told(Ran)[-1].proven) == (kept, True)


@pytest.mark.rule("1863:9.12")
def test_own_routes_pay_nothing() -> None:
    game = rival("MET")
    game.do("MET: run best")
    assert (game.money("MET"), game.money("BAK"), game.money("Bob")) == (60, 10, 0)


@pytest.mark.rule("1863:9.12")
@pytest.mark.parametrize("owner", ["Ann", "Bob"])
def test_a_player_who_owns_the_pirate_gets_the_toll_from_his_own_companies_too(owner: str) -> None:
    game = rival(owner)
    before = game.money(owner)
    game.do("MET: run best")
    assert (game.money("MET"), game.money("BAK"), game.money(owner) - before) == (55, 10, 5)


@pytest.mark.rule("1863:9.12")
def test_a_pirate_without_owner_gets_no_toll() -> None:
    game = rival(privates={})
    game.do("MET: run best")
    assert (game.money("MET"), game.money("BAK")) == (60, 10)
