"""The end that no rule of the book brings: no company is left, and nobody can start another."""

from __future__ import annotations

from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1863.shares import players_in
from engine.titles.t1863.starting import list_starts


def stalled(title: Title, state: State) -> bool:
    """True if no company is in play, no player has a private to sell, and nobody has the means to start a company: all
    that follows would only be repeated."""  # rule 12.69
    if state.prices or any(owner is not None for owner in state.privates.values()):
        return False
    return not any(next(list_starts(title, state, player, player), None) for player in players_in(state))
