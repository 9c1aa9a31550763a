"""The pieces of a picture, and the picture that they make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from engine.svg.elements import FONTS
from engine.svg.hexes import Point

Pixels = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shape:
    """The outline of a hexagonal piece. ``across``, ``down``: the pixels of one step of the doubled coordinates."""

    flat: bool
    across: int
    down: int

    @property
    def reach(self) -> Pixels:
        """The pixels from the centre of the hex to the left or right end of its piece, and to its upper or lower
        end."""
        return (ceil(self.across * 2 / 3), self.down) if self.flat else (self.across, ceil(self.down * 2 / 3))

    @property
    def size(self) -> Pixels:
        """The width and height of the piece."""
        return 2 * self.reach[0], 2 * self.reach[1]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a picture that is drawn by itself. ``size``: its width and height in pixels. ``content``: its elements.
    ``box``: the left, top, width and height that it shows, in their unit. ``shape``: None for a rectangle; a hexagon
    has only the pixels nearer to its centre than to that of another hex."""

    size: Pixels
    content: str
    box: str
    shape: Shape | None = None

    @property
    def svg(self) -> str:
        """The complete file. It fills its pixels, even where that makes it a little wider or higher."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{self.box}" width="{self.size[0]}"'
            f' height="{self.size[1]}" preserveAspectRatio="none" font-family="{FONTS}" text-anchor="middle">'
            f"{self.content}</svg>"
        )


@dataclass(frozen=True, slots=True)
class Mosaic:
    """A picture in pieces. ``size``: its width and height in pixels. ``background``: the colour of the paper. ``inks``:
    every colour that its pieces name, the most frequent first. ``pieces``: the left and top pixel of each piece. They
    do not overlap."""

    size: Pixels
    background: str
    inks: tuple[str, ...]
    pieces: tuple[tuple[Pixels, Piece], ...]


def around(
    at: Point, room: tuple[float, float, float, float], scale: float, content: str, paper: str
) -> tuple[Pixels, Piece]:
    """A rectangular piece with its place. ``at``: the origin of its content in the picture, in pixels; it is rounded.
    ``room``: how far it reaches from there to the left, up, right and down, in units. ``scale``: the pixels of a unit.
    """
    left, up, right, down = (ceil(reach * scale) for reach in room)
    size = (left + right, up + down)
    x, y = round(at[0]), round(at[1])
    box = _box(-left / scale, -up / scale, size[0] / scale, size[1] / scale)
    ground = f'<rect x="-9999" y="-9999" width="19998" height="19998" fill="{paper}"/>'
    return (x - left, y - up), Piece(size, ground + content, box)


def _box(*lengths: float) -> str:
    return " ".join(f"{length:.6g}" for length in lengths)


def hexagon(shape: Shape, scale: Point, content: str) -> Piece:
    """The piece of a hex. Its origin is the centre of the hex and of the piece."""
    return Piece(shape.size, content, _frame(shape, scale), shape)


@lru_cache(maxsize=256)
def _frame(shape: Shape, scale: Point) -> str:
    width, height = shape.reach
    return _box(-width / scale[0], -height / scale[1], 2 * width / scale[0], 2 * height / scale[1])


def inside(shape: Shape) -> Iterable[tuple[int, range]]:
    """The pixels of a hexagon: each row of its piece, with the columns in it. Each pixel of a map belongs to one
    hex: a pixel whose centre lies just on a side belongs to the hex to the left of it or above."""
    width, height = shape.reach
    wide, high = (shape.across, shape.down) if shape.flat else (shape.down, shape.across)
    for row in range(2 * height):
        columns = [column for column in range(2 * width) if _owns(shape, column, row, width, height, wide, high)]
        if columns:
            yield row, range(columns[0], columns[-1] + 1)


def _owns(shape: Shape, column: int, row: int, width: int, height: int, wide: int, high: int) -> bool:
    x, y = 2 * (column - width) + 1, 2 * (row - height) + 1
    long, short = (x, y) if shape.flat else (y, x)
    distance = 3 * abs(long) * high + wide * abs(short) - 4 * wide * high
    return abs(short) < 2 * high and (distance < 0 or (distance == 0 and long > 0))
