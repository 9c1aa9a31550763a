"""The geometry of flat and pointed hexes. The side of a hex is 100, ``y`` points down, and the centre is the origin.

Edges are numbered as in the facts of every title: edge 0 is the lower edge of a flat hex and the lower left edge of a
pointed hex; the others follow clockwise. Half numbers are corners: 0.5 lies between the edges 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import cos, hypot, radians, sin
from typing import Final, TypeAlias

Point: TypeAlias = tuple[float, float]

SIDE: Final = 100.0
INRADIUS: Final = SIDE * 3**0.5 / 2
"""The distance from the centre of a hex to the middle of an edge."""


STEPS: Final = {
    True: ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    False: ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}
"""The doubled coordinates of the neighbours of a flat (True) or pointed hex, edge by edge, from those of the hex."""


@lru_cache(maxsize=64)
def direction(edge: float, flat: bool) -> Point:
    """The unit vector from the centre of a hex toward an edge or a corner."""
    angle = radians(60 * edge + (0 if flat else 30))
    return -sin(angle), cos(angle)


def toward(edge: float, distance: float, flat: bool) -> Point:
    """The point at ``distance`` from the centre toward an edge or a corner."""
    x, y = direction(edge, flat)
    return x * distance, y * distance


def edge_middle(edge: int, flat: bool) -> Point:
    return toward(edge, INRADIUS, flat)


@lru_cache(maxsize=8)
def corners(flat: bool, radius: float = SIDE) -> tuple[Point, ...]:
    """The corners at ``radius`` from the centre. Edge ``e`` goes from corner ``e - 1`` to corner ``e``."""
    return tuple(toward(edge + 0.5, radius, flat) for edge in range(6))


def edge_line(edge: int, flat: bool) -> tuple[Point, Point]:
    """The two ends of an edge."""
    found = corners(flat)
    return found[edge - 1], found[edge]


def centre(x: int, y: int, flat: bool) -> Point:
    """The centre of the hex with the doubled coordinates ``x``, ``y``."""
    return (1.5 * SIDE * x, INRADIUS * y) if flat else (INRADIUS * x, 1.5 * SIDE * y)


@lru_cache(maxsize=2)
def _normals(flat: bool) -> tuple[Point, ...]:
    return tuple(direction(edge, flat) for edge in range(3))


def depth(point: Point, flat: bool) -> float:
    """The distance from a point to the nearest edge of the hex; negative outside."""
    x, y = point
    return INRADIUS - max(abs(x * nx + y * ny) for nx, ny in _normals(flat))


def box_depth(x: float, y: float, half_width: float, half_height: float, flat: bool) -> float:
    """The distance from a box centred at ``x``, ``y`` to the nearest edge of the hex; negative if part of it lies
    outside."""
    (a, b), (c, d), (e, f) = _normals(flat)
    return INRADIUS - max(
        abs(x * a + y * b) + half_width * abs(a) + half_height * abs(b),
        abs(x * c + y * d) + half_width * abs(c) + half_height * abs(d),
        abs(x * e + y * f) + half_width * abs(e) + half_height * abs(f),
    )


def box_reaches(rows: Iterable[float], half_width: float, half_height: float, flat: bool, margin: float) -> list[float]:
    """For each ``y`` of ``rows``, the largest distance of a box from the middle of the row at which it still keeps
    ``margin`` from the edges of the hex; negative if no such box fits."""
    sides = [
        (INRADIUS - margin - half_width * abs(a) - half_height * abs(b), abs(a), abs(b)) for a, b in _normals(flat)
    ]
    upright = [(room / a, b / a) for room, a, b in sides if a > 1e-9]
    level = [(room, b) for room, a, b in sides if a <= 1e-9]
    found = []
    for y in map(abs, rows):
        fits = all(y * b <= room for room, b in level)
        found.append(min(room - y * b for room, b in upright) if fits else -1.0)
    return found


def distance(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])
