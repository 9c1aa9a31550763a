"""The map of a position in pieces: each hex, each coordinate in the margin, and the legend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

from engine.board.map import Map
from engine.core.ids import HexId
from engine.core.state import State
from engine.core.title import Title
from engine.svg.board import FAR, MARGIN, OVERVIEW, of_hex
from engine.svg.colors import FILLS
from engine.svg.dark import PAPER, dimmed
from engine.svg.elements import text
from engine.svg.hexes import INRADIUS, SIDE, STEPS
from engine.svg.labels import labels
from engine.svg.legend import legend_svg
from engine.svg.letters import ems
from engine.svg.marks import (
    areas_in,
    axes_of,
    borders_in,
    changed_hexes,
    frame_svg,
    future_svg,
    mark_svg,
    new_markers,
    outline,
    outlines_in,
)  # fmt: skip
from engine.svg.mosaic.inks import inks
from engine.svg.mosaic.pieces import Mosaic, Piece, Pixels, Shape, around, hexagon
from engine.svg.parts import part
from engine.svg.runs import Line, lines_in, stops_in
from engine.svg.track import WHITE
from engine.svg.view import HexView, hex_views

_AXIS = 34.0
"""The font size of coordinates."""
_IN = 32.0
"""Their distance from the edge of the picture."""
_RUNG = 1.25
"""The ratio of a scale to the next. Parts of the map have few scales, so that the same pieces fit into many of them."""


def board_mosaic(
    title: Title,
    state: State,
    *,
    width: int,
    size: float | None = None,
    hexes: Iterable[HexId] | None = None,
    rings: int = 1,
    since: State | None = None,
    runs: Sequence[Line] = (),
    marked: Iterable[HexId] = (),
    notes: Mapping[str, str] | None = None,
    dark: bool = False,
) -> Mosaic:
    """The map of a position, as ``board_svg`` draws it. ``width``: the width in pixels, which the whole map has nearly;
    a part is up to an eighth wider or narrower.
    ``size``: the width in which it is shown, if that is another one; the size of words depends on it. For the others
    see ``board_svg``."""
    map = title.map
    shown = part(map, hexes, rings)
    ground = _Ground.of([(map.hexes[hex].x, map.hexes[hex].y) for hex in shown], map.flat, width, hexes is not None)
    framed = frozenset(marked) & frozenset(shown)
    changed = changed_hexes(since.board, state.board) & frozenset(shown) if since is not None else frozenset[HexId]()
    far, named = ground.words(size or width)
    views = hex_views(title, state, shown, far=far, named=named)
    contents = _contents(title, state, views, since, runs, framed, changed, dark)
    paper = PAPER if dark else WHITE
    pieces = _rim(map, shown, ground, paper)
    pieces += [
        (ground.corner(map.hexes[hex].x, map.hexes[hex].y), hexagon(ground.shape, ground.scale, content))
        for hex, content in contents.items()
    ]
    pieces += _axes(title, shown, ground, paper, dark)
    kinds = {"marked": framed, "changed": changed}
    entries = tuple((kind, words) for kind, words in (notes or {}).items() if kind not in kinds or kinds[kind])
    legend = _legend(runs, entries, ground, paper, dark)
    foot = sum(piece.size[1] for _, piece in legend)
    return Mosaic((ground.size[0], ground.size[1] + foot), paper, inks(title), (*pieces, *legend))


@dataclass(frozen=True, slots=True)
class _Ground:
    """The places of hexes. ``first``: the smallest doubled coordinates. ``scale``: the pixels of a unit, across and
    down, which differ by less than 1 %, so that steps are whole pixels. ``margin``: the pixels around the hexes.
    ``size``: of the map, without its legend. ``units``: the width of the map as ``board_svg`` draws it."""

    shape: Shape
    first: tuple[int, int]
    scale: tuple[float, float]
    margin: Pixels
    size: Pixels
    units: float

    @staticmethod
    def of(places: Sequence[tuple[int, int]], flat: bool, width: int, part: bool) -> _Ground:
        columns, rows = [x for x, _ in places], [y for _, y in places]
        step = (1.5 * SIDE, INRADIUS) if flat else (INRADIUS, 1.5 * SIDE)
        half = SIDE if flat else INRADIUS
        whole = (max(columns) - min(columns)) * step[0] + 2 * half + 2 * MARGIN
        across = max(2, round(step[0] * (_near(width / whole) if part else width / whole)))
        down = max(2, round(step[1] * across / step[0]))
        shape, scale = Shape(flat, across, down), (across / step[0], down / step[1])
        margin = (round(MARGIN * scale[0]), round(MARGIN * scale[1]))
        wide, high = shape.reach
        size = (
            (max(columns) - min(columns)) * across + 2 * wide + 2 * margin[0],
            (max(rows) - min(rows)) * down + 2 * high + 2 * margin[1],
        )
        return _Ground(shape, (min(columns), min(rows)), scale, margin, size, whole)

    def corner(self, x: int, y: int) -> Pixels:
        """The left and top pixel of the piece of a hex."""
        column, row = x - self.first[0], y - self.first[1]
        return self.margin[0] + column * self.shape.across, self.margin[1] + row * self.shape.down

    def centre(self, x: int, y: int) -> Pixels:
        (left, top), (wide, high) = self.corner(x, y), self.shape.reach
        return left + wide, top + high

    def words(self, size: float) -> tuple[bool, bool]:
        """True if numbers are drawn larger, and true if names and numbers are drawn, in a picture shown in this
        width."""
        return size / self.units < FAR, size / self.units >= OVERVIEW


def _near(scale: float) -> float:
    """The nearest of a few scales."""
    return float(_RUNG ** round(log(scale, _RUNG)))


def _contents(
    title: Title, state: State, views: Mapping[HexId, HexView], since: State | None, runs: Sequence[Line],
    marked: frozenset[HexId], changed: frozenset[HexId], dark: bool,
) -> dict[HexId, str]:  # fmt: skip
    """The elements of each hex, around its centre, in the order of the layers of ``board_svg``."""
    flat, column = title.map.flat, title.phase(state).revenue_color
    fills = {**FILLS, **title.drawing.colors}
    new = new_markers(since.board, state.board) if since is not None else {}
    future = title.drawing.future(title, state)
    outlines, areas, borders = outlines_in(title.map), areas_in(title), borders_in(title, state)
    lines, stops = lines_in(runs), stops_in(runs)
    found = {}
    for hex, view in views.items():
        fill = fills.get(view.face.color, FILLS["white"])
        ground = f'<rect x="-150" y="-150" width="300" height="300" fill="{fill}"/>'
        own = dict(of_hex(title, view, labels(view.wanted), fill, column, new.get(hex, ())))
        named = f'<g font-weight="700">{own["labels"]}</g>' if own["labels"] else ""
        found[hex] = "".join(
            (
                dimmed("hexes", ground) if dark else ground,
                outlines[hex],
                areas.get(hex, ""),
                mark_svg((0.0, 0.0), flat) if hex in marked else "",
                frame_svg((0.0, 0.0), flat) if hex in changed else "",
                future_svg(future[hex], (0.0, 0.0), flat) if hex in future else "",
                own["tunnels"],
                own["track"],
                own["arrows"],
                borders.get(hex, ""),
                lines.get(hex, ""),
                stops.get(hex, ""),
                own["stations"],
                own.get("tokens", ""),
                dimmed("labels", named) if dark else named,
            )
        )
    return found


def _rim(map: Map, shown: tuple[HexId, ...], ground: _Ground, paper: str) -> list[tuple[Pixels, Piece]]:
    """The outer half of the lines at which the picture ends: they lie in hexes that it does not show."""
    return [
        (ground.corner(x, y), _beyond(ground.shape, ground.scale, edges, paper))
        for (x, y), edges in _around(map, shown)
    ]


@lru_cache(maxsize=64)
def _around(map: Map, shown: tuple[HexId, ...]) -> tuple[tuple[Pixels, tuple[int, ...]], ...]:
    """The doubled coordinates of the hexes around those shown, with their sides toward them."""
    places = [(map.hexes[hex].x, map.hexes[hex].y) for hex in shown]
    there, found = set(places), dict[Pixels, list[int]]()
    for x, y in places:
        for edge, (right, down) in enumerate(STEPS[map.flat]):
            if (x + right, y + down) not in there:
                found.setdefault((x + right, y + down), []).append((edge + 3) % 6)
    return tuple((at, tuple(sorted(edges))) for at, edges in found.items())


@lru_cache(maxsize=2048)
def _beyond(shape: Shape, scale: tuple[float, float], edges: tuple[int, ...], paper: str) -> Piece:
    sheet = f'<rect x="-150" y="-150" width="300" height="300" fill="{paper}"/>'
    return hexagon(shape, scale, sheet + outline(edges, shape.flat))


def _axes(title: Title, shown: Iterable[HexId], ground: _Ground, paper: str, dark: bool) -> list[tuple[Pixels, Piece]]:
    columns, rows = axes_of(title.map)
    places = [(title.map.hexes[hex].x, title.map.hexes[hex].y) for hex in shown]
    (across, down), (width, height) = ground.scale, ground.size
    found = []
    for x in sorted({x for x, _ in places} & columns.keys()):
        at = ground.centre(x, ground.first[1])[0]
        found += [_coordinate(columns[x], (at, y), ground, paper, dark) for y in (_IN * down, height - _IN * down)]
    for y in sorted({y for _, y in places} & rows.keys()):
        at = ground.centre(ground.first[0], y)[1]
        found += [_coordinate(rows[y], (x, at), ground, paper, dark) for x in (_IN * across, width - _IN * across)]
    return found


def _coordinate(name: str, at: tuple[float, float], ground: _Ground, paper: str, dark: bool) -> tuple[Pixels, Piece]:
    (left, top), piece = _sign(name, ground.scale[0], paper, dark)
    return (round(at[0]) + left, round(at[1]) + top), piece


@lru_cache(maxsize=2048)
def _sign(name: str, scale: float, paper: str, dark: bool) -> tuple[Pixels, Piece]:
    """The name of a column or row, with its place around the origin."""
    words = text(0, 0, _AXIS, name, ' fill="#555555"')
    wide, high = min(_IN, ems(name) * _AXIS / 2 + 2), 0.5 * _AXIS
    return around((0, 0), (wide, high, wide, high), scale, dimmed("axes", words) if dark else words, paper)


def _legend(
    runs: Sequence[Line], entries: Sequence[tuple[str, str]], ground: _Ground, paper: str, dark: bool
) -> list[tuple[Pixels, Piece]]:
    """The legend across the whole picture, below the map; nothing if it is empty."""
    scale = ground.scale[0]
    width = ground.size[0] / scale
    found, foot = legend_svg(runs, entries, 20, 0, width - 40)
    if not found:
        return []
    content = dimmed("legend", found) if dark else found
    return [around((0, ground.size[1]), (0, 0, width - 1e-6, foot), scale, content, paper)]
