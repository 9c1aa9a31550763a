"""Games between robots that value things for themselves: what each would pay is drawn by lot, and no other knows it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import engine
from engine import Ask, Exact, Game, Range, Refused
from engine.core import orders as o
from engine.core.ids import PlayerId
from engine.robots import sensible

_MOST = 6_000
_COMPANY = 100
"""The worth of a company before chance has a say."""


def valued_game(
    title: str, players: Sequence[str], seed: str, share: float
) -> tuple[Game, list[tuple[PlayerId, o.Order]]]:
    """A game at its start, and its orders with their players. ``seed`` is for the game's lots and for all values;
    ``share``: the most that anybody bids for one lot, as a part of his cash."""
    start = Game.start(engine.load_title(title), engine.Setup(tuple(players), seed, players[0]))
    game, given = start.fork(), list[tuple[PlayerId, o.Order]]()
    while not game.finished and len(given) < _MOST:
        ask = game.asked()[0]
        order = _choice(game, ask, seed, share)
        if isinstance(game.submit(order), Refused):
            order = sensible(game, ask)
            assert not isinstance(game.submit(order), Refused), (ask, order)
        given.append((ask.player, order))
    assert game.finished, f"{title} of {seed!r} does not end"
    return start, given


def _worth(seed: str, player: str, item: str) -> float:
    """The worth of ``item`` to ``player``, as a multiple of its price: 0.5 to 1.7."""
    drawn = hashlib.sha256(f"{seed}/{player}/{item}".encode()).digest()[0]
    return 0.5 + 1.2 * drawn / 255


def _choice(game: Game, ask: Ask, seed: str, share: float) -> o.Order:
    menu, player = game.legal(ask.actor), str(ask.player)
    offered = [choice.order for choice in menu if isinstance(choice, Exact)]
    lot = game.lot()
    for choice in menu:
        if isinstance(choice, Range) and isinstance(choice.order, o.Bid) and lot is not None:
            private = game.title.privates.get(lot.item)  # type: ignore[call-overload]
            most = (_COMPANY if private is None else private.face) * _worth(seed, player, lot.item)
            most = min(most, share * choice.high)
            leave = next((order for order in offered if isinstance(order, o.Drop | o.Pass)), None)
            if choice.low > most and leave is not None:
                return leave
            return sensible(game, ask) if choice.low > most else _bid(choice)
    wanted = [order for order in offered if isinstance(order, o.Buy) and _worth(seed, player, order.company) > 1]
    if ask.what == "stock.turn" and wanted:
        return max(wanted, key=lambda order: _worth(seed, player, order.company))
    return sensible(game, ask)


def _bid(bids: Range) -> o.Order:
    assert isinstance(bids.order, o.Bid)
    return replace(bids.order, amount=bids.low)
