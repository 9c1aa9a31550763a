"""The end that no rule of the book brings: every company frozen for ever, and nobody able to revive one."""

from __future__ import annotations

import hashlib
from typing import Final

from engine.core.events import Marked
from engine.core.state import State
from engine.core.title import Play
from engine.titles.t1841.end_signals import signal_end
from engine.titles.t1841.frozen import is_frozen
from engine.titles.t1841.rulings import rulings_of

STALEMATE: Final = "stalemate"
STILL: Final = "still"
"""Mark: digest of the position at the end of a stock round in which nobody could do anything."""


def look_for_stalemate(play: Play, idle: bool) -> None:
    """Note that a stock round is over, ``idle`` if nobody could do anything but pass in it. The game ends if every
    company is frozen and the position is what it was one set ago: all that follows would only be repeated."""
    # rule 12.7
    state = play.state
    if rulings_of(play.title).stalemate == "goes_on":
        return
    still = idle and all(is_frozen(play.title, state, company) for company in state.prices)
    now = _position(state) if still else None
    before = state.marks.get(STILL)
    if now is not None and now == before:
        signal_end(play, STALEMATE)
    elif now != before:
        play.emit(Marked(STILL, now))


def _position(state: State) -> str:
    """Digest of what may change in a set of rounds though nobody acts."""
    parts = (state.cash, state.holdings, state.privates, state.prices)
    rows = [sorted(repr(row) for row in part.items()) for part in parts]
    return hashlib.sha256(repr(rows).encode()).hexdigest()
