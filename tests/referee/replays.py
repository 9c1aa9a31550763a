"""Games that are played once by the right rules, and then again, order by order, by rules with a fault in them.

Players who look for good orders take nearly all the time of a game of 1863. Its orders alone are quick, and with them
come those that were tried beside them, most of them refused: a fault may let them in.

    python -m tests.referee.replays FILE        # what the referee sees in the games of the file
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import engine
from engine.core import events as ev
from engine.core import orders as od
from tests.referee.bench import Deviation
from tests.referee.games import NAMES, Table, beside, play


@dataclass(frozen=True)
class Recorded:
    """A game: its orders, each with those that were tried before it."""

    table: Table
    steps: tuple[tuple[tuple[od.Order, ...], od.Order], ...]


def record(table: Table) -> Recorded:
    """Play a game, in which the referee may find nothing."""
    steps: list[tuple[tuple[od.Order, ...], od.Order]] = []
    tried: list[od.Order] = []

    def watch(order: od.Order | None, events: Sequence[ev.Event], told: Mapping[str, Any]) -> None:
        if order is not None:
            steps.append((tuple(tried), order))
            tried.clear()

    report = play(table, watch=watch, tried=tried.append)
    assert not report.deviations, f"{table}: {report.deviations[0]}"
    return Recorded(table, tuple(steps))


def judge(recorded: Recorded) -> str:
    """The verdict on the game as it is played now: ``caught: …``, ``diverged: …`` where an order of it is
    refused now, or ``missed``."""
    table = recorded.table
    title = table.load()
    names = NAMES[: table.players]
    game = engine.Game.start(title, engine.Setup(names, seed=str(table.seed)))
    referee = table.referee()
    referee.opening(game.opening, engine.told(title, game.state))
    for number, (tried, order) in enumerate(recorded.steps, 1):
        for other in tried:
            if found := beside(game.fork(), other, referee):
                return f"caught: {told_first(found)}"
        events = game.submit(order)
        if isinstance(events, engine.Refused):
            return f"diverged: order {number}, {order} is refused: {', '.join(f.check for f in events.failures)}"
        referee.follow(order, events, engine.told(title, game.state))
        if referee.deviations:
            return f"caught: {told_first(referee.deviations)}"
    return "missed"


def told_first(found: Sequence[Deviation]) -> str:
    """The first deviation; one that names a rule before one that only says that the books differ."""
    return str(next((d for d in found if d.rule != "books"), found[0]))


def verdict(games: Iterable[Recorded]) -> str:
    """The verdict over all the games: the first that is caught; otherwise whether any took another course."""
    diverged = ""
    for number, recorded in enumerate(games, 1):
        found = judge(recorded)
        if found.startswith("caught"):
            return found.replace("caught", f"caught in game {number}", 1)
        if found.startswith("diverged"):
            diverged = diverged or found.replace("diverged", f"diverged in game {number}", 1)
    return diverged or "missed"


def save(games: Iterable[Recorded], path: Path) -> None:
    path.write_bytes(pickle.dumps(tuple(games)))


def load(path: Path) -> tuple[Recorded, ...]:
    """The games of a file that this program has written."""
    found: tuple[Recorded, ...] = pickle.loads(path.read_bytes())
    return found


if __name__ == "__main__":
    sys.stdout.write(verdict(load(Path(sys.argv[1]))) + "\n")
