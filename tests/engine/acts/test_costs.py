"""The price that is shown is the price that is taken."""

from __future__ import annotations

import random
from typing import Any

import pytest

import engine
from engine import Game, Setup
from engine.core import orders as o
from engine.core.agenda import Exact
from engine.core.decide import decide
from engine.core.events import Paid
from engine.core.ids import BANK, POOL
from engine.robots import random_order
from tests.kit.samples import one_in

PRICED = (o.Lay, o.Token, o.Tunnel, o.Train, o.Redeem)
REASONS = {"terrain", "token", "tunnel", "train", "redeem"}
MOST_GAMES, ENOUGH_LAYS = 12, 100
FREE_TOKENS = ("1863",)
"""Titles in which a company has few tokens to place, and has paid for them before."""
ALIKE = 6
"""Of orders of one kind so many are tried in a position."""


def not_dealt(order: o.Order) -> bool:
    """Whether the order is paid at once: a train of another company may wait for consent."""
    return not isinstance(order, o.Train) or order.source in (None, POOL)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize(
    ("name", "seed"), one_in(2, [(name, seed) for name in engine.title_names() for seed in (1, 2)])
)
def test_what_an_order_costs_is_what_the_company_pays(name: str, seed: int) -> None:
    """In as many games as it takes: some titles' games of chance are short."""
    tried = dict.fromkeys(PRICED, 0)
    for number in range(MOST_GAMES):
        try_costs(name, 100 * number + seed, tried)
        if enough(name, tried):
            return
    pytest.fail(f"too few orders with a price: {tried}")


def enough(name: str, tried: dict[type[Any], int]) -> bool:
    return bool(tried[o.Lay] > ENOUGH_LAYS and tried[o.Train] and (tried[o.Token] or name in FREE_TOKENS))


def try_costs(name: str, seed: int, tried: dict[type[Any], int]) -> None:
    """One game of chance, as far as it is needed; ``tried`` counts the orders whose price was compared."""
    title = engine.load_title(name, engine.editions(name)[0])
    game, chance = Game.start(title, Setup(("Ann", "Bob", "Cat"), seed=str(seed))), random.Random(seed)
    while not game.finished and len(game.orders) < 700 and not enough(name, tried):
        ask = game.asked()[0]
        if ask.what == "company.turn":
            exact = [c.order for c in game.legal(ask.actor) if isinstance(c, Exact) and isinstance(c.order, PRICED)]
            for kind in PRICED:
                for order in [each for each in exact if type(each) is kind and not_dealt(each)][:ALIKE]:
                    events = decide(title, game.state, order)
                    assert isinstance(events, tuple), order
                    paid = [e for e in events if isinstance(e, Paid) and e.payee == BANK and e.reason in REASONS]
                    assert game.cost(order) == (paid[0].amount if paid else 0), order
                    tried[kind] += 1
        game.submit(random_order(game, ask, chance))


def test_what_has_no_price_costs_nothing_that_could_be_said() -> None:
    title = engine.load_title("1861", "v2.0")
    game = Game.start(title, Setup(("Ann", "Bob", "Cat"), seed="x"))
    assert game.cost(o.Pass(game.asked()[0].player)) is None
