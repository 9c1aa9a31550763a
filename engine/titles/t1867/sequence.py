"""The course of the game, and what 1867 prepares before it."""

from __future__ import annotations

from typing import Final

from engine.core.events import MarkerPlaced
from engine.core.title import Play
from engine.families.f1867.sequence import remove_privates, sequence
from engine.titles.t1867.pieces import start_markers


def _set_up(play: Play) -> None:
    remove_privates(play)
    for marker in start_markers(play.title, "normal"):  # rule 1.12
        play.emit(MarkerPlaced(*marker))


SEQUENCE: Final = sequence(_set_up)
