"""Everything the archive is given of one game, as those may know it for whom it is built."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine import Game
from engine.core.events import Event
from engine.core.orders import Order
from engine.core.state import State

Status: TypeAlias = Literal["running", "held", "paused", "finished", "ended", "record"]
EVERYBODY = ""
"""For whom the archive is built that anybody may open: no seat."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A message that a player has had passed on. ``after``: orders of the game then. ``to``: its readers; none for all
    players. ``date``: ISO 8601, the day. ``text`` is None where it has been taken out."""

    after: int
    date: str
    writer: str
    to: tuple[str, ...]
    text: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """One order: the positions before and after it, and the events that it brought. ``number`` counts from 1."""

    number: int
    order: Order
    before: State
    after: State
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Volume:
    """A game of the archive. ``game`` is as ``seat`` may know it, and so are ``press`` and ``record``, which is the
    text to download. ``begun`` and ``ended``: days in ISO 8601, or empty. ``fault``: where and why the reading of a
    record ended early. ``stamp``: equal for equal contents.

    What has been shown before need not be shown again: of two volumes with the same ``base``, the orders with the same
    ``marks`` from the first on led to the same positions. Without marks nothing is known of that."""

    name: str
    game: Game
    seat: str
    status: Status
    record: str
    begun: str = ""
    ended: str = ""
    press: tuple[Letter, ...] = ()
    fault: str = ""
    stamp: str = ""
    base: str = ""
    marks: tuple[int, ...] = ()

    def steps(self, since: int = 0) -> Iterator[Step]:
        """The orders after the first ``since``, as ``seat`` may know them."""
        last: tuple[int, Order, State, tuple[Event, ...]] | None = None
        for number, (order, before, events) in enumerate(self.game.happened(since), since + 1):
            if last is not None:
                yield Step(*last[:3], before, last[3])
            last = number, order, before, events
        if last is not None:
            yield Step(*last[:3], self.game.state, last[3])
