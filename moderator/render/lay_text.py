"""Write the lays of a hex as lines of text. Each line is complete by itself: it names the hex, the tiles and their
turns."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from moderator.render.lay_views import LayLine, Turned
from moderator.render.text import WIDTH


def in_lines(lay: LayLine, head: str, indent: str = "") -> list[str]:
    """The lays of a hex as lines that fit into a mail, if possible. ``head`` begins the first line, the hex begins each
    further one. Lines are broken between tiles, and between the turns of a tile that has too many for one line."""
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
    """The lays of a hex on one line, without the name of the hex."""
    return ", ".join(_pieces(lay, sys.maxsize))


def _pieces(lay: LayLine, room: int) -> Iterator[str]:
    for tile, turns in lay.tiles:
        for some in _fitting(turns, room - len(f"{tile} ()")):
            yield f"{tile} ({some})"


def _fitting(turns: Iterable[Turned], room: int) -> Iterator[str]:
    """The turns in groups of at most ``room`` characters; a single longer turn is a group by itself."""
    line = ""
    for turn in turns:
        said = f"{turn.turn} {turn.joins}" if turn.joins else str(turn.turn)
        between = "; " if turn.joins else " "
        if line and len(line) + len(between) + len(said) > room:
            yield line
            line = ""
        line = f"{line}{between}{said}" if line else said
    yield line
