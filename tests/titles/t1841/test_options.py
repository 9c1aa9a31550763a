"""Values of rulings of 1841 that no edition has, and options of `clarified`: each changes what it says."""

from __future__ import annotations

import pytest

from engine.core.events import PriceSet
from engine.core.ids import PlayerId
from engine.titles.t1841.mergers.first_four import FirstFour
from tests.kit.games.situations_1841 import Italian, firm, situation

Options = dict[str, str]
NO_HISTORY: Options = {"transformation": "operated"}


@pytest.mark.rule("1841:3.16")
@pytest.mark.parametrize(("value", "found"), [("yes", set()), ("no", {"concession.no_trades"})])
def test_concessions_may_be_kept_from_trade_between_players(value: str, found: set[str]) -> None:
    game = situation(
        options={"concession_trades": value}, phase="2", round="SR 2", privates={"C-SSFL": "Bob"}, cash={"Ann": 60}
    ).stock("Ann")
    assert game.refusals("Ann: buy C-SSFL for 60") == found


@pytest.mark.rule("1841:3.19")
@pytest.mark.parametrize(("rows", "price"), [("2", 87), ("1", 95)])
def test_rows_that_a_frozen_company_falls(rows: str, price: int) -> None:
    game = situation(firm("SFTG", {"Pool": 2}, "F4"), options={"frozen_rows": rows}, round="SR 2", cash={"Ann": 500})
    game.stock("Ann").do("Ann: pass")
    assert next(e.price for e in game.told(PriceSet) if e.reason == "pool") == price


@pytest.mark.rule("1841:11.3")
@pytest.mark.parametrize(("columns", "price"), [("2", 80), ("1", 90)])
def test_columns_that_a_frozen_company_goes_left(columns: str, price: int) -> None:
    game = situation(firm("SFTG", {"Pool": 2}, "F4"), options={"frozen_columns": columns}).operating("SFTG")
    assert next(e.price for e in game.told(PriceSet) if e.reason == "frozen") == price


def minor(options: Options, phase: str = "4", **other: bool) -> Italian:
    return situation(
        firm("SFTC", {"Ann": 2, "Bob": 1}, "F4", cash=250, markers="D8", **other),  # type: ignore[arg-type]
        options=options,
        phase=phase,
        cash={"Ann": 100},
        privates={"C-SFTC": "Ann"} if phase == "3" else None,
    ).turn("SFTC", "merge")


@pytest.mark.rule("1841:10.22")
def test_a_minor_transforms_after_its_first_turn_or_before_the_concessions_go() -> None:
    assert minor({}, history=False).refusals("SFTC: transform AFI") == set()
    assert minor(NO_HISTORY, history=False).refusals("SFTC: transform AFI") == {"transform.not_operated"}
    assert minor(NO_HISTORY).refusals("SFTC: transform AFI") == set()
    assert minor({}, "3").refusals("SFTC: transform AFI") == {"transform.historical"}
    assert minor({"historical_changes": "always"}, "3").refusals("SFTC: transform AFI") == set()


@pytest.mark.rule("1841:10.23")
@pytest.mark.parametrize(("value", "asked"), [("yes", "Ann offer.shares"), ("no", "Ann AFI tokens.number")])
def test_certificates_need_not_be_offered_after_a_transformation(value: str, asked: str) -> None:
    game = minor({"transformation_offers": value})
    game.do("SFTC: transform AFI")
    assert game.asked == [asked]


@pytest.mark.rule("1841:10.24")
@pytest.mark.parametrize(("price", "left"), [("100", 0), ("50", 100)])
def test_the_price_of_further_tokens(price: str, left: int) -> None:
    """The second token costs 50 in any case, the third and fourth this price: 250, or 150, of 250."""
    game = minor({"transformation_offers": "no", "further_tokens": price})
    game.do("SFTC: transform AFI\nAFI: tokens 4")
    assert game.money("AFI") == left


@pytest.mark.rule("1841:9.13")
@pytest.mark.rule("1841:9.14")
@pytest.mark.parametrize("value", ["yes", "no"])
def test_fragments_that_are_minors_may_offer_certificates_but_have_two_tokens(value: str) -> None:
    """SFV and SFL are minors in the first version: tokens cannot be bought beyond the two that each has."""
    game = situation(
        firm("IRSFF", {"Ann": 2, "Bob": 2}, "F4", cash=1000),
        firm("AFI", "Cat", "A1", markers="L12"),
        cash={"Ann": 100},
        options={"fragment_offers": value, "fragment_tokens": "yes"},
    ).turn("AFI", "sell")
    game.turns(*game.state.agenda, FirstFour(PlayerId("Cat")))
    game.do("Ann: choose SFV")
    if value == "yes":
        assert game.asked == ["Ann offer.shares"]
        game.do("Ann: take 1")
        assert game.shares("SFV") == {"Ann": 3, "Treasury": 2}
    assert (game.tokens("SFV"), game.tokens("SFL")) == (2, 2)
    assert game.asked == ["Cat AFI company.turn"]
