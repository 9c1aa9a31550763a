"""The persons in the seats of a game, one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Stay:
    """The time of one ``person`` in the seat of ``player``. The name of the person is empty while nobody may learn it.
    ``ended`` is None while he has it. ``used``: seconds on his clock. ``reason``: why the seat was given to somebody
    else, in the game master's words; empty if he gave none. ``waits``: how often the table waited for a mail of his."""

    player: str
    person: str
    began: datetime
    ended: datetime | None = None
    used: int = 0
    reason: str = ""
    waits: int = 0


@dataclass(frozen=True, slots=True)
class Figures:
    """How a person has played in all games. ``on_time``: per cent of the questions with a deadline that he answered in
    time, None before the first; ``moves``: his answers to them; ``finished``: games that he played to the end."""

    on_time: int | None
    moves: int
    finished: int


def by_seat(stays: Iterable[Stay]) -> dict[str, tuple[Stay, ...]]:
    """Player -> the stays in his seat, the first person's first. ``stays`` are in the order of the seats."""
    return {player: tuple(found) for player, found in groupby(stays, lambda stay: stay.player)}
