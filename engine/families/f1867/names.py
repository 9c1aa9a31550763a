"""Names that the rules of all cousins use."""

from __future__ import annotations

from typing import Final

from engine.core.ids import TrainName

MINOR: Final = "minor"
PUBLIC: Final = "public"
NATIONAL: Final = "national"

LAST_TRAIN: Final = TrainName("8")
"""The last type of train. Its first purchase signals the end of the game."""

FAILED_MERGER: Final = "failed merger"
"""Mark: in this merger round nobody came to two shares of a merged company, and the company stays all the same."""
FREE_MARKER: Final = "free marker "
"""Prefix of a mark, before the company's name: its second marker is free."""
QUESTIONS_DUE: Final = "questions due"
"""Mark: the train whose export at the end of an operating round has begun a phase. The next round begins with the
questions of that phase."""
