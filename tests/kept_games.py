"""Games whose positions are written down and described in tests: recorded ones, and plain ones without any record."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import engine
from engine import Game, Setup, State
from engine.core.events import Event
from engine.core.orders import Order
from engine.robots import sensible
from moderator.domain.import_18xx import read_import

RECORDED = ("1861/29683", "1861/167259", "1844/160062")
TITLES = ("1861", "1844")
LONG = {"1861": 330, "1844": 330}
"""Orders of a plain game, in all of which stock rounds, turns and, in 1861, mergers come up."""


@cache
def plain(title: str) -> Game:
    """A game of three players who play plainly, under way."""
    game = Game.start(engine.load_title(title), Setup(("Ann", "Bob", "Cat"), seed="plain"))
    while len(game.orders) < LONG[title] and not game.finished:
        assert game.submit(sensible(game, game.asked()[0]))
    return game


@cache
def recorded(records: Path, name: str) -> Game:
    """A recorded game, as it ended."""
    record = read_import(records / f"{name}.json")
    for _ in record.play():
        pass
    return record.game


def walk(game: Game) -> Iterator[tuple[int, Order, State, tuple[Event, ...], State]]:
    """Each order: its number, itself, the position before it, what followed, and the position after it. All of it is
    played once more, on one way through."""
    again = Game.start(game.title, game.setup)
    for number, order in enumerate(game.orders, start=1):
        before = again.state
        events = again.submit(order)
        assert not isinstance(events, engine.Refused), f"{number}: {events}"
        yield number, order, before, events, again.state
