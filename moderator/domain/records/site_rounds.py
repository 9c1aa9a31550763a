"""Rounds by the names of 18xx.games, and where a record says that its game stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine import Game, Refused
from engine.core.agenda import Ask
from engine.core.orders import Order
from engine.core.state import Round

ROUNDS: Final[Mapping[str, str]] = {
    "SR": "Stock Round",
    "OR": "Operating Round",
    "MR": "Merger Round",
}
"""Our kind of round -> the site's name."""
MOST_EMPTY: Final = 60
"""Empty answers that are tried to reach the round in which the record says that the game stands."""


def astray(data: Mapping[str, Any], game: Game, nothing: Callable[[Game, Ask], Order | None]) -> str:
    """The reason why the actions of a record do not lead to the round that it names; empty if they do, or if it names
    none.

    On the site a turn that is over has ended, so empty answers may lead there. ``nothing``: the empty answer to a
    question."""
    turn, name = data.get("turn"), data.get("round")
    if not isinstance(turn, int) or name not in ROUNDS.values():
        return ""
    stands, trial = game.state.round, game.fork()
    for _ in range(MOST_EMPTY):
        now = trial.state.round
        if now.kind not in ROUNDS or (now.set, ROUNDS[now.kind]) == (turn, name):
            return ""
        empty = None if trial.finished or now.set > turn else nothing(trial, trial.asked()[0])
        if empty is None or isinstance(trial.submit(empty), Refused):
            break
    return f"it stands in {name} {turn} on the site, and its actions lead to {_said(stands)}"


def _said(stands: Round) -> str:
    return f"{ROUNDS.get(stands.kind, stands.kind)} {stands.set}"
