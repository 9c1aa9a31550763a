"""Whatever is ordered in a game can be written, and what is written is read as the same order: a property of games of
chance, of their menus, and of orders that nobody would accept."""

from __future__ import annotations

import random

import pytest

import engine
import grammar
from engine import Game, Setup, orders
from engine.core.orders import Order
from engine.robots import random_order
from grammar import Vocabulary
from moderator.domain.vocabulary import vocabulary
from tests.kit.properties import menu_orders as prove_orders

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")
TABLES = [(e, n) for e in engine.editions("1861") for n in (3, 6)]


def round_trip(order: Order, names: Vocabulary) -> None:
    """Under a head, and without one where the reader knows who is asked."""
    for text, actor in (
        (grammar.write_section(order.actor, [order], names.edges), None),
        (grammar.write(order, names.edges), order.actor),
    ):
        reading = grammar.read(text, names, default_actor=actor)
        assert not reading.errors and not reading.words, f"{order}: {text!r}: {reading}"
        assert reading.orders == (order,), f"{order}: {text!r}"
        assert grammar.write_block(reading.orders, names.edges) == grammar.write_block([order], names.edges)


def writable(order: Order) -> bool:
    """Orders have forms that no text has: numbers below zero, nothing where something must stand, a spelling of the
    pool or the bank that only programs use, and a fallback bought by somebody else."""
    match order:
        case orders.Open(amount=int(number)) | orders.Bid(amount=number) | orders.Sell(count=number):
            return number >= 0
        case orders.Take(count=number) | orders.Redeem(count=number) | orders.Start(price=number):
            return number >= 0
        case orders.BuyPrivate(price=number):
            return number >= 0
        case orders.Buy():
            return order.source in (None, "treasury", "pool")
        case orders.Pay():
            return order.kind in ("full", "half", "none")
        case orders.Train():
            priced = order.price is not None and order.price >= 0
            plain = order.source in (None, "Pool") and order.price is None and order.otherwise is None
            right = plain or (order.source not in (None, "Pool", "pool", "treasury", "Bank") and priced)
            return right and (order.otherwise is None or order.otherwise.actor == order.actor)
        case orders.Keep() | orders.Announce():
            return bool(order.spaces if isinstance(order, orders.Keep) else order.routes)
        case orders.Merge():
            return bool(order.minors) and order.price is None
        case _:
            return True


def read_a_game(edition: str, players: int, seed: int, tries: int, every: int = 1) -> int:
    """Play a game of chance; every order, and ``tries`` others in one of ``every`` positions, is written and read. How
    many."""
    chance = random.Random(seed)
    title = engine.load_title("1861", edition=edition)
    game = Game.start(title, Setup(NAMES[:players], seed=str(seed)))
    names = vocabulary(title, NAMES[:players])
    read = 0
    while not game.finished:
        ask = game.asked()[0]
        found = [random_order(game, ask, chance)]
        if len(game.orders) % every == 0:
            menu = game.legal(ask.actor)
            found += prove_orders.sampled(menu, chance, tries)
            found += filter(writable, prove_orders.outside(game, ask, menu, chance, tries))
        for order in found:
            round_trip(order, names)
        read += len(found)
        assert game.submit(found[0])
    text = grammar.write_block(game.orders, names.edges)
    reading = grammar.read(text, names)
    assert not reading.errors and reading.orders == tuple(game.orders), f"seed {seed}: the whole game reads otherwise"
    assert grammar.write_block(reading.orders, names.edges) == text
    return read


def test_what_is_written_is_read_as_the_same_order() -> None:
    assert read_a_game("2020", 2, seed=3, tries=1, every=4) > 200


@pytest.mark.prove
@pytest.mark.parametrize(("edition", "players"), TABLES)
@pytest.mark.parametrize("seed", range(100, 110))
def test_orders_in_plenty(edition: str, players: int, seed: int) -> None:
    assert read_a_game(edition, players, seed, tries=4) > 1_000
