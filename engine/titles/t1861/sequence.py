"""The course of the game, and what 1861 prepares before it."""

from __future__ import annotations

from typing import Final

from engine.core.events import MarkerPlaced
from engine.core.title import Play
from engine.families.f1867.mergers.state_markers import has_marker
from engine.families.f1867.sequence import remove_privates, sequence
from engine.holders.charters import charter_of
from engine.titles.t1861.names import ST_PETERSBURG, STATE
from engine.titles.t1861.rulings import rulings_of


def _set_up(play: Play) -> None:
    """Draw the privates to remove and place the markers that the number of players and the options require."""
    title = play.title
    remove_privates(play)
    if rulings_of(title).marker_at_start and not has_marker(title, play.state, ST_PETERSBURG):  # rule 16.3
        home = charter_of(title, play.state, STATE).home
        assert home is not None
        play.emit(MarkerPlaced(STATE, *home))


SEQUENCE: Final = sequence(_set_up)
