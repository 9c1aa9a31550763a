"""Straight lines and circular arcs, the two shapes of track."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, ceil, cos, hypot, pi, sin

from engine.svg.elements import number
from engine.svg.hexes import INRADIUS, SIDE, Point, direction, distance, edge_middle, toward

_STRAIGHT_ENOUGH = 3.0
"""The sideways distance of an end point below which an arc is drawn as a straight line."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A line from ``start`` to ``end``, or an arc if there is a ``centre``. ``angle``: the angle at which the arc
    starts. ``sweep``: the angle by which it turns, clockwise if positive. Angles are in radians."""

    start: Point
    end: Point
    centre: Point | None = None
    radius: float = 0.0
    angle: float = 0.0
    sweep: float = 0.0

    @property
    def length(self) -> float:
        return distance(self.start, self.end) if self.centre is None else abs(self.sweep) * self.radius

    def at(self, share: float) -> Point:
        """The point after ``share`` of the way, from 0 to 1."""
        if self.centre is None:
            (x, y), (u, v) = self.start, self.end
            return x + (u - x) * share, y + (v - y) * share
        angle = self.angle + self.sweep * share
        return self.centre[0] + self.radius * cos(angle), self.centre[1] + self.radius * sin(angle)

    def heading(self, share: float) -> Point:
        """The direction after ``share`` of the way, as a unit vector."""
        if self.centre is None:
            long = distance(self.start, self.end) or 1.0
            return (self.end[0] - self.start[0]) / long, (self.end[1] - self.start[1]) / long
        angle = self.angle + self.sweep * share
        side = 1 if self.sweep > 0 else -1
        return -sin(angle) * side, cos(angle) * side

    def part(self, begin: float, end: float) -> Curve:
        """The curve between two shares of the way."""
        if self.centre is None:
            return Curve(self.at(begin), self.at(end))
        sweep = self.sweep * (end - begin)
        return Curve(self.at(begin), self.at(end), self.centre, self.radius, self.angle + self.sweep * begin, sweep)

    def back(self) -> Curve:
        """The same curve from its end to its start."""
        if self.centre is None:
            return Curve(self.end, self.start)
        return Curve(self.end, self.start, self.centre, self.radius, self.angle + self.sweep, -self.sweep)

    def points(self, step: float) -> tuple[Point, ...]:
        """Points along the way, including both ends, at most ``step`` apart."""
        count = max(1, ceil(self.length / step))
        return tuple(self.at(i / count) for i in range(count + 1))

    def path(self) -> str:
        """The curve as data for an SVG path."""
        begin = f"M{number(self.start[0])} {number(self.start[1])}"
        end = f"{number(self.end[0])} {number(self.end[1])}"
        if self.centre is None:
            return f"{begin}L{end}"
        radius = number(self.radius)
        return f"{begin}A{radius} {radius} 0 {int(abs(self.sweep) > pi)} {int(self.sweep > 0)} {end}"


def arc(centre: Point, start: Point, end: Point) -> Curve:
    """The shorter arc from ``start`` to ``end`` around ``centre``."""
    angle = atan2(start[1] - centre[1], start[0] - centre[0])
    sweep = atan2(end[1] - centre[1], end[0] - centre[0]) - angle
    sweep = (sweep + pi) % (2 * pi) - pi
    return Curve(start, end, centre, distance(centre, start), angle, sweep)


def between_edges(a: int, b: int, flat: bool) -> Curve:
    """Track from edge to edge: a sharp curve between neighbouring edges, a gentle curve between edges two apart, a
    straight line between opposite edges."""
    start, end, apart = edge_middle(a, flat), edge_middle(b, flat), (b - a) % 6
    if apart == 3:
        return Curve(start, end)
    first = a if apart < 3 else b
    if apart in (1, 5):
        return arc(toward(first + 0.5, SIDE, flat), start, end)
    return arc(toward(first + 1, 2 * INRADIUS, flat), start, end)


def edge_to_point(edge: int, point: Point, flat: bool) -> Curve:
    """Track from an edge to a point in the hex. It leaves the edge at a right angle."""
    start, (nx, ny) = edge_middle(edge, flat), direction(edge, flat)
    x, y = point[0] - start[0], point[1] - start[1]
    lateral = -x * ny + y * nx
    if abs(lateral) < _STRAIGHT_ENOUGH:
        return Curve(start, point)
    radius = hypot(x, y) ** 2 / (2 * lateral)
    return arc((start[0] - ny * radius, start[1] + nx * radius), start, point)
