"""The legend below a map: the frames of hexes in words, and a line for each train with the value of its run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.svg.colors import CHANGED, MARKED, WORDS
from engine.svg.elements import number, text
from engine.svg.letters import ems
from engine.svg.runs import Line, stroke

_SHARE: Final = 0.031
"""The font size as a share of the width: 12 pixels on a screen 390 pixels wide."""
_LEAST: Final = 26.0
_HIGH: Final = 1.5
"""The height of a line, in font sizes."""


def legend_svg(
    runs: Sequence[Line], notes: Sequence[tuple[str, str]], left: float, top: float, room: float
) -> tuple[str, float]:
    """The legend and its height. ``notes``: a ``heading``, and kinds of frame (``marked``, ``changed``) with their
    meaning. Each run has its line, its train, its value, and its stops with their amounts; a run of many stops has
    several rows."""
    size = max(_LEAST, room * _SHARE)
    found, y = list[str](), top + size * 0.6
    for kind, words in notes:
        aside = 0.0 if kind == "heading" else 3.4 * size
        found.append(_text(words, left + aside, y, size, room - aside, bold=kind == "heading"))
        if aside:
            found.append(_frame(kind, left, y, size))
        y += size * _HIGH
    for i, line in enumerate(runs):
        sample = f'<path d="M{number(left)} {number(y)}h{number(2.8 * size)}" stroke-width="12"{stroke(i)}/>'
        for n, words in enumerate(_rows(line, (room - 3.4 * size) / size)):
            found.append((sample if n == 0 else "") + _text(words, left + 3.4 * size, y, size, room - 3.4 * size))
            y += size * _HIGH
    return "".join(found), y - top - size * 0.3 if found else 0.0


def _rows(line: Line, room: float) -> list[str]:
    """The words about a run in rows of at most ``room`` ems, broken between stops."""
    stops = [f"{hex} {amount}" for hex, _, amount in line.stops]
    rows = [f"{line.train} = {line.value}:"]
    for n, stop in enumerate(stops):
        more = f"{rows[-1]} {'+ ' if n else ''}{stop}"
        if ems(more) <= room:
            rows[-1] = more
        else:
            rows.append(f"+ {stop}" if n else stop)
    return rows


def _frame(kind: str, left: float, y: float, size: float) -> str:
    """A sample of a frame."""
    color, wide, dash = (MARKED, 9, "") if kind == "marked" else (CHANGED, 5, ' stroke-dasharray="16 9"')
    box = f'x="{number(left + size * 0.6)}" y="{number(y - size * 0.5)}" width="{number(size * 1.6)}"'
    return f'<rect {box} height="{number(size)}" fill="none" stroke="{color}" stroke-width="{wide}"{dash}/>'


def _text(words: str, x: float, y: float, size: float, room: float, *, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return text(x, y, min(size, room / max(1.0, ems(words))), words, f' text-anchor="start" fill="{WORDS}"{weight}')
