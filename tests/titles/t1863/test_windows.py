"""Offers of shares out of turn: the president first, then each other player once."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import CompanyId
from engine.core.orders import Pass
from engine.titles.t1863.stock.windows import Others, open_windows
from tests.kit.games.situations_1863 import London, Tube, situation, tube

CASH = {"Ann": 1000, "Bob": 1000, "Cat": 1000}
MET = CompanyId("MET")


def window(*described: Tube, buyer: str | None = "Ann", others: Others = "buy_or_short", **more: Any) -> London:
    """Shares of MET are on offer."""
    given = {"cash": CASH, "round": "MR 2.1", **more}
    game = situation(*described, **given)
    play = game.play()
    open_windows(play, MET, None if buyer is None else CompanyId(buyer), others)
    return game.frames(play.state.top)


def answers(game: London, *orders: str) -> list[str]:
    """The players asked each time an order came."""
    found = []
    for order in orders:
        found += game.asked
        game.do(order)
    return found


@pytest.mark.rule("1863:8.1", "1863:8.14")
def test_the_president_buys_any_number_then_others_one_or_short_one() -> None:
    game = window(tube("MET", "Ann", 100, operated=False))
    asked = answers(game, "Ann: take 3", "Bob: buy MET", "Cat: short MET")
    assert asked == ["Ann window.buyer", "Bob window.buy_or_short", "Cat window.buy_or_short"]
    assert game.shares("MET") == {"Ann": 5, "Bob": 1, "Pool": 1, "Treasury": 4, "OSI": 9}
    assert (game.money("MET"), game.share_price("MET"), game.money("Cat")) == (400, 90, 1100)


@pytest.mark.rule("1863:8.1")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("take 5", "limit.player"),
        ("take 9", "window.none_left"),
        ("take 1 of BAK", "window.company"),
        ("short MET", "order.wrong_kind"),
    ],
)
def test_what_the_president_may_not_do(order: str, check: str) -> None:
    game = window(tube("MET", "Ann", 100), tube("BAK", "Ann", 90))
    assert check in game.refusals(f"Ann: {order}")


@pytest.mark.rule("1863:8.1")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("take 2", "window.one_each"),
        ("buy BAK", "window.company"),
        ("sell 1 MET", "order.wrong_kind"),
        ("buy MET from pool", "buy.none_left"),
    ],
)
def test_what_the_others_may_not_do(order: str, check: str) -> None:
    game = window(tube("MET", {"Ann": 2, "Bob": 1}, 100), tube("BAK", "Ann", 90), buyer=None)
    assert check in game.refusals(f"Bob: {order}")
    assert game.refusals("Bob: short MET") == {"short.owns"}


@pytest.mark.rule("1863:8.1")
def test_a_company_that_is_president_may_borrow_for_its_purchase() -> None:
    game = window(tube("MET", "BAK", 100), tube("BAK", "Ann", 90, cash=150), buyer="BAK", others="none")
    assert game.refusals("BAK: take 2") == {"window.money"}
    game.do("BAK: loan 1")
    game.do("BAK: take 2")
    assert (game.money("BAK"), game.shares("MET")["BAK"], game.share_price("BAK")) == (50, 4, 80)


@pytest.mark.rule("1863:8.3", "1863:8.25")
def test_after_a_merger_of_majors_every_player_buys_or_sells_the_president_last() -> None:
    game = window(tube("MET", {"Ann": 3, "Bob": 3}, 100, pool=1), buyer=None, others="buy_or_sell")
    asked = answers(game, "Bob: sell 2 MET", "Cat: buy MET from pool")
    assert (asked, game.asked[0]) == (["Bob window.buy_or_sell", "Cat window.buy_or_sell"], "Ann window.buy_or_sell")
    assert game.accepted("Ann")[-1] == "pass"
    assert game.shares("MET") == {"Ann": 3, "Bob": 1, "Cat": 1, "Pool": 2, "Treasury": 3, "OSI": 10}
    assert game.share_price("MET") == 90


@pytest.mark.rule("1863:8.1")
def test_who_can_do_nothing_is_not_asked_and_silence_declines() -> None:
    game = window(tube("MET", {"Ann": 6, "Bob": 1}, 100), cash={"Ann": 500, "Cat": 500})
    assert game.asked == ["Cat window.buy_or_short"]
    step = game.title.steps[type(game.state.top)]
    (ask,) = step.asked(game.title, game.state, game.state.top)
    assert ask.silence == Pass(ask.player)
