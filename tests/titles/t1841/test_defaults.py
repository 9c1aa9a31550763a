"""The defaults of 1841 in situations."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.games.silent import default_of, defaults_of
from tests.kit.games.situations_1841 import Firm, Italian, firm, fresh, situation

ROUTE = {"G5": "9#1", "F6": "1#0"}


def in_need(*others: Firm, **more: Any) -> Italian:
    """SFTN has a route and no train; a 4-train costs 350."""
    sftn = firm("SFTN", {"Ann": 5, "Bob": 5}, "F4", cash=more.pop("cash", 0), markers="H4/1")
    return situation(sftn, *others, tiles=ROUTE, **more).turn("SFTN", "trains")


@pytest.mark.rule("1841:8.10", "1841:8.11")
@pytest.mark.parametrize(("cash", "number"), [(320, 1), (250, 3)])
def test_as_few_shares_are_sold_as_pay_for_the_train(cash: int, number: int) -> None:
    game = in_need(firm("SFTG", {"Bob": 2, "SFTN": 3}, "D5", markers="J6"), cash=cash)
    wanted = [f"sells_for_train SFTN: sell {number} SFTG", "buys_train SFTN: train 4", "ends_turn SFTN: done"]
    assert defaults_of(game) == wanted


@pytest.mark.rule("1841:8.10")
def test_the_president_sells_when_the_company_has_nothing_left() -> None:
    game = in_need(firm("SFTG", {"Bob": 3, "Ann": 2}, "D5", markers="J6"), cash=320)
    assert defaults_of(game, "Ann")[0] == "sells_for_train Ann: sell 1 SFTG"


@pytest.mark.rule("1841:8.16", "1841:8.18")
def test_bankruptcy_is_the_last_resort_and_the_player_goes_on() -> None:
    assert default_of(in_need()) == "bankrupt_with_loan SFTN: bankrupt loan"
    assert default_of(in_need(cash=350)) == "buys_train SFTN: train 4"


@pytest.mark.rule("1841:2.3")
def test_sealed_bids_of_a_silent_player_bid_nothing_whatever_others_have_bid() -> None:
    game = fresh()
    assert default_of(game, "Ann") == "bids_nothing Ann: bids none"
    game.do("Bob: bids 40 on Bayard")
    assert default_of(game, "Ann") == "bids_nothing Ann: bids none"


@pytest.mark.rule("1841:10.18")
def test_an_exchange_takes_no_money_from_the_player() -> None:
    game = situation(
        firm("SFTG", {"Bob": 2, "Ann": 3, "Cat": 1, "Dan": 1}, "E4", cash=100, markers="D8", pool=1),
        firm("SFTN", {"Bob": 3, "Cat": 1, "SSFL": 2}, "C5", cash=36, markers="E9", pool=2),
        firm("SSFL", "Eve", "A1"),
        tiles={"D8": "57#2", "E9": "621#2"},
        players="Ann Bob Cat Dan Eve",
        cash=dict.fromkeys(("Ann", "Bob", "Cat", "Dan", "SSFL"), 300),
    ).turn("SFTG", "merge")
    game.do("SFTG: merge SFTN into AFI")
    assert default_of(game) == "exchanges_without_money Bob: exchange for cash"
