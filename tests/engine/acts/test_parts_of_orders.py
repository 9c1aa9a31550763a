"""Parts of an order that a title has no use for are refused, not swallowed."""

from __future__ import annotations

from typing import Any

from engine.core import orders as o
from engine.core.ids import CompanyId, HexId, PlayerId, PrivateId, TileId
from engine.families.f1867.stock.frame import StockRound
from engine.families.f1867.turn.operating_round import OperatingRound
from engine.steps.course import Course
from tests.kit.games import situations, situations_1844

ANN, MKV = PlayerId("Ann"), CompanyId("MKV")
NO_PART = "order.no_such_part"


def part(game: Any, order: o.Order) -> Any:
    """Which part of the order is refused as unknown."""
    return game.failures(order).get(NO_PART, {}).get("part")


def test_1861_knows_no_doubles_and_no_choice_of_certificates() -> None:
    held = situations.company("MKV", {"Ann": 3}, "r3c8")
    game = situations.situation(held, phase="4", cash={"Ann": 500}).turns(Course(), StockRound(ANN))
    assert part(game, o.Sell(ANN, MKV, 1, doubles=1)) == "doubles"
    assert part(game, o.Sell(ANN, MKV, 1)) is None
    assert part(game, o.Buy(ANN, MKV, "treasury", "double")) == "certificate"
    assert part(game, o.Buy(ANN, MKV, "treasury")) is None


def test_1861_knows_no_private_that_brings_a_tile() -> None:
    held = situations.company("MKV", {"Ann": 3}, "r3c8", cash=100, markers="G15")
    game = situations.situation(held, phase="4").turns(Course(), OperatingRound((MKV,), True, False))
    lay = o.Lay(MKV, TileId("201"), HexId("G15"), 0)
    assert part(game, lay) is None
    assert part(game, o.Lay(MKV, TileId("201"), HexId("G15"), 0, PrivateId("TSR"))) == "using"


def test_the_furka_oberalp_is_used_for_no_company() -> None:
    mob = situations_1844.swiss("MOB", {"Ann": 5}, cash=100, trains="3")
    game = situations_1844.situation(mob, privates={"P4": "Ann"}).turn("MOB")
    assert part(game, o.UsePrivate(ANN, PrivateId("P4"), CompanyId("MOB"))) == "company"
    assert part(game, o.UsePrivate(ANN, PrivateId("P4"))) is None
