"""The Clink Club's tile."""

from __future__ import annotations

import pytest

from engine.core.events import PrivateUsed
from engine.core.ids import HexId, PlayerId
from engine.titles.t1863.stock.frame import StockRound
from tests.kit.games.situations_1863 import London, situation, tube


def first_round(round: str = "SR 1", owner: str = "Ann", **more: object) -> London:
    game = situation(
        privates={"CLK": owner, "GRE": "Bob"}, cash={"Ann": 300, "Bob": 300, "Cat": 300}, phase="II", round=round,
        **more,  # type: ignore[arg-type]
    )  # fmt: skip
    return game.frames(StockRound(PlayerId("Ann")))


@pytest.mark.rule("1863:9.13")
def test_the_owner_lays_a_yellow_tile_at_a_prison_beside_his_action() -> None:
    game = first_round()
    lays = [line for line in game.accepted() if line.startswith("lay")]
    assert {line.split()[2] for line in lays} == {"K8", "M16"} and {line.split()[1] for line in lays} == {"8", "9"}
    game.do("Ann: lay 9 K8 1 with CLK")
    assert game.state.board.tiles[HexId("K8")] == ("9", 1) and game.money("Ann") == 300
    assert game.told(PrivateUsed)[-1].private == "CLK" and game.owner("CLK") == "Ann"
    assert game.asked == ["Ann stock.turn"]  # his action is still to come
    assert game.refusals("Ann: lay 9 M16 1 with CLK") == {"clink.used"}
    assert not any(line.startswith("lay") for line in game.accepted())


@pytest.mark.rule("1863:9.13")
@pytest.mark.parametrize(
    ("order", "checks"),
    [
        ("lay 9 K6 0 with CLK", {"clink.hex"}),
        ("lay 9 K8 0 with GRE", {"clink.using"}),
        ("lay 9 K8 0", {"clink.using"}),
        ("lay 4 K8 0 with CLK", {"lay.wrong_kind"}),
        ("lay 23 K8 0 with CLK", {"lay.color", "lay.wrong_step", "clink.yellow"}),
    ],
)
def test_what_it_does_not_lay(order: str, checks: set[str]) -> None:
    assert first_round().refusals(f"Ann: {order}") == checks


@pytest.mark.rule("1863:9.13")
def test_only_its_owner_in_the_first_stock_round() -> None:
    assert first_round(owner="Bob").refusals("Ann: lay 9 K8 0 with CLK") == {"clink.owner"}
    assert first_round("SR 2").refusals("Ann: lay 9 K8 0 with CLK") == {"clink.round"}
    assert first_round().refusals("Bob: lay 9 K8 0 with CLK") == {"order.not_asked"}
    operating = situation(
        tube("MET", {"Ann": 5}, 100, cash=500, markers="C10"), privates={"CLK": "Ann"}, tiles={"C10": "57#0"}
    ).turn("MET")
    assert "power.none" in operating.refusals("MET: lay 9 K8 0 with CLK")
