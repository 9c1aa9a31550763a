"""The games in which waits are counted: recorded ones, and two between robots."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from moderator.entrypoints.records.commands import orders_with_players
from tests.kit.waits.course import Course
from tests.kit.waits.private_values import valued_game

RECORDED: Final = ("1861/29683", "1861/167259", "1844/160062", "1841/132002")
ROBOTS: Final[Mapping[str, tuple[str, float]]] = {"1863": ("1863-1", 0.05), "1867": ("a seed", 0.3)}
"""Title -> the seed, and the part of his cash that a robot bids for one lot at most."""
GAMES: Final = (*RECORDED, *(f"{title} of robots" for title in ROBOTS))
PLAYERS: Final = ("Ann", "Bob", "Cat", "Dan")


@lru_cache(maxsize=8)
def course_of(name: str, records: Path | None = None, most: int | None = None) -> Course:
    """The game called ``name`` in ``GAMES``, or its first ``most`` orders at most, up to the end of a turn; recorded
    ones are in the folder ``records``."""
    if name in RECORDED:
        assert records is not None
        start, given, _ = orders_with_players(records / f"{name}.json")
    else:
        title = name.partition(" ")[0]
        start, given = valued_game(title, PLAYERS, *ROBOTS[title])
    course = Course(name, start, given)
    return course if most is None else Course(name, start, given[: course.pause_before(most)])
