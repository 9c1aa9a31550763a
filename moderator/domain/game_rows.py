"""Games in lists, and deadlines. They are apart from ``list_rows``, whose many classes take as long to define as ten
thousand games take to be read."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Due(NamedTuple):
    """A deadline, in UTC. ``late``: it has passed."""

    at: datetime
    late: bool


class ListedGame(NamedTuple):
    """A game in a list. ``asked``: the players who owe an answer, in seating order; ``since``: when the
    oldest of their questions came up; ``until``: their first deadline; ``waits``: how often it has waited for a
    mail. All times are in UTC."""

    name: str
    edition: str
    status: str
    orders: int
    players: tuple[str, ...]
    asked: tuple[str, ...]
    since: datetime | None = None
    until: Due | None = None
    master: str = ""
    """The game master whom the game names, as ``Max <max@example.org>``; empty if it is the operator."""
    title: str = ""
    """Empty where the name says it."""
    waits: int = 0
