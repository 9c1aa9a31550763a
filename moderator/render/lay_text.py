"""Lays of a hex as lines of text, each complete: a line that is copied names hex, tile and turns."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from moderator.render.lay_views import LayLine, Turned
from moderator.render.text import WIDTH


def in_lines(lay: LayLine, head: str, indent: str = "") -> list[str]:
    """The lays of a hex in lines no longer than a mail's, where that can be. ``head`` begins the first line, the hex
    each other one; a line is broken between tiles, and where one tile is too long between its turns."""
    later = f"{lay.hex}: "
    lines, line = list[str](), ""
    for piece in _pieces(lay, WIDTH - len(indent) - max(len(later), len(head) + 2)):
        more = f"{line}, {piece}" if line else f"{head}: {piece}"
        if line and len(indent) + len(more) > WIDTH:
            lines.append(line)
            more = later + piece
        line = more
    return [indent + line for line in (*lines, line)]


def in_words(lay: LayLine) -> str:
    """The lays of a hex in one line that does not name it."""
    return ", ".join(_pieces(lay, sys.maxsize))


def _pieces(lay: LayLine, room: int) -> Iterator[str]:
    for tile, turns in lay.tiles:
        for some in _fitting(turns, room - len(f"{tile} ()")):
            yield f"{tile} ({some})"


def _fitting(turns: Iterable[Turned], room: int) -> Iterator[str]:
    """Turns in groups of at most so many characters, but for one that is longer by itself."""
    line = ""
    for turn in turns:
        said = f"{turn.turn} {turn.joins}" if turn.joins else str(turn.turn)
        between = "; " if turn.joins else " "
        if line and len(line) + len(between) + len(said) > room:
            yield line
            line = ""
        line = f"{line}{between}{said}" if line else said
    yield line
