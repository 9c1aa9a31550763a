"""Refinancing: the price is doubled, the shares are halved."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import Refinanced
from engine.core.ids import CompanyId
from engine.titles.t1863.turn.company_turn import TURNS
from tests.kit.games.situations_1863 import London, Tube, situation, tube

AGREED = {"refinancing": "yes"}
CASH = {"Ann": 1000, "Bob": 1000, "Cat": 1000}


def turn(company: Tube, *others: Tube, **more: Any) -> London:
    """The turn of the company."""
    given = {"cash": CASH, "options": AGREED, **more}
    return situation(company, *others, **given).frames(TURNS.begin(company.id))


def done(game: London, *orders: str) -> London:
    for order in orders:
        game.do(order)
    return game


@pytest.mark.rule("1863:13.4")
@pytest.mark.parametrize(("agreed", "offered"), [("no", False), ("yes", True)])
def test_it_is_an_option(agreed: str, offered: bool) -> None:
    game = turn(tube("MET", {"Ann": 4}, 70), options={"refinancing": agreed})
    assert ("refinance" in game.accepted()) is offered


@pytest.mark.rule("1863:13.4")
def test_shares_are_halved_and_the_rest_lies_on_the_charter() -> None:
    game = turn(tube("MET", {"Ann": 4, "Bob": 2}, 70, pool=3))
    assert "refinance" in game.accepted()
    done(game, "MET: refinance")
    assert game.told(Refinanced) == [Refinanced(CompanyId("MET"), 140)] and game.share_price("MET") == 140
    assert game.shares("MET") == {"Ann": 2, "Bob": 1, "Pool": 1, "Treasury": 6, "OSI": 10}
    assert game.asked == ["Ann MET company.turn"]
    assert game.refusals("MET: refinance") == {"refinance.once"}


@pytest.mark.rule("1863:13.4")
@pytest.mark.parametrize(
    ("answer", "held", "bob", "met"),
    [("share", 2, 930, 210), ("cash", 1, 1070, 70)],
)
def test_halves_are_dealt_in_with_the_company(answer: str, held: int, bob: int, met: int) -> None:
    game = done(turn(tube("MET", {"Ann": 4, "Bob": 3}, 70, cash=140)), "MET: refinance")
    assert game.asked == ["Bob halves.share"]
    done(game, f"Bob: exchange for {answer}")
    assert game.shares("MET") == {"Ann": 2, "Bob": held, "Treasury": 8 - held, "OSI": 10}
    assert (game.money("Bob"), game.money("MET")) == (bob, met)


@pytest.mark.rule("1863:13.4")
def test_shorts_are_halved_alike() -> None:
    game = done(turn(tube("MET", {"Ann": 4}, 70, pool=4, shorts={"Bob": 3, "Cat": 1})), "MET: refinance")
    assert game.shorts("MET") == {"Bob": 1, "OSI": 9} and game.asked == ["Bob halves.short"]
    done(game, "Bob: half short keep", "Cat: half short close")
    assert game.shorts("MET") == {"Bob": 2, "OSI": 8} and (game.money("Bob"), game.money("Cat")) == (1070, 930)
    assert game.shares("MET") == {"Ann": 2, "Pool": 3, "Treasury": 7, "OSI": 8}


@pytest.mark.rule("1863:13.4")
@pytest.mark.parametrize(
    ("company", "refused"),
    [
        (tube("MET", "Ann", 70, minor=True), "refinance.minor"),
        (tube("MET", {"Ann": 4}, 500), "refinance.price"),
        (tube("MET", {"Ann": 5}, 70, cash=69), "refinance.money"),
        (tube("MET", {"Ann": 3}, 70, cash=70), "refinance.president"),
    ],
)
def test_companies_that_cannot_refinance(company: Tube, refused: str) -> None:
    assert turn(company).refusals("MET: refinance") == {refused}


@pytest.mark.rule("1863:13.4")
def test_it_must_have_been_agreed_on() -> None:
    game = turn(tube("MET", {"Ann": 4}, 70), options={})
    assert game.refusals("MET: refinance") == {"refinance.option"} and "refinance" not in game.menu()
