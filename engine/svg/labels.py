"""The labels of a hex: values, letter, cost of terrain, name, tile number, coordinate, and tags of companies and
privates. They depend only on the face and on texts, so the labels of each hex are placed once and cached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from engine.board.map import Face, Stop
from engine.svg.hexes import Point, toward
from engine.svg.label_places import Label, Room, boxes, discs, round_about, row_points, spokes
from engine.svg.letters import broken, ems
from engine.svg.stops import Spot, spots
from engine.svg.track import pieces

_LETTERS: Final = (27.0, 20.0, 15.0)
_VALUE: Final = (15.0, 19.0)
"""The radius and font size of a value. With three digits, the circle is larger and the font smaller."""
_VALUE_3: Final = (17.5, 16.5)
_RADII: Final = (76.0, 70.0, 64.0, 58.0, 52.0, 46.0, 40.0, 34.0, 28.0, 20.0, 10.0, 0.0)
_CORNERS: Final = (92.0, 88.0, 84.0, 80.0, 76.0, 72.0, 66.0, 60.0, 54.0, 48.0, 40.0, 30.0)
_VALUE_FAR: Final = (20.0, 25.0)
_VALUE_3_FAR: Final = (22.5, 21.0)
"""The same where hexes are shown small, if there is room."""
_NAMES: Final = (18.0, 16.0, 14.0, 12.5)
"""Font sizes of names that do not touch track."""
_NAMES_FAR: Final = (26.0, 23.0, 20.5, *_NAMES)
"""The same where hexes are shown small."""
_SMALLER: Final = (16.0, 14.0, 12.5, 11.0, 9.5, 8.5)
"""Font sizes of names that may cross track."""
_GOOD_NAME: Final = 12.5
"""The font size of a name below which a smaller letter is tried."""
_LINES: Final = (1, 2, 3)
ROW: Final = 26.0
"""The height of the boxes with the values of an area."""
CAPTION: Final = 12.0
ARROW: Final = 48.0
"""The distance of the tips of arrows from the centre."""
SHORT_ARROW: Final = 63.0
MOUNTAIN: Final = 24.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """The information that a hex shows, and everything else that the places of its labels depend on. ``captions``: one
    for each column of values, or none if the colour of the column is enough. ``tags``: short words about companies and
    privates. ``far``: the hex is shown so small that numbers must be larger."""

    face: Face
    flat: bool
    name: str = ""
    number: str = ""
    coordinate: str = ""
    shows_row: bool = True
    captions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    far: bool = False


@dataclass(frozen=True, slots=True)
class Labelled:
    """The labels of a hex. ``tip``: the distance of the tips of arrows from the centre. ``across``: the number of boxes
    of a row of values side by side. ``missing``: the kinds of label for which there was no place."""

    labels: tuple[Label, ...]
    tip: float = ARROW
    across: int = 0
    missing: tuple[str, ...] = ()


@lru_cache(maxsize=8192)
def labels(wanted: Wanted) -> Labelled:
    """All labels of a hex in their places. The letter is smaller if the name would otherwise be small or
    have no place."""
    best = _labels(wanted, _LETTERS)
    for letters in (_LETTERS[1:], _LETTERS[2:]) if wanted.face.label and wanted.name else ():
        if _size_of_name(best) >= _GOOD_NAME:
            break
        best = max(best, _labels(wanted, letters), key=_size_of_name)
    if wanted.far and {"name", "value", "letter", "cost"} & set(best.missing):
        return labels(replace(wanted, far=False))  # small labels are better than none
    return best


def _size_of_name(found: Labelled) -> float:
    return next((label.size for label in found.labels if label.kind == "name"), 0.0)


def _labels(wanted: Wanted, letters: tuple[float, ...]) -> Labelled:
    face, flat = wanted.face, wanted.flat
    row = row_of(face) if wanted.shows_row else ()
    for tip in (ARROW, SHORT_ARROW):
        room = _room(face, flat, tip)
        across = len(row)
        if row:
            placed, across = _row(room, row, wanted.captions)
            if placed is None:
                continue
            return _rest(wanted, room, letters, [placed], tip, across)
        return _rest(wanted, room, letters, [], tip, 0)
    return _rest(wanted, _room(face, flat, SHORT_ARROW), letters, [], SHORT_ARROW, 0, ["row"])


def row_of(face: Face) -> tuple[str, ...]:
    """The values by column of the first stop that has several; empty if there is no such stop."""
    stop = next((s for s in (*face.offboards, *face.cities, *face.towns) if not isinstance(s.revenue, int)), None)
    return () if stop is None or isinstance(stop.revenue, int) else tuple(str(v) for v in stop.revenue.values())


def triangle(radius: float) -> tuple[Point, ...]:
    """The corners of a triangle that stands on one side."""
    return tuple(toward(e, radius, True) for e in (1, 3, 5))


def pass_radius(circles: int) -> float:
    """The distance from the centre of a pass to the corners of its triangle."""
    return 50.0 if circles < 2 else 74.0


def is_mountain(face: Face) -> bool:
    """True if the face has a mountain without values by phase, which is drawn as a triangle."""
    return any(area.kind == "mountain" and isinstance(area.revenue, int) for area in face.offboards)


def arrows(face: Face) -> tuple[int, ...]:
    """The edges from which arrows lead into an off-board area."""
    return tuple(n for path in face.paths if any(k == "o" for k, _ in path) for kind, n in path if kind == "e")


def _room(face: Face, flat: bool, tip: float) -> Room:
    hard: list[tuple[Point, float]] = [disc for spot in spots(face, flat) for disc in spot.discs]
    for i, city in enumerate(face.cities):
        if city.kind == "pass":
            at = spots(face, flat)[i].at
            hard += [((at[0] + x, at[1] + y), 9.0) for x, y in triangle(pass_radius(city.slots) - 10)]
    if is_mountain(face):
        hard.append(((0.0, 0.0), MOUNTAIN))
    for edge in arrows(face):
        hard += [(toward(edge, far, flat), 9.0) for far in range(int(tip) + 9, 88, 8)]
        hard.append((toward(edge, tip + 2, flat), 3.0))
    soft = [point for piece in pieces(face, flat) if piece.kind != "arrow" for point in piece.curve.points(12)]
    return Room(flat, hard, soft)


def _row(room: Room, row: tuple[str, ...], captions: tuple[str, ...]) -> tuple[Label | None, int]:
    """Place the boxes of an area, side by side or in two rows. Returns the label and the number of boxes in a row."""
    wide = box_width(row)
    for across in (len(row), -(-len(row) // 2)):
        high = (ROW + (CAPTION if captions else 0)) * -(-len(row) // across)
        tries = boxes("row", row, 19.0, wide * across + 4, high + 4, (*_MIDDLE, *row_points()))
        placed = room.place(tries)
        if placed is not None:
            return placed, across
    return None, 0


_MIDDLE: Final = tuple((0.0, float(y)) for y in (0, -6, 6, -12, 12, -18, 18, -26, 26))


def box_width(row: tuple[str, ...]) -> float:
    """The width of each box of a row."""
    return max(27.0, max(ems(value) for value in row) * 16.5 + 7)


def _rest(
    wanted: Wanted,
    room: Room,
    letters: tuple[float, ...],
    found: list[Label],
    tip: float,
    across: int,
    missing: list[str] | None = None,
) -> Labelled:
    missing = missing or []
    face = wanted.face
    values, lost = _values(face, wanted.flat, room, far=wanted.far)
    found += values
    missing += lost
    for kind, tries in (
        ("letter", _letter(face.label, letters)),
        ("cost", _cost(face)),
        ("port", _port(face)),
        ("name", _name(wanted.name, room, _NAMES_FAR if wanted.far else _NAMES)),
        *(("tag", _tag(tag)) for tag in wanted.tags),
        ("number", _small("number", wanted.number, 145.0, wanted.far)),
        ("coordinate", _small("coordinate", wanted.coordinate, -35.0, wanted.far)),
    ):
        first = next(tries, None)
        if first is None:
            missing += ["name"] if kind == "name" and wanted.name else []
            continue
        label = room.place(_again(first, tries), 120, 1.25) if kind == "name" else room.place(_again(first, tries), 120)
        if label is None:
            missing.append(kind)
        else:
            found.append(label)
    return Labelled(tuple(found), tip, across, tuple(missing))


def _again(first: Label, rest: Iterator[Label]) -> Iterator[Label]:
    yield first
    yield from rest


def _values(face: Face, flat: bool, room: Room, *, far: bool) -> tuple[list[Label], list[str]]:
    """Place a bubble for each stop with a value, or a single bubble if three or more stops have the same value. Returns
    the labels and the kinds of label for which there was no place."""
    there = [s for s in spots(face, flat) if s.kind != "o" or _priced(face.offboards[s.index])]
    priced = [(spot, _worth(_stop(face, spot))) for spot in there]
    priced = [(spot, value) for spot, value in priced if value]
    alike = len(priced) > 2 and len({value for _, value in priced}) == 1
    found: list[Label] = []
    for spot, value in priced[:1] if alike else priced:
        label, alone = None, alike or len(there) == 1
        large, usual = (_VALUE_3_FAR, _VALUE_3) if len(value) > 2 else (_VALUE_FAR, _VALUE)
        for radius, size in (large, usual) if far else (usual,):
            around = _ROUND if alone else _beside(spot, radius)
            label = label or room.place(discs("value", value, size, radius, around))
        if label is None:
            radius, size = usual
            beside = () if alone else _beside(spot, radius)
            label = room.place(discs("value", value, size * 0.8, radius * 0.8, (*beside, *_ROUND)))
        if label is None:
            return found, ["value"]
        found.append(label)
    return found, []


_ROUND: Final = round_about(60.0, _RADII)


def _beside(spot: Spot, radius: float) -> tuple[Point, ...]:
    """Places around one of several stops."""
    x, y = spot.at
    reach = spot.radius + 10 if spot.shape == "circles" else 20.0
    around = round_about(60.0, tuple(reach + radius + more for more in (0.0, 4.0, 9.0, 15.0)))
    return tuple((x + a, y + b) for a, b in around)


def _stop(face: Face, spot: Spot) -> Stop:
    return {"c": face.cities, "t": face.towns, "o": face.offboards}[spot.kind][spot.index]


def _priced(area: Stop) -> bool:
    """True if the area has the same value in all phases."""
    return isinstance(area.revenue, int) and area.revenue > 0


def _worth(stop: Stop) -> str:
    return str(stop.revenue) if isinstance(stop.revenue, int) and stop.revenue else ""


def _letter(letter: str, sizes: tuple[float, ...]) -> Iterator[Label]:
    for size in sizes if letter else ():
        wide, high = ems(letter) * size + 2, size * 0.85
        yield from boxes("letter", (letter,), size, wide, high, round_about(-90.0, _RADII))


def _cost(face: Face) -> Iterator[Label]:
    text = str(face.terrain)
    for size, places in _COSTS if face.terrain else ():
        yield from boxes("cost", (text,), size, ems(text) * size + size + 5, size + 3, places)


_COSTS: Final = ((24.0, ((0.0, 0.0),)), *((size, round_about(-120.0, _RADII)) for size in (17.0, 14.0, 12.0)))
"""Font sizes of costs with their places: large if the hex is empty."""


def _port(face: Face) -> Iterator[Label]:
    if any(town.kind == "port" for town in face.towns):
        yield from boxes("port", (), 20.0, 22.0, 26.0, round_about(180.0, _RADII))


def _tag(tag: str) -> Iterator[Label]:
    for size in (12.5, 10.5, 9.0):
        yield from boxes("tag", (tag,), size, ems(tag) * size + 6, size + 4, round_about(120.0, _RADII))


def _name(name: str, room: Room, sizes: tuple[float, ...]) -> Iterator[Label]:
    """Yield places for a name: first those that do not touch track, then smaller names that may cross it."""
    if not name:
        return
    rows_of = [
        (size, lines) for size in (*sizes, *_SMALLER) for lines in dict.fromkeys(broken(name, n) for n in _LINES)
    ]
    shapes = [
        Label("name", lines, size, (0.0, 0.0), max(map(ems, lines)) * size + 3, size * (1.1 * len(lines) + 0.1))
        for size, lines in rows_of
    ]
    large = len(shapes) * len(sizes) // (len(sizes) + len(_SMALLER))
    for number, shape in enumerate(shapes):
        w, h = shape.width / 2, shape.height / 2
        for at in room.free_rows(w, h, off_track=number < large):
            yield Label("name", shape.lines, shape.size, at, shape.width, shape.height)
            if number < large:
                return


def _small(kind: str, text: str, first: float, far: bool) -> Iterator[Label]:
    for size in (18.0, 16.0) if far and text else (13.0,) if text else ():
        yield from boxes(kind, (text,), size, ems(text) * size + 1, size * 0.85, spokes(first, _CORNERS))
