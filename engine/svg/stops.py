"""The places of the stops of a face: a single city in the centre, towns on their track, several stops apart.

Each stop has a list of places, best first. The places of all stops of a hex are chosen together, so that circles keep
clear of each other and of track that does not lead to them. Places depend on the exits alone: if a tile is turned, its
stops turn with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from engine.board.map import End, Face, Stop
from engine.svg.curves import Curve, between_edges, edge_to_point
from engine.svg.hexes import Point, depth, distance, toward

RADII: Final = {1: 26.0, 2: 26.0, 3: 24.5, 4: 23.5, 5: 20.5, 6: 19.0}
"""The radius of the circles of a city, by their number."""
RIM: Final = 6.5
"""The distance by which the outline of a city extends beyond its circles."""
DOT, BAR_LENGTH, BAR_WIDTH = 11.0, 34.0, 12.0
TRACK: Final = 10.0
CASING: Final = 3.5
_TRACK_REACH: Final = TRACK / 2 + CASING
_APART: Final = 3.0


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of a stop. ``kind``, ``index``: as in the end of a path. ``shape``: ``circles``, ``bar``, ``dot`` or
    ``area`` (an off-board area, which has boxes and arrows). ``circles``: the centres of its circles. ``curve``: the
    track that runs through it from its first to its second exit. ``share``: its position along the curve, from
    0 to 1."""

    kind: str
    index: int
    at: Point
    shape: str
    radius: float
    circles: tuple[Point, ...] = ()
    curve: Curve | None = None
    share: float = 0.5

    @property
    def discs(self) -> tuple[tuple[Point, float], ...]:
        """The discs that the stop covers, including its outline."""
        if self.shape == "circles":
            inner = ((self.at, self.radius * 0.6),) if len(self.circles) > 2 else ()
            return tuple((at, self.radius + RIM) for at in self.circles) + inner
        if self.shape == "dot":
            return ((self.at, self.radius + 4),)
        if self.shape == "bar":
            x, y = self.bar_axis
            return tuple(((self.at[0] + x * d, self.at[1] + y * d), 9.5) for d in (-11, 0, 11))
        return ()

    @property
    def bar_axis(self) -> Point:
        """The unit vector along the bar, at a right angle to the track."""
        if self.curve is None:
            return 1.0, 0.0
        x, y = self.curve.heading(self.share)
        return -y, x


def offsets(count: int) -> tuple[float, tuple[Point, ...]]:
    """The radius of ``count`` circles, and their centres relative to the centre of the city. Two circles lie side by
    side."""
    radius = RADII.get(count, 17.0)
    if count <= 1:
        return radius, ((0.0, 0.0),)
    if count == 2:
        return radius, ((-radius, 0.0), (radius, 0.0))
    if count == 4:
        return radius, tuple((x * radius, y * radius) for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1)))
    ring = {3: 1.155, 5: 1.70}.get(count, 2.0 if count == 6 else count / 3.0)
    return radius, tuple(toward(3 + 6 * i / count, ring * radius, True) for i in range(count))


@lru_cache(maxsize=8192)
def spots(face: Face, flat: bool) -> tuple[Spot, ...]:
    """The places of all stops of a face: cities, towns and off-board areas."""
    areas = tuple(Spot("o", i, (0.0, 0.0), "area", 0.0) for i in range(len(face.offboards)))
    stops = [("c", i, stop) for i, stop in enumerate(face.cities)] + [("t", i, s) for i, s in enumerate(face.towns)]
    choices = [tuple(_places(face, kind, i, stop, len(stops), flat)) for kind, i, stop in stops]
    if not choices:
        return areas
    best = min(product(*(range(len(c)) for c in choices)), key=lambda pick: _cost(face, choices, pick, flat))
    return (*(choice[i] for choice, i in zip(choices, best, strict=True)), *areas)


def _places(face: Face, kind: str, index: int, stop: Stop, stops: int, flat: bool) -> Iterable[Spot]:
    """The possible places of a stop, best first."""
    exits, joined = _ends_of(face, (kind, index))
    circles = kind == "c"
    radius, ring = offsets(max(1, stop.slots)) if circles else (DOT, ())

    def spot(at: Point, curve: Curve | None = None, share: float = 0.5) -> Spot:
        around = tuple((at[0] + x, at[1] + y) for x, y in ring)
        shape = "circles" if circles else "bar" if curve is not None else "dot"
        return Spot(kind, index, at, shape, radius, around, curve, share)

    middle = (0.0, 0.0)
    if not circles and len(exits) == 2 and not joined:
        track = between_edges(exits[0], exits[1], flat)
        return [spot(track.at(share), track, share) for share in (0.5, 0.38, 0.62, 0.3, 0.7)]
    if stops == 1:
        return [spot(middle)]
    if not exits:
        return [spot(at) for at in _at_rest(face, kind, index, stops, flat)]
    if joined and kind == "t":
        return [spot(toward(exits[0], 60, flat))]
    if joined:
        return [spot(middle)]
    if len(exits) > 2:
        return [spot(middle), *(spot(toward(e / 2, far, flat)) for far in (24, 36, 44) for e in range(12))]
    if len(exits) == 1:
        return [spot(toward(exits[0] + turn, far, flat)) for far, turn in ((45, 0), (40, 0.5), (40, -0.5), (0, 0))]
    straight = (exits[0] - exits[1]) % 6 == 3
    beside = (spot(toward(e + 0.5, 54, flat)) for e in range(6)) if circles and stops > 2 and straight else ()
    return [*_on_the_way(exits, spot, flat, stop.slots), *beside]


def _on_the_way(exits: list[int], spot: object, flat: bool, slots: int) -> list[Spot]:
    """The possible places of a city with two exits that is not alone in its hex."""
    assert callable(spot)
    first, second = exits
    apart = (second - first) % 6
    if apart in (1, 5):
        between = first + 0.5 if apart == 1 else second + 0.5
        if slots < 2:
            return [spot(toward(between, far, flat)) for far in (50, 58)]
        turns = (0.0, 0.5, -0.5, 0.25, -0.25)
        return [spot(toward(between + turn, far, flat)) for far in (50, 43, 30) for turn in turns]
    track = between_edges(first, second, flat)
    return [spot(track.at(share), track, share) for share in (0.5, 0.24, 0.76, 0.3, 0.7)]


def _at_rest(face: Face, kind: str, index: int, stops: int, flat: bool) -> list[Point]:
    """The possible places of a stop without track beside other stops: two lie side by side, more around the centre."""
    place = index if kind == "c" else index + len(face.cities)
    if stops == 2:
        far = 44.0
        return [((far if place else -far), 0.0)]
    return [toward(place * 6 / stops + turn, 48, flat) for turn in range(6)]


def _ends_of(face: Face, node: End) -> tuple[list[int], bool]:
    """The exits of a stop in the order of its track, and True if track joins it to another stop of the hex."""
    exits, joined = [], False
    for path in face.paths:
        if node in path:
            other = path[1] if path[0] == node else path[0]
            if other[0] == "e":
                exits.append(other[1])
            else:
                joined = True
    return exits, joined


def _cost(face: Face, choices: list[tuple[Spot, ...]], pick: tuple[int, ...], flat: bool) -> float:
    found = [choice[i] for choice, i in zip(choices, pick, strict=True)]
    cost = float(sum(pick))
    for n, one in enumerate(found):
        if len(one.circles) > 1:
            cost += sum(100 * max(0.0, r - depth(a, flat)) for a, r in one.discs)
        for other in found[n + 1 :]:
            for a, r in one.discs:
                cost += sum(100 * max(0.0, r + s + _APART - distance(a, b)) for b, s in other.discs)
        for path in face.paths:
            if (one.kind, one.index) not in path:
                for point in curve_of(path, found, flat).points(10):
                    near = max((r + _TRACK_REACH - distance(a, point) for a, r in one.discs), default=0)
                    cost += 10 * max(0.0, near)
    return cost


def curve_of(path: tuple[End, End], places: Iterable[Spot], flat: bool) -> Curve:
    """The track of a path, from its first end to its second."""
    at = {(spot.kind, spot.index): spot for spot in places}
    (kind, a), (other, b) = path
    if kind == "e" and other == "e":
        return between_edges(a, b, flat)
    if kind != "e" and other != "e":
        return Curve(at[kind, a].at, at[other, b].at)
    edge, spot = (a, at[other, b]) if kind == "e" else (b, at[kind, a])
    curve = _to_spot(edge, spot, flat)
    return curve if kind == "e" else curve.back()


def _to_spot(edge: int, spot: Spot, flat: bool) -> Curve:
    if spot.curve is None:
        return edge_to_point(edge, spot.at, flat)
    start = toward(edge, 3**0.5 / 2 * 100, flat)
    if distance(spot.curve.start, start) < 1:
        return spot.curve.part(0, spot.share)
    return spot.curve.part(spot.share, 1).back()
