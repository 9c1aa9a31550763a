"""Runs drawn over the map: a line for each train, side by side where trains share track, and a legend below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine.board.board import Board
from engine.board.map import End
from engine.core.ids import CompanyId, HexId
from engine.core.orders import Route
from engine.core.state import State
from engine.core.title import Title
from engine.routes.graph import Graph, Node, Track, graph_of
from engine.routes.legality import check_run
from engine.svg.colors import DASHES, LINES
from engine.svg.curves import Curve
from engine.svg.elements import number
from engine.svg.hexes import INRADIUS, Point
from engine.svg.labels import ARROW
from engine.svg.stations import outline_svg
from engine.svg.stops import Spot, curve_of, spots
from engine.svg.track import WHITE

_WIDE: Final = 8.5
_ASIDE: Final = 13.0
"""The distance between lines on the same track."""


@dataclass(frozen=True, slots=True)
class Line:
    """The run of one train. ``parts``: hex and track in it, in the order and direction of the run. ``stops``: hex,
    place in it and amount of each stop that counts; the amount is that of the stop alone, without bonuses."""

    train: str
    hexes: tuple[HexId, ...]
    value: int
    parts: tuple[tuple[HexId, Curve], ...]
    stops: tuple[tuple[HexId, Spot, int], ...]


def lines_of(title: Title, state: State, company: CompanyId, routes: Sequence[Route]) -> tuple[Line, ...]:
    """The lines of a legal set of runs. If the runs are illegal, ``ValueError`` with the failed checks."""
    traits = title.policies.run_traits(title, state, company)
    checked = check_run(state.board, traits, tuple(routes))
    if checked.failures:
        failed = ", ".join(f"{f.check} {dict(f.facts)}" for f in checked.failures)
        raise ValueError(f"these runs of {company} are not legal: {failed}")
    graph, flat = graph_of(state.board), title.map.flat
    found = []
    for route, track, value, counted in zip(routes, checked.tracks, checked.values, checked.counted, strict=True):
        stops = []
        for hex, index in counted:
            at = next(graph.nodes[i] for i in track.stops if (graph.nodes[i].hex, graph.nodes[i].index) == (hex, index))
            stops.append((hex, _spot(state.board, at, flat), at.stop.value(traits.color)))
        parts = tuple(_parts(state.board, graph, track, flat))
        found.append(Line(str(route.train), route.hexes, value, parts, tuple(stops)))
    return tuple(found)


def _end(board: Board, node: Node) -> End:
    """A stop as the end of a path in its hex. An area that takes markers is among the cities."""
    face, i = board.face(node.hex), node.index
    groups = (("c", face.cities), ("t", face.towns), ("o", face.offboards))
    return next((kind, i) for kind, stops in groups if i < len(stops) and stops[i] == node.stop)


def _spot(board: Board, node: Node, flat: bool) -> Spot:
    end = _end(board, node)
    return next(s for s in spots(board.face(node.hex), flat) if (s.kind, s.index) == end)


def _parts(board: Board, graph: Graph, track: Track, flat: bool) -> list[tuple[HexId, Curve]]:
    found: list[tuple[HexId, Curve]] = []
    for start, s, goal in zip(track.stops, track.stretches, track.stops[1:], strict=False):
        stretch = graph.stretches[s]
        hexes = stretch.hexes_from(start)
        came: End = _end(board, graph.nodes[start])
        if hexes[0] == hexes[1]:
            found.append(_part(board, hexes[0], came, _end(board, graph.nodes[goal]), flat))
            continue
        for hex, following in pairwise(hexes):
            edge = next(e for e, n in board.map.hexes[hex].neighbors.items() if n == following)
            found.append(_part(board, hex, came, ("e", edge), flat))
            came = ("e", (edge + 3) % 6)
        found.append(_part(board, hexes[-1], came, _end(board, graph.nodes[goal]), flat))
    return found


def _part(board: Board, hex: HexId, a: End, b: End, flat: bool) -> tuple[HexId, Curve]:
    """The track in a hex from ``a`` to ``b``; in an off-board area, as far as the tip of its arrow."""
    curve = curve_of((a, b), spots(board.face(hex), flat), flat)
    share = ARROW / INRADIUS
    if a[0] == "o":
        curve = curve.part(share, 1)
    elif b[0] == "o":
        curve = curve.part(0, 1 - share)
    return hex, curve


def lines_svg(lines: Sequence[Line], centres: Mapping[HexId, Point]) -> str:
    """The lines of the runs, to be drawn over the map."""
    found = []
    for i, places in enumerate(_places(lines)):
        found.append(_line("".join(_shifted(c, aside, centres[hex]) for hex, c, aside in places if hex in centres), i))
    return "".join(found)


def lines_in(lines: Sequence[Line]) -> dict[HexId, str]:
    """The lines of the runs in each hex, around its centre."""
    found: dict[HexId, str] = {}
    for i, places in enumerate(_places(lines)):
        rows: dict[HexId, str] = {}
        for hex, curve, aside in places:
            rows[hex] = rows.get(hex, "") + _shifted(curve, aside, (0.0, 0.0))
        for hex, data in rows.items():
            found[hex] = found.get(hex, "") + _line(data, i)
    return found


def _places(lines: Sequence[Line]) -> list[list[tuple[HexId, Curve, float]]]:
    """For each line its track by hex, and how far aside the line lies to leave room for others."""
    users: dict[tuple[HexId, frozenset[Point]], list[int]] = {}
    for i, line in enumerate(lines):
        for hex, curve in line.parts:
            users.setdefault((hex, _ends(curve)), []).append(i)
    found = []
    for i, line in enumerate(lines):
        places = []
        for hex, curve in line.parts:
            shared = users[hex, _ends(curve)]
            places.append((hex, curve, (shared.index(i) - (len(shared) - 1) / 2) * _ASIDE))
        found.append(places)
    return found


def _line(data: str, train: int) -> str:
    return (
        f'<g fill="none" stroke-linejoin="round"><path d="{data}" stroke="{WHITE}" stroke-width="{_WIDE + 3.5}"/>'
        f'<path d="{data}" stroke-width="{_WIDE}"{stroke(train)}/></g>'
    )


def stroke(train: int) -> str:
    """The colour and dashes of a train's line, by the number of the train."""
    dash = DASHES[train % len(DASHES)]
    return f' stroke="{LINES[train % len(LINES)]}"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _ends(curve: Curve) -> frozenset[Point]:
    return frozenset((round(x), round(y)) for x, y in (curve.start, curve.end))


def _shifted(curve: Curve, aside: float, centre: Point) -> str:
    """The curve shifted to one side, as a row of short lines. The side does not depend on the direction of the run."""
    if (round(curve.start[0]), round(curve.start[1])) > (round(curve.end[0]), round(curve.end[1])):
        aside = -aside
    count = len(curve.points(8)) - 1
    points = []
    for n in range(count + 1):
        (x, y), (dx, dy) = curve.at(n / count), curve.heading(n / count)
        points.append((centre[0] + x - dy * aside, centre[1] + y + dx * aside))
    return "".join(f"{'ML'[n > 0]}{number(x)} {number(y)}" for n, (x, y) in enumerate(points))


def stops_svg(lines: Sequence[Line], centres: Mapping[HexId, Point]) -> str:
    """A band in the train's colour around each stop that counts, to be drawn beneath the stop. The bands of several
    trains surround each other. Off-board areas have no bands."""
    return "".join(
        f'<g transform="translate({number(centres[hex][0])} {number(centres[hex][1])})">{found}</g>'
        for hex, found in _bands(lines)
        if hex in centres
    )


def stops_in(lines: Sequence[Line]) -> dict[HexId, str]:
    """The bands of ``stops_svg`` in each hex, around its centre."""
    found: dict[HexId, str] = {}
    for hex, bands in _bands(lines):
        found[hex] = found.get(hex, "") + bands
    return found


def _bands(lines: Sequence[Line]) -> list[tuple[HexId, str]]:
    bands: dict[tuple[HexId, Point], str] = {}
    for line in lines:
        for hex, spot, _ in line.stops:
            if spot.shape != "area":
                around = [outline_svg(spot, 12.5 + 6 * n, color) for n, color in enumerate(_colors(lines, hex, spot))]
                bands[hex, spot.at] = "".join(reversed(around))
    return [(hex, found) for (hex, _), found in bands.items()]


def _colors(lines: Sequence[Line], hex: HexId, spot: Spot) -> list[str]:
    """The colours of the trains that count a stop."""
    return [
        LINES[i % len(LINES)] for i, line in enumerate(lines) if any((h, s) == (hex, spot) for h, s, _ in line.stops)
    ]
