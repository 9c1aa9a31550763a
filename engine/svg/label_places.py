"""Places for the labels of one hex. No label overlaps another label, a stop or the edge of the hex. Some labels may lie
on track, on a plate of the tile's colour. A label for which there is no place is left out, if it may be.

The obstacles are exact shapes: discs and boxes. Each label has a list of places, best first, and takes the first that
is free. Labels that are placed later give way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, cos, radians, sin, sqrt
from typing import Final

from engine.svg.hexes import Point, box_depth, box_reaches, depth

MARGIN: Final = 3.0
"""The least distance of a label from the edges of its hex."""
GAP: Final = 1.5
"""The least distance of a label from other labels and from stops."""
_SOFT: Final = 9.0
"""Half the width of track, including its casing."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label in its place. ``kind``: the kind of information. ``at``: its centre. It is a disc if it has a ``radius``,
    otherwise a box. ``plate``: it lies on track and needs a plate."""

    kind: str
    lines: tuple[str, ...]
    size: float
    at: Point
    width: float
    height: float
    radius: float = 0.0
    plate: bool = False

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        (x, y), w, h = self.at, self.width / 2, self.height / 2
        return x - w, y - h, x + w, y + h


class Room:
    """The free space of one hex. Each label takes some of it."""

    __slots__ = ("_boxes", "_discs", "flat", "soft")

    def __init__(self, flat: bool, discs: Iterable[tuple[Point, float]], soft: Iterable[Point]) -> None:
        self.flat = flat
        self._discs = [(x, y, r) for (x, y), r in discs]
        self._boxes: list[tuple[float, float, float, float]] = []
        self.soft = list(soft)

    def take(self, label: Label) -> None:
        """Mark the place of ``label`` as taken."""
        if label.radius:
            self._discs.append((*label.at, label.radius))
        else:
            self._boxes.append((*label.at, label.width / 2, label.height / 2))

    def free(self, label: Label) -> bool:
        """True if nothing except track lies in the place of ``label``."""
        (x, y), radius = label.at, label.radius
        if radius:
            if depth(label.at, self.flat) < radius + MARGIN:
                return False
            for a, b, r in self._discs:
                if (a - x) ** 2 + (b - y) ** 2 < (r + radius + GAP) ** 2:
                    return False
            return all(not _meet(a, b, w, h, x, y, radius + GAP) for a, b, w, h in self._boxes)
        return self.free_box(x, y, label.width / 2, label.height / 2)

    def free_box(self, x: float, y: float, w: float, h: float) -> bool:
        """True if nothing except track lies in the box centred at ``x``, ``y``. ``w``, ``h``: half its width and
        height."""
        if box_depth(x, y, w, h, self.flat) < MARGIN:
            return False
        for a, b, r in self._discs:
            reach = r + GAP
            dx, dy = abs(a - x) - w, abs(b - y) - h
            if dx < reach and dy < reach and (dx <= 0 or dy <= 0 or dx * dx + dy * dy < reach * reach):
                return False
        return all(abs(a - x) >= w + u + GAP or abs(b - y) >= h + v + GAP for a, b, u, v in self._boxes)

    def free_rows(self, w: float, h: float, *, off_track: bool) -> Iterator[Point]:
        """Yield the places of ``row_points()`` at which a box is free, in their order. ``off_track``: the box must be
        free of track too. ``w``, ``h``: half its width and height."""
        discs = [(a, b, r + GAP) for a, b, r in self._discs]
        if off_track:
            discs += [(a, b, _SOFT) for a, b in self.soft]
        lines = rows()
        for y, most in zip(lines, box_reaches(lines, w, h, self.flat, MARGIN), strict=True):
            if most < 0:
                continue
            taken = [(a, _chord(abs(b - y) - h, r) + w) for a, b, r in discs if y - h - r < b < y + h + r]
            taken += [(a, w + u + GAP) for a, b, u, v in self._boxes if abs(b - y) < h + v + GAP]
            for x in _ASIDES:
                if -most <= x <= most:
                    for a, reach in taken:
                        if abs(a - x) < reach:
                            break
                    else:
                        yield x, y

    def on_track(self, label: Label, most: int) -> int:
        """The number of track points beneath the label, counted up to ``most``."""
        (x, y), w, h, found = label.at, label.width / 2, label.height / 2, 0
        if label.radius:
            w = h = 0.0
        reach = label.radius + _SOFT
        for a, b in self.soft:
            if _meet(x, y, w, h, a, b, reach):
                found += 1
                if found >= most:
                    break
        return found

    def place(self, tries: Iterable[Label], patience: int = 10_000, smaller: float = 0.0) -> Label | None:
        """Take the first of ``tries`` that is free even of track, or else the free one with the least track beneath it,
        and return it; None if none is free. The search stops when more than ``patience`` free places have been
        compared. ``smaller``: the amount of track that counts as much as one unit of size by which a label is smaller
        than the first."""
        best, least, plate, largest, seen = None, 1e9, False, 0.0, 0
        for label in tries:
            largest = largest or label.size
            shrunk = (largest - label.size) * smaller
            if shrunk < least and self.free(label):
                beneath = self.on_track(label, ceil(least - shrunk))
                if beneath + shrunk < least:
                    best, least, plate = label, beneath + shrunk, beneath > 0
                seen += 1
                if not least or seen > patience:
                    break
        if best is not None:
            self.take(best)
            if plate:
                return Label(best.kind, best.lines, best.size, best.at, best.width, best.height, best.radius, True)
        return best


def _meet(x: float, y: float, w: float, h: float, a: float, b: float, r: float) -> bool:
    """True if the box centred at ``x``, ``y`` and the disc centred at ``a``, ``b`` overlap."""
    dx, dy = abs(a - x) - w, abs(b - y) - h
    if dx >= r or dy >= r:
        return False
    if dx <= 0 or dy <= 0:
        return True
    return dx * dx + dy * dy < r * r


@lru_cache(maxsize=64)
def round_about(first: float, radii: tuple[float, ...]) -> tuple[Point, ...]:
    """Points on circles around the centre, in the order of ``radii``. On each circle there is a point every 15 degrees,
    starting at the angle ``first`` (clockwise from the top) and alternating between both sides."""
    turns = [turn for step in range(13) for turn in ((step * 15, -step * 15) if 0 < step < 12 else (step * 15,))]
    found = []
    for radius in radii:
        for turn in turns:
            angle = radians(first + turn)
            found.append((radius * sin(angle), -radius * cos(angle)))
    return tuple(found)


@lru_cache(maxsize=64)
def spokes(first: float, radii: tuple[float, ...]) -> tuple[Point, ...]:
    """The points of ``round_about`` sorted by direction: all points of one direction come before those of the next."""
    found = round_about(first, radii)
    turns = len(found) // len(radii)
    return tuple(found[turn + turns * i] for turn in range(turns) for i in range(len(radii)))


def _chord(aside: float, radius: float) -> float:
    """Half the length of the part of a line that lies in a disc; the line passes the centre at the distance ``aside``.
    0 if it passes outside; the radius if ``aside`` is negative."""
    if aside >= radius:
        return 0.0
    return radius if aside <= 0 else sqrt(radius * radius - aside * aside)


_ASIDES: Final = (0.0, 8.0, -8.0, 16.0, -16.0, 26.0, -26.0, 36.0, -36.0, 48.0, -48.0)


@lru_cache(maxsize=1)
def rows() -> tuple[float, ...]:
    """The heights of rows for a name, those 48 from the centre first and the lower half before the upper."""
    return tuple(map(float, sorted(range(-72, 73, 6), key=lambda y: (abs(abs(y) - 48), y < 0))))


def row_points() -> tuple[Point, ...]:
    """The places in those rows; in each row from the middle outward."""
    return tuple((x, y) for y in rows() for x in _ASIDES)


def discs(kind: str, line: str, size: float, radius: float, places: Iterable[Point]) -> Iterator[Label]:
    """Yield a round label at each of the places."""
    for at in places:
        yield Label(kind, (line,), size, at, 2 * radius, 2 * radius, radius)


def boxes(
    kind: str, lines: tuple[str, ...], size: float, wide: float, high: float, places: Iterable[Point]
) -> Iterator[Label]:
    """Yield a label with a box at each of the places."""
    for at in places:
        yield Label(kind, lines, size, at, wide, high)
