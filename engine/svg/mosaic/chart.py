"""The share price chart in pieces: each space, the stacks below, and the legend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.core.state import State
from engine.core.title import Title
from engine.svg.chart import (
    EDGE,
    FOOT,
    HIGH,
    WIDE,
    Space,
    chart_spaces,
    edges_svg,
    ground_svg,
    piles_svg,
    tokens_svg,
    zone_colors,
    zone_letters,
    zones_svg,
)  # fmt: skip
from engine.svg.dark import PAPER, dimmed
from engine.svg.mosaic.inks import inks
from engine.svg.mosaic.pieces import Mosaic, Piece, Pixels, around
from engine.svg.track import WHITE

_ABOVE = 30.0
"""The space between the chart and the stacks."""
_LINE = 40.0
"""The height of a line of the legend."""


def chart_mosaic(
    title: Title, state: State, *, width: int, near: bool = False, words: Mapping[str, str] | None = None,
    dark: bool = False,
) -> Mosaic:  # fmt: skip
    """The chart, as ``chart_svg`` draws it. ``width``: the width in pixels, which the picture has nearly. For the
    others see ``chart_svg``."""
    spaces = chart_spaces(title, state, near=near)
    paper = PAPER if dark else WHITE
    left, top = min(s.at[0] for s in spaces), min(s.at[1] for s in spaces)
    room = max(s.at[0] for s in spaces) + WIDE - left
    cell = (max(2, round(WIDE * width / (room + 2 * EDGE))), 0)
    scale = cell[0] / WIDE
    cell, edge = (cell[0], round(HIGH * scale)), round(EDGE * scale)
    places = {
        s: (edge + round((s.at[0] - left) / WIDE) * cell[0], _down(s, top, scale, cell[1]) + edge) for s in spaces
    }
    zones = zone_letters(title.chart)
    colors = zone_colors(title.chart, zones)
    pieces = _spaces(title, places, cell, colors, dark)
    size = (round(room / WIDE) * cell[0] + 2 * edge, max(y for _, y in places.values()) + cell[1])
    shown = {letter for space in spaces for letter in space.marks}
    seen = {mark: letter for mark, letter in zones.items() if letter in shown}
    piles, rows = piles_svg(title, spaces, EDGE, _ABOVE, room)
    legend, lines = zones_svg(seen, colors, words or {}, EDGE, 0, room)
    for name, content, high in (("piles", piles, _ABOVE + rows * FOOT), ("legend", legend, lines * _LINE + EDGE)):
        found = dimmed(name, content) if dark else content
        at, piece = around((0, size[1]), (0, 0, size[0] / scale - 1e-6, high), scale, found, paper)
        pieces.append((at, piece))
        size = (size[0], size[1] + piece.size[1])
    return Mosaic(size, paper, inks(title), tuple(pieces))


def _down(space: Space, top: float, scale: float, high: int) -> int:
    """The upper pixel of a space: rows follow each other without a gap, bands with the same one."""
    whole, gap = divmod(space.at[1] - top, HIGH)
    return round(whole) * high + round(gap * scale)


def _spaces(
    title: Title, places: Mapping[Space, Pixels], cell: Pixels, colors: Mapping[str, str], dark: bool
) -> list[tuple[Pixels, Piece]]:
    """Each space, with what reaches into it from the left and from above."""
    there = {at: space for space, at in places.items()}
    found = []
    for space, (x, y) in places.items():
        ground = ground_svg(replace(space, at=(0.0, 0.0)), colors)
        for other, at in (
            (there.get((x - cell[0], y)), (-WIDE, 0.0)),
            (there.get((x, y - cell[1])), (0.0, -HIGH)),
            (space, (0.0, 0.0)),
        ):
            ground += edges_svg(replace(other, at=at)) if other is not None else ""
        tokens = tokens_svg(title, replace(space, at=(0.0, 0.0))) if space.pile else ""
        content = (dimmed("spaces", ground) if dark else ground) + tokens
        found.append(((x, y), Piece(cell, content, f"0 0 {WIDE:g} {HIGH:g}")))
    return found
