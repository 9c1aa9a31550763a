"""Reasons that a player gives for an undo, in the same line."""

from __future__ import annotations

import re
from typing import Final

from grammar.pieces import LONGEST_PIECE

_UNDO: Final = re.compile(r"([^\w:]*undo(?: to [0-9]{1,9})?) ?:(?!//)(.*\S.*)", re.IGNORECASE)
"""A line ``undo`` with a reason."""


def take_reasons(text: str) -> tuple[str, dict[int, str]]:
    """Take the reasons out of the lines ``undo: I misread the map``. Returns the text without them, and the reason by
    its line, from 1."""
    lines, reasons = text.split("\n"), dict[int, str]()
    for number, line in enumerate(lines):
        if len(line) <= LONGEST_PIECE and (found := _UNDO.fullmatch(line)) is not None:
            lines[number], reasons[number + 1] = found[1], " ".join(found[2].split())
    return "\n".join(lines), reasons
