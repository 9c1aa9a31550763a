"""The tiles of a title as SVG, each with the number left."""

from __future__ import annotations

from math import ceil
from typing import Final

from engine.board.map import Tile
from engine.core.state import State
from engine.core.title import Title
from engine.svg.colors import FILLS
from engine.svg.dark import INK, PAPER
from engine.svg.elements import Svg, escaped, number, picture, text
from engine.svg.hexes import INRADIUS, SIDE, Point, corners, toward
from engine.svg.labels import SHORT_ARROW, Wanted, arrows, labels
from engine.svg.lettering import labels_svg
from engine.svg.stations import stations_svg
from engine.svg.track import BLACK, WHITE, arrow_svg, track_svg, tunnels_svg

COLORS: Final = ("yellow", "green", "brown", "gray", "purple")
_STEP: Final = 2 * SIDE + 16
_HIGH: Final = 2 * SIDE + 56
UNLIMITED: Final = "∞"


def tiles_svg(
    title: Title, state: State, *, size: float | None = None, across: int = 10, edges: bool = False, dark: bool = False
) -> Svg:
    """All tiles, by colour and number, ``across`` in a row. Tiles of which none is left are pale. ``edges``: number the
    edges, as orders do. ``dark``: for a dark screen."""
    tiles = sorted(title.map.tiles.values(), key=by_color)
    rows = ceil(len(tiles) / across)
    ink = INK if dark else BLACK
    content = "".join(
        _tile(title, state, tile, ink, ((i % across + 0.5) * _STEP, (i // across) * _HIGH + SIDE + 8), edges)
        for i, tile in enumerate(tiles)
    )
    return picture(
        content,
        (0, 0, across * _STEP, rows * _HIGH + 8),
        size,
        f"{title.full_name}: {state.round}",
        PAPER if dark else WHITE,
    )


def left_of(state: State, tile: Tile) -> int | None:
    """The number of copies of a tile that are left; None if it is unlimited."""
    return None if tile.count is None else tile.count - state.board.in_play(tile.id)


def by_color(tile: Tile) -> tuple[int, bool, int, str]:
    """A key that sorts tiles by colour, then by number."""
    color = COLORS.index(tile.face.color) if tile.face.color in COLORS else len(COLORS)
    digits = str(tile.id).isdigit()
    return color, not digits, int(tile.id) if digits else 0, str(tile.id)


def _tile(title: Title, state: State, tile: Tile, ink: str, at: Point, edges: bool) -> str:
    face, flat = tile.face, title.map.flat
    fill = {**FILLS, **title.drawing.colors}.get(face.color, FILLS["white"])
    wanted = Wanted(face, flat)
    tip = labels(wanted).tip or SHORT_ARROW
    points = " ".join(f"{number(a)},{number(b)}" for a, b in corners(flat))
    shape = f'<polygon points="{points}" fill="{fill}" stroke="#333333" stroke-width="1.5"/>'
    track = tunnels_svg(face, flat) + track_svg(face, flat)
    track += "".join(arrow_svg(edge, tip, flat) for edge in arrows(face))
    words = f'<g font-weight="700">{labels_svg(wanted, fill, title.phase(state).revenue_color)}</g>'
    left = left_of(state, tile)
    pale = ' opacity="0.35"' if left == 0 else ""
    low = (INRADIUS if flat else SIDE) + (34 if flat and edges else 22)
    name = text(0, low, 27, f"{tile.id} × {UNLIMITED if left is None else left}", f' fill="{ink}"')
    picture = f"<g{pale}>{shape}{track}{stations_svg(face, flat)}{words}</g>{_edges(flat) if edges else ''}{name}"
    x, y = at
    return f'<g id="tile-{escaped(str(tile.id))}" transform="translate({number(x)} {number(y)})">{picture}</g>'


def _edges(flat: bool) -> str:
    """The numbers of the edges, outside of them."""
    return "".join(text(*toward(edge, INRADIUS + 10, flat), 17, str(edge), ' fill="#000000"') for edge in range(6))
