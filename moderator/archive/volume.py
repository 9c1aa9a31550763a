"""Everything that the archive gets of one game, as its readers may know it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine import Game
from engine.core.events import Event
from engine.core.orders import Order
from engine.core.state import State
from moderator.domain.tenures import Stay

Status: TypeAlias = Literal["running", "held", "paused", "finished", "ended", "record"]
EVERYBODY = ""
"""The seat of an archive that anybody may open: none."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A message that a player has had passed on. ``after`` is the number of the game's orders at that time. ``to`` are
    its readers, empty for all players. ``date`` is the day (ISO 8601). ``text`` is None if it has been taken out."""

    after: int
    date: str
    writer: str
    to: tuple[str, ...]
    text: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """An order, the positions before and after it, and its events. ``number`` counts from 1."""

    number: int
    order: Order
    before: State
    after: State
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Volume:
    """A game of the archive. ``game`` is as ``seat`` may know it, and so are ``press`` and ``record``, the text to
    download. ``begun`` and ``ended`` are days (ISO 8601), or empty. ``persons``: player -> the person who plays for him
    since his seat was handed over. ``stays``: player -> all who have played for him, with the time that each used.
    ``fault`` says where and why the reading of a record ended early. ``desk`` is the address of the page on which its
    positions can be tried, or empty. ``stamp`` is equal for equal contents.

    What has been shown before need not be shown again: in two volumes with the same ``base``, the orders have led to
    the same positions for as long as their ``marks`` agree from the first on. Without marks, nothing is known about
    that.
    """

    name: str
    game: Game
    seat: str
    status: Status
    record: str
    begun: str = ""
    ended: str = ""
    press: tuple[Letter, ...] = ()
    persons: Mapping[str, str] = field(default_factory=dict[str, str])
    stays: Mapping[str, tuple[Stay, ...]] = field(default_factory=dict[str, tuple[Stay, ...]])
    fault: str = ""
    desk: str = ""
    stamp: str = ""
    base: str = ""
    marks: tuple[int, ...] = ()

    def steps(self, since: int = 0) -> Iterator[Step]:
        """The steps after the first ``since`` orders, as ``seat`` may know them."""
        last: tuple[int, Order, State, tuple[Event, ...]] | None = None
        for number, (order, before, events) in enumerate(self.game.happened(since), since + 1):
            if last is not None:
                yield Step(*last[:3], before, last[3])
            last = number, order, before, events
        if last is not None:
            yield Step(*last[:3], self.game.state, last[3])
