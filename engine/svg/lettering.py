"""The labels of a hex as SVG."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.svg.colors import COLUMNS, EARTH, FILLS, LEAST_CONTRAST, WATER, contrast
from engine.svg.elements import number, text
from engine.svg.label_places import Label
from engine.svg.labels import CAPTION, ROW, Labelled, Wanted, box_width, labels, row_of
from engine.svg.track import BLACK, WHITE

_FAINT: Final = "#333333"
_WAVES: Final = frozenset({"water", "river", "swamp", "lake", "sea"})


@lru_cache(maxsize=8192)
def labels_svg(wanted: Wanted, fill: str, column: str) -> str:
    """All labels of a hex. ``fill``: the colour beneath. ``column``: the column of values that counts now."""
    found = labels(wanted)
    return "".join(_label(label, found, wanted, fill, column) for label in found.labels)


def _label(label: Label, found: Labelled, wanted: Wanted, fill: str, column: str) -> str:
    (x, y), kind = label.at, label.kind
    if kind == "row":
        return _row(label, found, wanted, column)
    if kind == "value":
        circle = f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(label.radius - 0.8)}" fill="{WHITE}"'
        return f'{circle} stroke="{BLACK}" stroke-width="1.6"/>' + text(x, y, label.size, label.lines[0])
    plate = _plate(label, fill, 0.88) if label.plate else ""
    if kind == "cost":
        return plate + _cost(label, wanted.face.ground)
    if kind == "port":
        return plate + _anchor(x, y)
    if kind == "tag":
        left, top, _, _ = label.box
        box = (
            f'<rect x="{number(left)}" y="{number(top)}" width="{number(label.width)}" height="{number(label.height)}"'
        )
        return f'{box} rx="3" fill="{WHITE}" stroke="#555555"/>' + text(x, y, label.size, label.lines[0])
    if kind in ("number", "coordinate"):
        ink = _FAINT if contrast(fill, _FAINT) >= LEAST_CONTRAST else "#000000"
        return plate + text(x, y, label.size, label.lines[0], f' fill="{ink}" font-weight="400"')
    step, count = label.size * 1.1, len(label.lines)
    rows = (text(x, y + (i - (count - 1) / 2) * step, label.size, line) for i, line in enumerate(label.lines))
    return plate + "".join(rows)


def _plate(label: Label, fill: str, opacity: float) -> str:
    left, top, _, _ = label.box
    return (
        f'<rect x="{number(left)}" y="{number(top)}" width="{number(label.width)}" height="{number(label.height)}"'
        f' rx="2" fill="{fill}" fill-opacity="{opacity}"/>'
    )


def _row(label: Label, found: Labelled, wanted: Wanted, column: str) -> str:
    """The values of an area. The value that counts now has a frame and a mark above it."""
    values, across = row_of(wanted.face), found.across
    stops = (*wanted.face.offboards, *wanted.face.cities, *wanted.face.towns)
    columns = next(tuple(s.revenue) for s in stops if not isinstance(s.revenue, int))
    wide, high = box_width(values), ROW + (CAPTION if wanted.captions else 0)
    left, top = label.at[0] - wide * across / 2, label.at[1] - high * -(-len(values) // across) / 2
    boxes, frame = [], ""
    for i, (name, value) in enumerate(zip(columns, values, strict=True)):
        x, y = left + wide * (i % across), top + high * (i // across)
        fill = COLUMNS.get(name, FILLS["white"])
        ink = BLACK if contrast(fill, BLACK) >= LEAST_CONTRAST else WHITE
        rect = f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(ROW)}"'
        size, now = (17.0 if len(value) < 3 else 14.5), name == column
        weight = "" if now else ' font-weight="400"'
        boxes.append(f'{rect} fill="{fill}" stroke="{BLACK}"/>')
        boxes.append(text(x + wide / 2, y + ROW / 2, size, value, f' fill="{ink}"{weight}'))
        if wanted.captions:
            caption = wanted.captions[i]
            boxes.append(f'<rect x="{number(x)}" y="{number(y + ROW)}" width="{number(wide)}" height="{CAPTION}"'
                         f' fill="{WHITE}"/>')  # fmt: skip
            boxes.append(text(x + wide / 2, y + ROW + CAPTION / 2, 10.5, caption, weight))
        if now:
            inner = f'<rect x="{number(x + 1)}" y="{number(y + 1)}" width="{number(wide - 2)}" height="{ROW - 2:.0f}"'
            tip = f"M{number(x + wide / 2 - 5)} {number(y - 1)}h10l-5 6z"
            frame = (
                f'{rect} fill="none" stroke="{WHITE}" stroke-width="6"/>'
                f'{inner} fill="none" stroke="{BLACK}" stroke-width="4"/>'
                f'<path d="{tip}" fill="{BLACK}" stroke="{WHITE}" stroke-width=".8"/>'
            )
    return "".join(boxes) + frame


def _cost(label: Label, ground: str) -> str:
    """The cost of track in the hex, beside waves for water or a triangle for any other terrain."""
    (x, y), size = label.at, label.size
    left = x - label.width / 2 + 1
    if ground in _WAVES:
        w = size / 4
        wave = f"q{number(w / 2)} {number(-w)} {number(w)} 0t{number(w)} 0t{number(w)} 0t{number(w)} 0"
        data = "".join(f"M{number(left)} {number(y + dy)}{wave}" for dy in (-2.5, 3.5))
        icon = f'<path d="{data}" fill="none" stroke="{WATER}" stroke-width="2"/>'
    else:
        points = f"M{number(left)} {number(y + size * 0.45)}h{number(size)}l{number(-size / 2)} {number(-size * 0.9)}z"
        icon = f'<path d="{points}" fill="{EARTH}"/>'
    return icon + text(x + size / 2 + 1, y, size, label.lines[0])


def _anchor(x: float, y: float) -> str:
    """The symbol of a port."""
    data = (
        f"M{number(x)} {number(y - 5)}v16M{number(x - 9)} {number(y + 3)}q1 8 9 8q8 0 9 -8"
        f"M{number(x - 6)} {number(y - 2)}h12"
    )
    ring = f'<circle cx="{number(x)}" cy="{number(y - 8)}" r="3.2"'
    style = f'fill="none" stroke="{BLACK}" stroke-width="2.4"'
    return f'<path d="{data}" {style}/>{ring} {style}/>'
