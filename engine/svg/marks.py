"""Elements between and around the hexes: borders, barriers, frames of changed hexes, and coordinates in the margin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from engine.board.board import Board
from engine.board.map import Hex, Map
from engine.board.ways import Side
from engine.core.drawing import Paths
from engine.core.ids import CompanyId, HexId
from engine.core.state import State
from engine.core.title import Title
from engine.svg.colors import BORDER, CHANGED, FILLS, MARKED, WALL, WATER
from engine.svg.curves import between_edges
from engine.svg.elements import number, text
from engine.svg.hexes import Point, centre, corners, edge_line
from engine.svg.letters import ems


def changed_hexes(before: Board, after: Board) -> frozenset[HexId]:
    """Hexes whose track, markers or pieces differ."""
    pairs = ((before.tiles, after.tiles), (before.markers, after.markers), (before.overlays, after.overlays))
    return frozenset(hex for a, b in pairs if a is not b for hex in {**a, **b} if a.get(hex) != b.get(hex))


def new_markers(before: Board, after: Board) -> Mapping[HexId, tuple[CompanyId, ...]]:
    """By hex, the companies with more markers there than before."""
    found = {}
    for hex, cities in after.markers.items():
        old = [company for city in before.markers.get(hex, ()) for company in city]
        now = [company for city in cities for company in city]
        if more := tuple(c for c in dict.fromkeys(now) if now.count(c) > old.count(c)):
            found[hex] = more
    return found


def frame_svg(at: Point, flat: bool) -> str:
    """The frame of a hex that has changed."""
    points = " ".join(f"{number(at[0] + x)},{number(at[1] + y)}" for x, y in corners(flat, 96.5))
    shape = f'<polygon points="{points}" fill="none" stroke='
    return f'{shape}"#ffffff" stroke-width="7"/>{shape}"{CHANGED}" stroke-width="5" stroke-dasharray="16 9"/>'


def mark_svg(at: Point, flat: bool) -> str:
    """The solid frame of a hex that is marked, a little wider than that of a hex that has changed."""
    points = " ".join(f"{number(at[0] + x)},{number(at[1] + y)}" for x, y in corners(flat, 94.0))
    shape = f'<polygon points="{points}" fill="none" stroke='
    return f'{shape}"#ffffff" stroke-width="13"/>{shape}"{MARKED}" stroke-width="9"/>'


@lru_cache(maxsize=64)
def outlines_svg(map: Map, shown: tuple[HexId, ...]) -> str:
    """The sides of hexes, each drawn once, except those within an off-board area."""
    inner = {_side(map, hex, edge) for hex, edge in _joined(map)}
    owners = {_side(map, hex, edge): (hex, edge) for hex in shown for edge in range(6)}
    data = "".join(
        _line(edge_line(edge, map.flat), centre(map.hexes[hex].x, map.hexes[hex].y, map.flat))
        for side, (hex, edge) in owners.items()
        if side not in inner
    )
    return _outline(data)


@lru_cache(maxsize=8)
def outlines_in(map: Map) -> Mapping[HexId, str]:
    """The sides of each hex, around its centre, except those within an off-board area."""
    inner = {_side(map, hex, edge) for hex, edge in _joined(map)}
    return {hex: outline([e for e in range(6) if _side(map, hex, e) not in inner], map.flat) for hex in map.hexes}


def outline(edges: Iterable[int], flat: bool) -> str:
    """Sides of a hex, around its centre."""
    return _outline("".join(_line(edge_line(edge, flat), (0.0, 0.0)) for edge in edges))


def _outline(data: str) -> str:
    return f'<path d="{data}" fill="none" stroke="#333333" stroke-width="1.8"/>'


@dataclass(slots=True)
class _Borders:
    """Sides of hexes, each named once. ``inner``: within an off-board area. ``walls``: printed barriers. ``now``:
    borders in force. ``rivers``: with the cost of crossing."""

    inner: list[Side] = field(default_factory=list)
    walls: list[Side] = field(default_factory=list)
    now: list[Side] = field(default_factory=list)
    rivers: list[tuple[Side, int]] = field(default_factory=list)

    @staticmethod
    def of(title: Title, state: State, hexes: Iterable[HexId]) -> _Borders:
        map, chosen = title.map, list(hexes)
        rivers = {_side(map, hex, edge): cost for hex in chosen for edge, cost in state.board.rivers(hex).items()}
        return _Borders(
            list(_joined(map)),
            sorted({_side(map, hex, edge) for hex in chosen for edge in map.hexes[hex].walls}),
            sorted({_side(map, hex, edge) for hex, edge in title.drawing.borders(title, state)}),
            sorted(rivers.items()),
        )

    def svg(self, centres: Mapping[HexId, Point], flat: bool) -> str:
        found = []
        if inner := _lines(self.inner, centres, flat):
            found.append(f'<path d="{inner}" stroke="{FILLS["red"]}" stroke-width="4"/>')
        for sides, style in (
            (self.walls, f'stroke="{WALL}" stroke-width="8" stroke-linecap="round"'),
            (self.now, f'stroke="{BORDER}" stroke-width="8" stroke-dasharray="20 10"'),
        ):
            if data := _lines(sides, centres, flat):
                found.append(f'<path d="{data}" stroke="#ffffff" stroke-width="12" stroke-opacity=".75"/>')
                found.append(f'<path d="{data}" {style}/>')
        for (hex, edge), cost in self.rivers:
            if hex in centres:
                found.append(_river(edge_line(edge, flat), centres[hex], cost))
        return "".join(found)


def borders_svg(title: Title, state: State, centres: Mapping[HexId, Point]) -> str:
    """Printed barriers as solid lines, borders in force now as dashed lines, and rivers that no track crosses yet with
    their cost. Each side is drawn once."""
    return _Borders.of(title, state, centres).svg(centres, title.map.flat)


def borders_in(title: Title, state: State) -> Mapping[HexId, str]:
    """The same lines on the sides of each hex and at its corners, around its centre."""
    every = _Borders.of(title, state, title.map.hexes)
    return _by_hex(title.map, tuple(every.walls), tuple(every.now), tuple(every.rivers))


@lru_cache(maxsize=32)
def _by_hex(
    map: Map, walls: tuple[Side, ...], now: tuple[Side, ...], rivers: tuple[tuple[Side, int], ...]
) -> Mapping[HexId, str]:
    found: dict[HexId, _Borders] = {}
    for kind, sides in (("inner", _joined(map)), ("walls", walls), ("now", now)):
        for side in sides:
            for hex in _touched(map, side):
                getattr(found.setdefault(hex, _Borders()), kind).append(side)
    for side, cost in rivers:
        for hex in _touched(map, side):
            found.setdefault(hex, _Borders()).rivers.append((side, cost))
    return {hex: borders.svg(_near(map, hex), map.flat) for hex, borders in found.items()}


@lru_cache(maxsize=4096)
def _touched(map: Map, side: Side) -> tuple[HexId, ...]:
    """The hexes on both sides of a side, and those at its ends."""
    hex, edge = side
    neighbors = map.hexes[hex].neighbors
    others = (neighbors.get(near % 6) for near in (edge - 1, edge, edge + 1))
    return (hex, *(other for other in others if other is not None))


@lru_cache(maxsize=2048)
def _near(map: Map, hex: HexId) -> Mapping[HexId, Point]:
    """The centres of a hex and of those around it, from its own centre. Equal steps give equal numbers."""
    here = map.hexes[hex]
    around = (hex, *here.neighbors.values())
    return {id: centre(map.hexes[id].x - here.x, map.hexes[id].y - here.y, map.flat) for id in around}


def _lines(sides: Iterable[Side], centres: Mapping[HexId, Point], flat: bool) -> str:
    return "".join(_line(edge_line(edge, flat), centres[hex]) for hex, edge in sides if hex in centres)


def _river(ends: tuple[Point, Point], at: Point, cost: int) -> str:
    """A river on a side of a hex, with the cost of crossing it in the middle."""
    (x, y), (u, v) = ends
    middle = (at[0] + (x + u) / 2, at[1] + (y + v) / 2)
    wide = ems(str(cost)) * _COST + 6
    plate = (
        f'<rect x="{number(middle[0] - wide / 2)}" y="{number(middle[1] - _COST / 2 - 1)}" width="{number(wide)}"'
        f' height="{number(_COST + 2)}" rx="3" fill="#ffffff"/>'
    )
    line = f'<path d="{_line(ends, at)}" stroke="{WATER}" stroke-width="7" stroke-linecap="round"/>'
    return line + plate + text(*middle, _COST, str(cost), f' fill="{WATER}"')


_COST: Final = 14.0
"""The size of the cost of a river."""


@lru_cache(maxsize=8)
def _joined(map: Map) -> tuple[tuple[HexId, int], ...]:
    """The sides between hexes of one off-board area."""
    groups = {id: {area.group for area in hex.face.offboards if area.group} for id, hex in map.hexes.items()}
    pairs = ((id, edge, other) for id, hex in map.hexes.items() for edge, other in hex.neighbors.items())
    return tuple((id, edge) for id, edge, other in pairs if id < other and groups[id] & groups[other])


def _side(map: Map, hex: HexId, edge: int) -> tuple[HexId, int]:
    """The same name for a side from either of its hexes."""
    other = map.hexes[hex].neighbors.get(edge)
    return (hex, edge) if other is None or hex < other else (other, (edge + 3) % 6)


def _line(ends: tuple[Point, Point], at: Point) -> str:
    (x, y), (u, v) = ends
    return f"M{number(at[0] + x)} {number(at[1] + y)}L{number(at[0] + u)} {number(at[1] + v)}"


def future_svg(paths: Paths, at: Point, flat: bool) -> str:
    """Track that is printed for later, as grey dashes."""
    data = "".join(between_edges(a[1], b[1], flat).path() for a, b in paths if a[0] == b[0] == "e")
    move = f"translate({number(at[0])} {number(at[1])})"
    return (
        f'<path transform="{move}" d="{data}" fill="none" stroke="#777777" stroke-width="5" stroke-dasharray="12 8"/>'
    )


def areas_svg(title: Title, centres: Mapping[HexId, Point]) -> str:
    """White lines around areas of the map, beneath the track."""
    return _area(_lines(_rims(title), centres, title.map.flat))


def areas_in(title: Title) -> Mapping[HexId, str]:
    """The same lines on the sides of each hex and at its corners, around its centre."""
    found: dict[HexId, list[Side]] = {}
    for side in _rims(title):
        for hex in _touched(title.map, side):
            found.setdefault(hex, []).append(side)
    return {hex: _area(_lines(sides, _near(title.map, hex), title.map.flat)) for hex, sides in found.items()}


def _rims(title: Title) -> list[Side]:
    """The sides around areas of the map."""
    hexes = title.map.hexes
    return [
        (hex, edge)
        for area in title.drawing.areas(title)
        for hex in sorted(area)
        for edge in range(6)
        if hexes[hex].neighbors.get(edge) not in area
    ]


def _area(data: str) -> str:
    line = f'<path d="{data}" stroke-linecap="round"'
    return f'{line} stroke="#777777" stroke-width="15"/>{line} stroke="#ffffff" stroke-width="12"/>' if data else ""


@lru_cache(maxsize=8)
def axes_of(map: Map) -> tuple[Mapping[int, str], Mapping[int, str]]:
    """The part of the coordinate that all hexes of a column share, by column; and the same by row."""
    return _shared(map, True), _shared(map, False)


def _shared(map: Map, columns: bool) -> Mapping[int, str]:
    lines: dict[int, list[Hex]] = {}
    for hex in map.hexes.values():
        lines.setdefault(hex.x if columns else hex.y, []).append(hex)
    heads = {at: {_halves(hex.id)[0] for hex in hexes} for at, hexes in lines.items()}
    tails = {at: {_halves(hex.id)[1] for hex in hexes} for at, hexes in lines.items()}
    for parts in (heads, tails):
        if all(len(part) == 1 for part in parts.values()) and len({*map_of(parts).values()}) == len(parts):
            return map_of(parts)
    return {}


def map_of(parts: Mapping[int, set[str]]) -> Mapping[int, str]:
    return {at: min(part) for at, part in parts.items()}


def _halves(hex: HexId) -> tuple[str, str]:
    """The letters at the start of a coordinate, and the rest."""
    letters = len(hex) - len(hex.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    return hex[:letters], hex[letters:]


def axes_svg(map: Map, centres: Mapping[HexId, Point], box: tuple[float, float, float, float]) -> str:
    """The letters and numbers of the coordinates on all four sides."""
    columns, rows = axes_of(map)
    left, top, width, height = box
    found = []
    across = {map.hexes[hex].x: at[0] for hex, at in centres.items()}
    down = {map.hexes[hex].y: at[1] for hex, at in centres.items()}
    for x, at in sorted(across.items()):
        if x in columns:
            found += [text(at, y, 34, columns[x]) for y in (top + 32, top + height - 32)]
    for y, at in sorted(down.items()):
        if y in rows:
            found += [text(x, at, 34, rows[y]) for x in (left + 32, left + width - 32)]
    return "".join(found)
