"""Records of 1861 from 18xx.games: players at their certificate limit, whom the site asks for bids all the same."""

from __future__ import annotations

from typing import Any

import engine
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Bid, Drop, Open, Order, Pass, Sell
from engine.holders.ledger import counted
from engine.site18xx.t1861.converter import Converter
from tests.kit.games.course_1861 import stock
from tests.kit.games.situations import company

PLAYERS = "Ann Bob Cat Dan Eve Flo"
ANN, BOB, CAT, DAN = map(PlayerId, PLAYERS.split()[:4])
NUMBERS = {str(n): PlayerId(name) for n, name in enumerate(PLAYERS.split(), 1)}


def action(player: str, kind: str, **fields: Any) -> dict[str, Any]:
    number = next(n for n, name in NUMBERS.items() if name == player)
    return {"type": kind, "entity": int(number), "entity_type": "player", **fields}


def played(actions: list[dict[str, Any]]) -> list[Order]:
    """Orders that the record becomes. Ann is on turn; Bob, on her left, has the eleven certificates that he may."""
    at = {"MVR": ("r3c8", 5), "MK": ("r2c8", 5), "NW": ("r4c7", 4)}
    companies = (company(c, {"Bob": n, "Cat": 2}, at=cell, markers="") for c, (cell, n) in at.items())
    cash = {"Ann": 300, "Bob": 900, "Cat": 100, "Dan": 300}
    game = stock(*companies, player="Ann", edition="2020", players=PLAYERS, cash=cash)
    assert counted(game.title, game.state, PlayerId("Bob")) == 11
    setup = engine.Setup(tuple(PLAYERS.split()), "", "Ann")
    live = engine.Game(game.title, setup, game.state, _kept={0: game.state})
    converter = Converter(live, NUMBERS, actions, over=False)
    orders: list[Order] = []
    for number in range(len(actions)):
        step = converter.step(number)
        orders += [*step.orders, *step.added]
    return orders


BID = Open(ANN, CompanyId("K-R"), 100)
SALE = Sell(BOB, CompanyId("MVR"), 1)


def test_his_pass_in_an_auction_is_not_one_in_the_stock_round() -> None:
    orders = played(
        [
            action("Ann", "bid", corporation="KR", price=100),
            action("Bob", "pass"),
            action("Dan", "pass"),
            action("Bob", "sell_shares", shares=["MVR_1"], percent=10),
            action("Bob", "pass"),
        ]
    )
    assert orders == [BID, Drop(DAN), SALE, Pass(BOB)]


def test_his_next_pass_is_one_in_the_stock_round() -> None:
    orders = played(
        [
            action("Ann", "bid", corporation="KR", price=100),
            action("Bob", "pass"),
            action("Dan", "bid", corporation="KR", price=105),
            action("Ann", "pass"),
            action("Cat", "sell_shares", shares=["MK_1"], percent=10),
            action("Cat", "pass"),
            action("Dan", "pass"),
            action("Ann", "pass"),
            action("Bob", "pass"),
            action("Cat", "pass"),
        ]
    )
    assert [o for o in orders if o.actor == BOB] == [Pass(BOB), Pass(BOB)], "before Cat's sale, and as it is recorded"
    assert orders[:3] == [BID, Bid(DAN, 105, CompanyId("K-R")), Drop(ANN)]


def test_a_player_without_the_money_is_not_asked_by_the_site_either() -> None:
    """The pass of Cat, who has 100, is one in the stock round."""
    orders = played(
        [
            action("Ann", "bid", corporation="KR", price=100),
            action("Bob", "pass"),
            action("Dan", "pass"),
            action("Bob", "pass"),
            action("Cat", "pass"),
            action("Dan", "pass"),
        ]
    )
    assert orders == [BID, Drop(DAN), Pass(BOB), Pass(CAT), Pass(DAN)]


def test_once_others_have_had_turns_it_is_no_pass_in_the_auction() -> None:
    """Newer records do not ask Bob for a bid: his first pass is one in the stock round, at its own place."""
    orders = played(
        [
            action("Ann", "bid", corporation="KR", price=100),
            action("Dan", "bid", corporation="KR", price=105),
            action("Ann", "pass"),
            action("Ann", "pass"),
            action("Bob", "pass"),
        ]
    )
    assert orders == [BID, Bid(DAN, 105, CompanyId("K-R")), Drop(ANN), Pass(ANN), Pass(BOB)]
