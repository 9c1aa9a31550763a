"""Stops as SVG: the circles of cities and their contents, towns as bars or dots, passes, and mountains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from engine.board.map import Face
from engine.core.data import CompanyData
from engine.core.ids import CompanyId
from engine.svg.colors import badge_colors
from engine.svg.elements import number, text
from engine.svg.hexes import Point
from engine.svg.labels import MOUNTAIN, is_mountain, pass_radius, triangle
from engine.svg.letters import broken, fitting
from engine.svg.stops import BAR_LENGTH, BAR_WIDTH, Spot, spots
from engine.svg.track import BLACK, WHITE
from engine.svg.view import Holder

INSET: Final = 2.0
"""The difference between the radius of a circle and that of a marker in it."""
_MOST: Final = 22.0
"""The largest font size in a marker."""
_LEAST: Final = 9.5
_NOBODY: Final = "#555555"
_BOLD: Final = ' font-weight="700"'


@lru_cache(maxsize=8192)
def stations_svg(face: Face, flat: bool) -> str:
    """Every stop of a face, with empty circles."""
    found = [_mountain()] if is_mountain(face) else []
    for spot in spots(face, flat):
        if spot.shape == "circles":
            found.append(
                (_pass(spot.at, len(spot.circles)) if face.cities[spot.index].kind == "pass" else "") + _city(spot)
            )
        elif spot.shape == "dot":
            x, y, r = number(spot.at[0]), number(spot.at[1]), number(spot.radius)
            found.append(f'<circle cx="{x}" cy="{y}" r="{r}" fill="{BLACK}" stroke="{WHITE}" stroke-width="3"/>')
        elif spot.shape == "bar":
            found.append(_bar(spot))
    return "".join(found)


def _city(spot: Spot) -> str:
    """A city: an outline around all its circles, then the circles."""
    r = spot.radius
    if len(spot.circles) == 1:
        return outline_svg(spot, 6.5, WHITE) + outline_svg(spot, 3.5, BLACK) + outline_svg(spot, 0, WHITE)
    circles = "".join(
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r - 0.7)}" fill="{WHITE}" stroke="{BLACK}"'
        ' stroke-width="1.4"/>'
        for x, y in spot.circles
    )
    return outline_svg(spot, 6.5, WHITE) + outline_svg(spot, 3.5, BLACK) + outline_svg(spot, 0, WHITE) + circles


def outline_svg(spot: Spot, more: float, color: str) -> str:
    """The area of a stop, widened by ``more`` on every side."""
    if spot.shape != "circles" or len(spot.circles) == 1:
        x, y = number(spot.at[0]), number(spot.at[1])
        return f'<circle cx="{x}" cy="{y}" r="{number(max(spot.radius, BAR_LENGTH / 2) + more)}" fill="{color}"/>'
    data = "".join(f"{'ML'[i > 0]}{number(x)} {number(y)}" for i, (x, y) in enumerate(_ring(spot.circles)))
    wide = number(2 * (spot.radius + more))
    return f'<path d="{data}Z" fill="{color}" stroke="{color}" stroke-width="{wide}" stroke-linejoin="round"/>'


def _ring(circles: Sequence[Point]) -> Sequence[Point]:
    """The centres of the circles in an order that goes around the city."""
    if len(circles) == 4:
        a, b, c, d = circles
        return (a, b, d, c)
    return circles


def _bar(spot: Spot) -> str:
    (x, y), (ax, ay) = spot.at, spot.bar_axis

    def line(half: float, wide: float, color: str) -> str:
        data = f"M{number(x - ax * half)} {number(y - ay * half)}L{number(x + ax * half)} {number(y + ay * half)}"
        return f'<path d="{data}" stroke="{color}" stroke-width="{number(wide)}"/>'

    half = BAR_LENGTH / 2
    return line(half + 3.5, BAR_WIDTH + 7, WHITE) + line(half, BAR_WIDTH, BLACK)


def _triangle(at: Point, radius: float, fill: str) -> str:
    points = " ".join(f"{number(at[0] + x)},{number(at[1] + y)}" for x, y in triangle(radius))
    return f'<polygon points="{points}" fill="{fill}" stroke="{WHITE}" stroke-width="3"/>'


def _pass(at: Point, circles: int) -> str:
    return _triangle(at, pass_radius(circles), "#8d8f94")


def _mountain() -> str:
    return (
        _triangle((0, 4), MOUNTAIN, "#6d4a2f") + f'<path d="M-6.5 -9L0 -19L6.5 -9L2 -11L0 -8L-3 -11Z" fill="{WHITE}"/>'
    )


def holders_svg(
    spot: Spot,
    holders: Sequence[Holder],
    companies: Callable[[CompanyId], CompanyData | None],
    new: Sequence[CompanyId],
) -> str:
    """The contents of the circles of a city, in order; if there are more than circles, the last ones overlap. ``new``:
    companies whose markers have a ring, because they are new. A marker whose name is not that of a company is grey."""
    found = []
    for i, (kind, name) in enumerate(holders):
        company = companies(name)
        at = circle_of(spot, i)
        x, y, r = number(at[0]), number(at[1]), spot.radius - INSET
        if kind == "marker" and company is not None:
            ring = (
                f'<circle cx="{x}" cy="{y}" r="{number(spot.radius + 4)}" fill="none" stroke="#c2185b"'
                ' stroke-width="4" stroke-dasharray="9 4"/>'
                if name in new
                else ""
            )
            found.append(f'<g transform="translate({x} {y})">{badge(company, name, r)}</g>{ring}')
        elif kind == "marker":
            found.append(f'<g transform="translate({x} {y})">{_badge(name, r, _NOBODY, WHITE)}</g>')
        else:
            rim = (
                f'<circle cx="{x}" cy="{y}" r="{number(r - 2)}" fill="none" stroke="#777777" stroke-width="2"'
                ' stroke-dasharray="5 4"/>'
                if kind == "claim"
                else ""
            )
            found.append(f'{rim}<g transform="translate({x} {y})">{_code(name, r - 2, "#555555", "")}</g>')
    return "".join(found)


def circle_of(spot: Spot, place: int) -> Point:
    """The centre of the circle for holder number ``place``. Those beyond the last circle are shifted to the right of
    it."""
    if place < len(spot.circles):
        return spot.circles[place]
    x, y = spot.circles[-1]
    return x + 6.0 * (place - len(spot.circles) + 1), y


def badge(company: CompanyData, name: str, radius: float) -> str:
    """A company's marker, centred at the origin: its colour, and its name in legible letters."""
    return _badge(name, radius, *badge_colors(company))


@lru_cache(maxsize=4096)
def _badge(name: str, radius: float, ground: str, letters: str) -> str:
    circle = f'<circle r="{number(radius)}" fill="{ground}" stroke="{BLACK}" stroke-width="1"/>'
    return circle + _code(name, radius, letters, _BOLD)


def _code(name: str, radius: float, color: str, weight: str) -> str:
    """A name in a circle, on one line or two."""
    fill, (lines, size) = f' fill="{color}"{weight}', badge_lines(name, radius)
    if len(lines) == 1:
        return text(0, 0, size, name, fill)
    return text(0, -0.52 * size, size, lines[0], fill) + text(0, 0.52 * size, size, lines[-1], fill)


def badge_lines(name: str, radius: float) -> tuple[tuple[str, ...], float]:
    """The lines of a name in a circle and their font size: one line, or two if one would be too small."""
    size = fitting(name, 1.72 * radius, min(_MOST, radius * 0.92))
    if size >= min(_LEAST, radius * 0.4):
        return (name,), size
    half = -(-len(name) // 2)
    lines = broken(name, 2) if " " in name else (name[:half], name[half:])
    return lines, min(fitting(line, 1.5 * radius, radius * 0.62) for line in lines)
