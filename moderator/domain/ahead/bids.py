"""Bids: the legal ones, and the next one under a limit."""

from __future__ import annotations

from dataclasses import replace

from engine import Ask, Game, Range
from engine.core import orders as o


def bid_range(game: Game, ask: Ask) -> Range | None:
    """The range of bids that may answer ``ask``; None if it does not ask for a bid."""
    menu = game.legal(ask.actor)
    return next((c for c in menu if isinstance(c, Range) and isinstance(c.order, o.Bid)), None)


def next_bid(bids: Range, maximum: int, step: int, standing: int | None) -> o.Bid | o.Drop:
    """The next bid under a limit of ``maximum``: ``step`` above the ``standing`` bid, or less if the limit or the legal
    ``bids`` allow only less; the lowest legal bid if nobody has bid. A ``Drop`` if the limit is below that."""
    assert isinstance(bids.order, o.Bid)
    least = bids.low if standing is None else max(bids.low, standing + step)
    wanted = min(least, maximum, bids.high)
    amount = bids.low + (wanted - bids.low) // bids.step * bids.step
    return replace(bids.order, amount=amount) if amount >= bids.low else o.Drop(bids.order.actor)
