"""Values of rulings that no edition has, options of `clarified`, and decisions that only 18xx.games supports."""

from __future__ import annotations

import pytest

from engine.core.events import PriceSet
from engine.core.ids import PlayerId
from engine.titles.t1841.mergers.first_four import FirstFour
from tests.kit.games.situations_1841 import Italian, firm, situation

Options = dict[str, str]


@pytest.mark.rule("1841:3.16")
@pytest.mark.parametrize(("value", "found"), [("yes", set()), ("no", {"concession.no_trades"})])
def test_concessions_are_traded_wherever_players_may_trade(value: str, found: set[str]) -> None:
    game = situation(
        options={"player_trades": value}, phase="2", round="SR 2", privates={"C-SSFL": "Bob"}, cash={"Ann": 60}
    ).stock("Ann")
    assert game.refusals("Ann: buy C-SSFL for 60") == found


@pytest.mark.rule("1841:3.19")
def test_a_frozen_company_falls_two_rows() -> None:
    game = situation(firm("SFTG", {"Pool": 2}, "F4"), round="SR 2", cash={"Ann": 500})
    game.stock("Ann").do("Ann: pass")
    assert next(e.price for e in game.told(PriceSet) if e.reason == "pool") == 87


@pytest.mark.rule("1841:11.3")
def test_a_frozen_company_goes_two_columns_left() -> None:
    game = situation(firm("SFTG", {"Pool": 2}, "F4")).operating("SFTG")
    assert next(e.price for e in game.told(PriceSet) if e.reason == "frozen") == 80


def minor(phase: str = "4", **other: bool) -> Italian:
    return situation(
        firm("SFTC", {"Ann": 2, "Bob": 1}, "F4", cash=250, markers="D8", **other),  # type: ignore[arg-type]
        phase=phase,
        cash={"Ann": 100},
        privates={"C-SFTC": "Ann"} if phase == "3" else None,
    ).turn("SFTC", "merge")


@pytest.mark.rule("1841:10.22")
def test_a_minor_transforms_once_the_concessions_are_gone_even_before_its_first_turn() -> None:
    assert minor(history=False).refusals("SFTC: transform AFI") == set()
    assert minor("3").refusals("SFTC: transform AFI") == {"transform.historical"}


@pytest.mark.rule("1841:10.23")
def test_certificates_are_offered_after_a_transformation() -> None:
    game = minor()
    game.do("SFTC: transform AFI")
    assert game.asked == ["Ann offer.shares"]


@pytest.mark.rule("1841:10.24")
def test_the_second_token_costs_50_and_each_further_one_100() -> None:
    game = minor()
    game.do("SFTC: transform AFI")
    while game.asked == ["Ann offer.shares"]:
        game.do("Ann: take 0")
    game.do("AFI: tokens 4")
    assert game.money("AFI") == 0  # of 250


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
