"""The defaults of 1844 in situations."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.games.silent import default_of, defaults_of
from tests.kit.games.situations_1844 import Described, Swiss, fresh, situation, swiss


def in_need(*rows: Described, cash: int, director: int, **more: Any) -> Swiss:
    """MOB has a route and no train; its director is Bob. Trains 4 and 4H are next, for less than 300."""
    own = swiss("MOB", {"Bob": 5}, cash=cash)
    given: dict[str, Any] = {"mountains": {"B1": "H7 XM1"}, "tiles": {"I6": "57#0"}, "supply": {"3": 0}, **more}
    return situation(own, *rows, cash={"Bob": director}, **given).turn("MOB", "trains")


@pytest.mark.rule("1844:10.13", "1844:11.1")
def test_the_treasury_pays_first_and_then_the_director() -> None:
    for cash, director in ((300, 0), (0, 300)):
        wanted = ["buys_train_in_cash MOB: train 4H", "ends_turn MOB: done"]
        assert defaults_of(in_need(cash=cash, director=director)) == wanted


@pytest.mark.rule("1844:11.4", "1844:11.5")
def test_shares_are_sold_before_there_is_debt() -> None:
    """Bob sells what he can without losing MOB; only what is still missing becomes a debt."""
    sale, end = "sells_for_train MOB: sell 3 MOB", "ends_turn MOB: done"
    assert defaults_of(in_need(cash=60, director=0)) == [sale, "buys_train_in_cash MOB: train 4H", end]
    assert defaults_of(in_need(cash=0, director=0)) == [sale, "buys_train_on_debt MOB: train 4H", end]


@pytest.mark.rule("1844:13.12")
def test_the_debt_of_the_exchange_is_paid_with_as_few_shares_as_pay_it() -> None:
    game = situation(swiss("AB", {"Bob": 5, "Ann": 4}, "r1c4"), phase="5", formation_debts={"Ann": 300})
    assert defaults_of(game.stock("Ann", round="SR 3")) == ["sells_for_debt Ann: sell 3 AB"]


@pytest.mark.rule("1844:11.10", "1844:11.11")
def test_debt_is_repaid_before_it_grows() -> None:
    game = situation(cash={"Ann": 70}, debts={"Ann": 100}).stock("Ann", round="SR 3")
    assert default_of(game) == "repays_debt Ann: repay 70"


@pytest.mark.rule("1844:2.4")
def test_who_is_silent_in_an_auction_drops_out() -> None:
    assert default_of(fresh()) == "drops Ann: drop P1"
    game = fresh()
    game.do("Ann: bid 20")
    assert default_of(game) == "drops Bob: drop P1"


@pytest.mark.rule("1844:6.3")
def test_the_home_tile_is_laid_where_it_must_be() -> None:
    game = situation(swiss("MOB", {"Bob": 5}, operated=False, cash=500, markers="I6")).turn("MOB")
    assert default_of(game) == "lays_home MOB: lay 6 I6 1"
