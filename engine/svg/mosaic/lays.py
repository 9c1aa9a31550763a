"""A sheet of legal lays in pieces: each lay with its words, and each head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.core.state import State
from engine.core.title import Title
from engine.svg.colors import FILLS
from engine.svg.dark import INK, PAPER
from engine.svg.hexes import INRADIUS, SIDE
from engine.svg.lay_sheet import (
    ACROSS,
    EDGE,
    HEAD,
    LINE,
    Cell,
    LayGroup,
    head_svg,
    lay_svg,
    places,
    rule_svg,
    step_of,
)  # fmt: skip
from engine.svg.mosaic.inks import inks
from engine.svg.mosaic.pieces import Mosaic, around
from engine.svg.track import BLACK, WHITE

_RIM = 2.0
"""The space for the outline of a tile."""


def lays_mosaic(
    title: Title, state: State, groups: Sequence[LayGroup], *, width: int, across: int = ACROSS, plain: bool = False,
    dark: bool = False,
) -> Mosaic:  # fmt: skip
    """A sheet of lays, as ``lays_svg`` draws it. ``width``: the width in pixels. For the others see ``lays_svg``."""
    flat, column = title.map.flat, "" if plain else title.phase(state).revenue_color
    fills = {**FILLS, **title.drawing.colors}
    ink, paper = (INK, PAPER) if dark else (BLACK, WHITE)
    heads, cells, height = places(groups, flat, across)
    scale, high, step = width / (2 * EDGE + across * step_of(flat)), INRADIUS if flat else SIDE, step_of(flat)
    found = []
    for head in heads:
        own = replace(head, at=(0.0, 0.0))
        at, room = (head.at[0] * scale, head.at[1] * scale), (_RIM, HEAD / 2, head.room + _RIM, HEAD / 2)
        found.append(around(at, room, scale, rule_svg(own) + head_svg(own, ink), paper))
    for cell in cells:
        face = title.map.tiles[cell.lying.tile].face.turned(cell.lying.turn)
        own_texts = tuple((line, (x - cell.at[0], y - cell.at[1]), size) for line, (x, y), size in cell.texts)
        content = lay_svg(
            Cell(cell.lying, (0.0, 0.0), own_texts), face, flat, fills.get(face.color, FILLS["white"]), column, ink
        )
        room = (step / 2, high + _RIM, step / 2, high + 2 * LINE + 8)
        found.append(around((cell.at[0] * scale, cell.at[1] * scale), room, scale, content, paper))
    return Mosaic((width, round(height * scale)), paper, inks(title), tuple(found))
