"""Merger rounds: their order, and conversions of minors."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import Converted
from engine.titles.t1863.mergers.merger_round import MergerRound
from tests.kit.games.situations_1863 import London, Tube, situation, tube

CASH = {"Ann": 1000, "Bob": 1000, "Cat": 1000}


def begun(*companies: Tube, **more: Any) -> London:
    """A merger round has begun."""
    return situation(*companies, **{"cash": CASH, "round": "MR 2.1", **more}).frames(MergerRound())


def minor(name: str, owner: str, price: int = 100, **more: Any) -> Tube:
    return tube(name, owner, price, minor=True, **more)


def done(game: London, *orders: str) -> London:
    for order in orders:
        game.do(order)
    return game


# ---- the round -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:8.9")
@pytest.mark.rule("1863:12.40")
def test_the_cheapest_company_is_first_and_of_equal_ones_the_last_to_arrive() -> None:
    companies = minor("CLR", "Ann", 90, cash=50), minor("CIR", "Bob", 75, cash=50), minor("BAK", "Cat", 75, cash=50)
    game, found = begun(*companies), list[str]()
    while len(found) < 3:
        (asked,) = game.asked
        company = asked.split()[1]
        found.append(company)
        game.do(f"{company}: decline")
    assert found == ["BAK", "CIR", "CLR"] and "merger.turn" not in game.asked[0]


@pytest.mark.rule("1863:8.9", "1863:8.11")
def test_companies_outside_the_white_area_are_not_asked() -> None:
    grey, red = minor("CLR", "Ann", 30, cash=50), minor("CIR", "Bob", 0, cash=50)
    game = begun(grey, red, minor("BAK", "Cat", cash=50), cash={})
    while game.asked[0].split()[-1] == "auction.lot":
        game.do(f"{game.asked[0].split()[0]}: drop")
    assert game.asked == ["Cat BAK merger.turn"]
    assert game.failures("BAK: merge CLR into BAK")["merge.zone"] == {"companies": ("CLR",)}


@pytest.mark.rule("1863:8.9")
def test_privates_are_offered_before_the_companies_are_asked() -> None:
    game = begun(minor("BAK", "Cat", cash=50), privates={"GRE": "Ann"})
    assert game.asked == ["Ann privates.offer"]
    assert done(game, "Ann: pass").asked == ["Cat BAK merger.turn"]


@pytest.mark.rule("1863:8.9")
def test_who_can_do_nothing_is_not_asked() -> None:
    poor = minor("BAK", "Cat", 50, loans=2, cash=49)
    game = begun(poor, tube("MET", {"Bob": 3}, 100, cash=500))
    assert not [asked for asked in game.asked if "merger.turn" in asked]


@pytest.mark.rule("1863:8.9", "1863:8.10")
def test_a_company_that_was_part_of_a_merger_or_converted_has_used_its_turn() -> None:
    game = begun(minor("BAK", "Ann", 75), minor("CLR", "Ann", 80), minor("CIR", "Bob", 90, cash=50))
    done(game, "BAK: merge CLR into CLR", "Ann: take 0", "Bob: pass", "Cat: pass")
    assert game.asked == ["Bob CIR merger.turn"]
    assert game.failures("CIR: merge CLR into CIR")["merge.used"] == {"companies": ("CLR",)}


@pytest.mark.rule("1863:8.9")
def test_a_company_that_has_declined_may_still_be_a_partner() -> None:
    game = done(begun(minor("BAK", "Ann", 75), minor("CLR", "Ann", 80)), "BAK: decline")
    assert "merge BAK into CLR" in game.accepted()
    assert done(game, "CLR: decline").asked != ["Ann BAK merger.turn"]


@pytest.mark.rule("1863:6.1", "1863:8.9")
def test_loans_may_be_taken_in_the_turn() -> None:
    game = begun(minor("BAK", "Ann", 100))
    assert "convert tokens 1" not in game.accepted()
    done(game, "BAK: loan 1")
    assert game.asked == ["Ann BAK merger.turn"] and game.share_price("BAK") == 90
    done(game, "BAK: convert tokens 2")
    assert game.money("BAK") == 0 and game.tokens("BAK") == 3


# ---- conversions -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:8.1", "1863:8.13")
def test_a_minor_converts() -> None:
    game = begun(minor("BAK", "Ann", 100, cash=250))
    assert game.accepted()[0] == "convert tokens 1"
    done(game, "BAK: convert tokens 3")
    assert game.told(Converted) and game.money("BAK") == 100 and game.tokens("BAK") == 4
    assert game.shares("BAK") == {"Ann": 2, "Treasury": 8, "OSI": 10} and game.shorts("BAK") == {"OSI": 10}
    assert game.share_price("BAK") == 100 and game.president("BAK") == "Ann"
    assert game.asked == ["Ann window.buyer"]
    assert game.refusals("Ann: take 5") == {"limit.player"}
    done(game, "Ann: take 2")
    assert game.money("BAK") == 300 and game.asked == ["Bob window.buy_or_short"]
    done(game, "Bob: short BAK")
    assert game.share_price("BAK") == 90 and game.shorts("BAK") == {"Bob": 1, "OSI": 9}
    done(game, "Cat: buy BAK from treasury")
    assert game.shares("BAK") == {"Ann": 4, "Cat": 1, "Pool": 1, "Treasury": 5, "OSI": 9}
    assert "merger.turn" not in game.asked[0]


@pytest.mark.rule("1863:8.1")
def test_a_company_keeps_the_minor_that_it_owns() -> None:
    game = begun(tube("MET", {"Ann": 2}, 100, cash=500), minor("BAK", "MET", 90, cash=50))
    done(game, "BAK: convert tokens 1")
    assert game.president("BAK") == "MET" and game.asked == ["Ann MET window.buyer"]
    done(game, "MET: take 3")
    assert game.shares("BAK")["MET"] == 5 and game.money("MET") == 230


@pytest.mark.rule("1863:8.1")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("convert", "convert.markers"),
        ("convert tokens 0", "convert.markers"),
        ("convert tokens 4", "convert.markers"),
        ("convert tokens 3", "convert.money"),
        ("convert to CLR tokens 1", "convert.into"),
    ],
)
def test_conversions_that_are_refused(order: str, check: str) -> None:
    assert begun(minor("BAK", "Ann", cash=149)).refusals(f"BAK: {order}") == {check}


@pytest.mark.rule("1863:8.1")
def test_a_major_does_not_convert() -> None:
    game = begun(tube("MET", "Ann", 100, cash=500), tube("DIS", "Ann", 110))
    assert game.refusals("MET: convert tokens 1") == {"convert.kind"}


@pytest.mark.rule("1863:12.61")
@pytest.mark.parametrize(("early", "refused"), [("yes", set()), ("no", {"convert.phase"})])
def test_r61_a_minor_converts_in_phase_two(early: str, refused: set[str]) -> None:
    two = minor("BAK", "Ann", cash=50), minor("CLR", "Ann", 110)
    game = begun(*two, phase="II", options={"early_conversion": early})
    assert game.refusals("BAK: convert tokens 1") == refused
    assert begun(*two, options={"early_conversion": early}).refusals("BAK: convert tokens 1") == set()
