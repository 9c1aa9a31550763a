"""Legal lays as a sheet of small pictures: each tile in each turn as it would lie, with its number, its turn and the
sides that it joins beneath."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.board.map import Face
from engine.core.ids import TileId
from engine.core.state import State
from engine.core.title import Title
from engine.svg.colors import CHANGED, FILLS
from engine.svg.dark import INK, PAPER
from engine.svg.elements import Svg, number, picture, text
from engine.svg.hexes import INRADIUS, SIDE, Point, corners, edge_line
from engine.svg.labels import SHORT_ARROW, Wanted, arrows, labels
from engine.svg.lettering import labels_svg
from engine.svg.letters import ems
from engine.svg.stations import stations_svg
from engine.svg.track import BLACK, WHITE, arrow_svg, track_svg, tunnels_svg

ACROSS: Final = 6
"""The number of pictures side by side."""
EDGE: Final = 14.0
_GAP: Final = 16.0
"""The space between two pictures."""
HEAD: Final = 50.0
"""The height of the line that names a group."""
LINE: Final = 40.0
"""The height of a line beneath a picture."""
_SIZES: Final = (38.0, 36.0)
"""Font sizes of the two lines beneath a picture, if they are not too long for it."""
_RIM: Final = 11.0
"""The width of the mark of a new side."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A tile in a turn. ``sides``: the sides that it joins, or what else it adds, in short. ``new``: the edges that it
    joins as nothing joined them before."""

    tile: TileId
    turn: int
    sides: str = ""
    new: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class LayGroup:
    """Pictures that belong together. ``head``: what stands above them, the shortest form last."""

    head: tuple[str, ...]
    lays: tuple[Lying, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A picture in its place. ``at``: the centre of its hex. ``texts``: the lines beneath: text, centre, font size."""

    lying: Lying
    at: Point
    texts: tuple[tuple[str, Point, float], ...]


@dataclass(frozen=True, slots=True)
class Head:
    """The line above the pictures of a group in one row. ``at``: its left end, at half its height. ``room``: the width
    of the pictures below it."""

    text: str
    at: Point
    room: float


def lays_svg(
    title: Title, state: State, groups: Sequence[LayGroup], *, size: float | None = None, across: int = ACROSS,
    plain: bool = False, dark: bool = False,
) -> Svg:  # fmt: skip
    """A sheet of the lays in ``groups``, in their order, ``across`` in a row. New sides have a mark. ``size``: the
    width in pixels. ``plain``: leave out values and letters. ``dark``: for a dark
    screen."""
    flat, column = title.map.flat, title.phase(state).revenue_color
    fills = {**FILLS, **title.drawing.colors}
    ink, paper = (INK, PAPER) if dark else (BLACK, WHITE)
    heads, cells, height = places(groups, flat, across)
    found = [rule_svg(head) + head_svg(head, ink) for head in heads]
    for cell in cells:
        face = title.map.tiles[cell.lying.tile].face.turned(cell.lying.turn)
        found.append(lay_svg(cell, face, flat, fills.get(face.color, FILLS["white"]), "" if plain else column, ink))
    box = (0.0, 0.0, 2 * EDGE + across * step_of(flat), height)
    return picture("".join(found), box, size, f"{title.full_name}: {state.round}", paper)


def places(
    groups: Iterable[LayGroup], flat: bool, across: int = ACROSS
) -> tuple[tuple[Head, ...], tuple[Cell, ...], float]:
    """The heads and pictures of a sheet in their places, and its height. A group follows the one before in the same
    row if all of it has room there; a longer one continues in the next row under the same head."""
    step, high = step_of(flat), INRADIUS if flat else SIDE
    heads, cells = list[Head](), list[Cell]()
    column, top = 0, EDGE
    row = HEAD + 2 * high + 2 * LINE + 18
    for group in groups:
        if column and column + min(len(group.lays), across) > across:
            column, top = 0, top + row
        for some in _rows(group.lays, across):
            if column + len(some) > across:
                column, top = 0, top + row
            left = EDGE + column * step
            room = len(some) * step - _GAP
            heads.append(Head(_fitting(group.head, room), (left + _GAP / 2, top + HEAD / 2), room))
            for n, lying in enumerate(some):
                at = (left + (n + 0.5) * step, top + HEAD + high)
                cells.append(Cell(lying, at, _texts(lying, at, high, step - 6)))
            column += len(some)
    return tuple(heads), tuple(cells), top + row + EDGE - 10


def _rows(lays: Sequence[Lying], most: int) -> Iterator[Sequence[Lying]]:
    for start in range(0, len(lays), most):
        yield lays[start : start + most]


def step_of(flat: bool) -> float:
    """The width of a picture with the space beside it."""
    return 2 * (SIDE if flat else INRADIUS) + _GAP


def _fitting(forms: Sequence[str], room: float) -> str:
    """The first form that fits into ``room``; the last one if none does."""
    return next((form for form in forms if ems(form) * _SIZES[0] <= room), forms[-1])


def _texts(lying: Lying, at: Point, high: float, room: float) -> tuple[tuple[str, Point, float], ...]:
    lines = (f"{lying.tile} ({lying.turn})", lying.sides)
    return tuple(
        (line, (at[0], at[1] + high + 6 + LINE * (n + 0.5)), min(size, room / max(0.1, ems(line))))
        for n, (line, size) in enumerate(zip(lines, _SIZES, strict=True))
        if line
    )


def rule_svg(head: Head) -> str:
    """A line above the pictures of a group."""
    x, y = head.at[0], head.at[1] - HEAD / 2 + 2
    return f'<path d="M{number(x)} {number(y)}h{number(head.room)}" stroke="#8a8a8a" stroke-width="3"/>'


def head_svg(head: Head, ink: str) -> str:
    size = min(_SIZES[0], head.room / max(0.1, ems(head.text)))
    return text(*head.at, size, head.text, f' text-anchor="start" font-weight="700" fill="{ink}"')


def lay_svg(cell: Cell, face: Face, flat: bool, fill: str, column: str, ink: str) -> str:
    """A tile with the words beneath. ``column``: the column of values that counts; no values and letters if empty."""
    wanted = Wanted(face, flat)
    tip = labels(wanted).tip or SHORT_ARROW
    points = " ".join(f"{number(a)},{number(b)}" for a, b in corners(flat))
    shape = f'<polygon points="{points}" fill="{fill}" stroke="#333333" stroke-width="2"/>'
    track = tunnels_svg(face, flat) + track_svg(face, flat)
    track += "".join(arrow_svg(edge, tip, flat) for edge in arrows(face))
    signs = f'<g font-weight="700">{labels_svg(wanted, fill, column)}</g>' if column else ""
    marks = "".join(_mark(edge, flat) for edge in sorted(cell.lying.new))
    words = "".join(
        text(*at, size, line, f' font-weight="{700 if n == 0 else 400}" fill="{ink}"')
        for n, (line, at, size) in enumerate(cell.texts)
    )
    hex = f"{shape}{track}{stations_svg(face, flat)}{signs}{marks}"
    return f'<g transform="translate({number(cell.at[0])} {number(cell.at[1])})">{hex}</g>{words}'


def _mark(edge: int, flat: bool) -> str:
    """A band along a new side, interrupted where its track leaves."""
    (a, b), (c, d) = edge_line(edge, flat)

    def part(begin: float, end: float) -> str:
        start, stop = ((a + (c - a) * s, b + (d - b) * s) for s in (begin, end))
        return f"M{number(start[0])} {number(start[1])}L{number(stop[0])} {number(stop[1])}"

    data = part(0.08, 0.38) + part(0.62, 0.92)
    return f'<path d="{data}" stroke="{CHANGED}" stroke-width="{number(_RIM)}"/>'
