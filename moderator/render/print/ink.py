"""Pictures for black printers: light colours, each with a pattern, and companies as light chips with black letters.

On a colour printer the colours are still there, only paler. In grey the patterns tell them apart.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from types import MappingProxyType
from typing import Final

from engine.core.title import Title
from engine.svg import Svg
from engine.svg.colors import plain_color
from engine.svg.elements import number, picture, text
from engine.svg.letters import width

LIGHT: Final = MappingProxyType(
    {
        "white": "#ffffff", "yellow": "#fff2b8", "green": "#d2ecc3", "brown": "#e4c9ba", "gray": "#dddde0",
        "red": "#f7bcb3", "blue": "#cde5f6", "purple": "#e5dff4",
    }
)  # fmt: skip
"""Colour of a hex -> its fill on paper."""
_WHITE: Final = 0.62
"""The part of white in the colour of a company."""
_LINES: Final = {
    "yellow": ("M0 24L24 0M-2 2L2-2M22 26l4-4", 24, 1.2),
    "green": ("M0 0L14 14M-2 12l4 4M12-2l4 4", 14, 1.8),
    "brown": ("M0 0L14 14M14 0L0 14", 14, 1.6),
    "gray": ("M3 3h.1M10 10h.1", 14, 3.2),
    "red": ("M7 0V14", 14, 2.2),
    "blue": ("M0 6H12", 12, 1.6),
    "purple": ("M7 3v8M3 7h8", 14, 1.2),
}
"""Colour of a hex -> the path of its pattern, the size of the square that is repeated, and the width of lines."""
_NAMES: Final = {LIGHT[name]: name for name in _LINES}
_EDGE: Final = 'stroke="#000000" stroke-width="3"'
_GROUND: Final = re.compile(r'<path d="([^"]*)" fill="(#[0-9a-f]{6})"/></g>')
"""The ground of a hex on a map. All of one colour get one pattern: one each would make the file four times as large."""
_SHAPE: Final = re.compile(r'<polygon points="([^"]*)" fill="(#[0-9a-f]{6})"[^<>]*/>')
"""The ground of a tile."""
_WORD: Final = re.compile(r'<text x="([-.\d]+)" y="([-.\d]+)" font-size="([.\d]+)">([^<]*[^\W\d][^<]*)</text>')
"""A word in black: its middle, its base line, its size, and itself. Numbers are left alone: they have circles."""


def on_paper(title: Title) -> Title:
    """The title in light colours, for pictures and tables only."""
    companies = {
        id: replace(company, color=_tint(company.color), text_color="#000000")
        for id, company in title.companies.items()
    }
    own = {name: _tint(color) for name, color in title.drawing.colors.items()}
    return replace(title, companies=companies, drawing=replace(title.drawing, colors={**own, **LIGHT}))


def _tint(color: str) -> str:
    parts = (int(plain_color(color)[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * (1 - _WHITE)):02x}" for part in parts)


def patterned(svg: str) -> Svg:
    """A picture of a title that is ``on_paper``: each hex with the pattern of its colour, and black words on light
    chips, so that they can be read on it."""
    drawn, grounds = _SHAPE.sub(_with_pattern, svg), dict[str, list[str]]()
    for found in _GROUND.finditer(drawn):
        grounds.setdefault(found[2], []).append(found[1])
    over = "".join(
        f'<path d="{"".join(paths)}" fill="url(#ink-{_NAMES[color]})"/>'
        for color, paths in grounds.items()
        if color in _NAMES
    )
    drawn = drawn.replace("</g></g><g", f"</g>{over}</g><g", 1) if over else drawn
    drawn = _WORD.sub(_with_chip, drawn)
    return Svg(drawn.replace("</title>", f"</title>{_DEFINED}", 1))


def _with_pattern(found: re.Match[str]) -> str:
    """A tile, and above it the same shape in its pattern."""
    points, color = found.groups()
    over = f'<polygon points="{points}" fill="url(#ink-{_NAMES[color]})" {_EDGE}/>' if color in _NAMES else ""
    return found[0] + over


def _with_chip(found: re.Match[str]) -> str:
    """A word on a light chip. An edge of white around the letters would be smaller, but a PDF then has their outlines
    instead of text, and is four times as large."""
    x, y, size = map(float, found.groups()[:3])
    wide, high = width(unescape(found[4]), size) + 5, size * 1.05
    left, top = number(x - wide / 2), number(y - 0.36 * size - high / 2)
    chip = f'<rect x="{left}" y="{top}" width="{number(wide)}" height="{number(high)}" rx="3"'
    return f'{chip} fill="#ffffff" fill-opacity=".8"/>{found[0]}'


def key_svg(colors: dict[str, str]) -> Svg:
    """The patterns with the names of their colours, from ``colors``: colour -> its name in words."""
    at, found = 2.0, list[str]()
    for name in (name for name in colors if name in _LINES):
        box = f'x="{at:g}" y="2" width="46" height="30"'
        fills = (LIGHT[name], f"url(#ink-{name})")
        found.extend(f'<rect {box} fill="{fill}" stroke="#333333"/>' for fill in fills)
        found.append(text(at + 54, 17, 22, colors[name], ' text-anchor="start" fill="#000000"'))
        at += 84 + width(colors[name], 22)
    drawn = picture("".join(found), (0, 0, at, 34), None, ", ".join(colors.values()))
    return Svg(drawn.replace("</title>", f"</title>{_DEFINED}", 1))


def _pattern(name: str) -> str:
    path, size, width = _LINES[name]
    return (
        f'<pattern id="ink-{name}" width="{size}" height="{size}" patternUnits="userSpaceOnUse"><path d="{path}"'
        f' fill="none" stroke="#000000" stroke-opacity=".38" stroke-width="{width}" stroke-linecap="round"/></pattern>'
    )


_DEFINED: Final = "<defs>" + "".join(map(_pattern, _LINES)) + "</defs>"
