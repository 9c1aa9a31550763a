"""The companies that have more trains than they may own.

The module contains no words of any language, only names and numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from engine.acts.buy_train import train_room
from engine.core.events import Event, TrainMoved
from engine.core.ids import POOL, TrainName
from engine.core.state import State
from engine.core.title import Title

Over: TypeAlias = tuple[tuple[str, int, tuple[str, ...], int], ...]
"""Companies over their limit, each with the number of trains that it discards, its trains, and the limit."""


def over_limit(title: Title, before: State, events: Iterable[Event], now: State) -> Over:
    """The companies that are over their limit ``now``, or have discarded trains in ``events``, and were within it
    ``before``."""
    gone: dict[str, list[TrainName]] = {}
    for event in events:
        if isinstance(event, TrainMoved) and event.source in title.companies and event.target in ("", POOL):
            gone.setdefault(event.source, []).append(event.train)
    found = []
    for company, line in now.companies.items():
        already = before.companies[company].status == "open" and train_room(title, before, company) < 0
        if line.status != "open" or already:
            continue
        given = gone.get(company, [])
        number = max(0, -train_room(title, now, company)) + len(given)
        if number:
            limit = title.policies.train_limit(title, now, company)
            trains = sorted((*line.trains, *given), key=list(title.trains).index)
            found.append((str(company), number, tuple(map(str, trains)), limit))
    return tuple(found)
