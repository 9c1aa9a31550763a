"""The forms of the parts of a box: track, stops, borders, hexes, tiles, charts and trains."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from engine.facts.json_places import Path
from engine.facts.value_shapes import (
    ANY_ENTRY,
    Fault,
    Nested,
    Remark,
    Shape,
    either,
    entry,
    flag,
    many,
    one_of,
    shown,
    table,
    text,
    whole,
)

COLORS: Final = ("white", "yellow", "green", "brown", "gray", "red", "blue", "purple")
EDGE: Final = whole(0, 5)
EDGE_KEY: Final = one_of(tuple("012345"))
REVENUE: Final = either(whole(0, 1_000), table(whole(0, 1_000)))


def _track(value: Any, path: Path) -> Iterator[Fault]:
    if not isinstance(value, list) or len(value) not in (2, 3):
        yield path, f"track is a list of two ends, not {shown(value)}"
        return
    for number in (0, 1):
        yield from text(value[number], (*path, number))
    if len(value) == 3:
        yield from TRACK(value[2], (*path, 2))


TRACK: Final = entry({}, {"terminal": flag, "future": flag, "gauge": one_of(("narrow",))})
track: Final = Nested(_track, ((ANY_ENTRY, TRACK),))
"""A piece of track: two ends, and what is special about it."""
TERRAIN: Final = entry({"cost": whole(1, 10_000)}, {"type": either(text, one_of((None,)))})
CLOSED: Final = "impassable"
"""A border that no track crosses."""
RIVER: Final = "water"
"""A border with a cost, which is paid when track first crosses it."""
DRAWN: Final = "joined"
"""A border that is for readers: what is printed on both its sides belongs together."""
STOPS: Final[Mapping[str, tuple[Mapping[str, Shape], Mapping[str, Shape]]]] = {
    "cities": ({"revenue": REVENUE, "slots": whole(1, 9)}, {"reserved_for": many(text), "groups": many(text)}),
    "passes": ({"revenue": REVENUE, "slots": whole(1, 9)}, {"size": Remark(whole(1, 9))}),
    "towns": ({"revenue": REVENUE}, {"port": flag, "groups": many(text)}),
    "offboards": ({"revenue": REVENUE}, {"groups": many(text), "kind": text}),
}
ROTATIONS: Final = table(many(EDGE, 0, 6))
UPGRADES: Final = table(ROTATIONS)
GRID: Final = "grid"
"""Moves that follow from the rows of a chart."""
CELL: Final = many(whole(0, 99), 2, 2)
PRICE: Final = entry({"price": whole(0, 10_000)}, {"types": many(text)})
STEP: Final = entry({"cell": CELL, "left": CELL, "right": CELL, "up": CELL, "down": CELL})
CHART: Final = entry({
    "rows": many(many(either(PRICE, one_of((None,)))), 1, 50),
    "moves": table(either(many(STEP), text)),
})  # fmt: skip
REACH: Final[Mapping[str, tuple[Mapping[str, Shape], Mapping[str, Shape]]]] = {
    "stops": ({"max": whole(1, 99), "must_count": many(text)}, {"free_and_paid": many(text)}),
    "hexes": ({"max": whole(1, 99)}, {"no_red_hexes": flag}),
    "express_ends": (
        {"ends": whole(), "middle_max": whole(), "double_one_end": flag},
        {"never_counts": many(text), "must_count": Remark(many(text))},
    ),
    "express": ({"paid": whole(1, 99)}, {}),
}
"""Kind of reach -> the keys that it needs, and those that it may have."""
COST: Final = whole(1, 100_000)
QUANTITY: Final = either(whole(1, 99), one_of(("unlimited",)))


def border_shape(rivers: bool) -> Shape:
    """A border of a hex. ``rivers``: the rules of the title charge the cost of crossing one."""
    kinds = (CLOSED, DRAWN, *([RIVER] if rivers else []))
    known = entry({"edge": EDGE, "type": one_of(kinds)}, {"cost": whole(1, 10_000)} if rivers else {})

    def faults(value: Any, path: Path) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield from known(value, path)
            return
        if "cost" in value and not rivers:
            yield (*path, "cost"), "no rule of this title charges a cost for a border"
            value = {key: inner for key, inner in value.items() if key != "cost"}
        elif rivers and ("cost" in value) != (value.get("type") == RIVER):
            yield path, f"a border has a cost if its type is {RIVER!r}, and no other has"
        yield from known(value, path)

    return Nested(faults, (("", known),))


def hex_shape(more: Mapping[str, Shape], stops: Mapping[str, Mapping[str, Shape]], rivers: bool = False) -> Shape:
    """A hex of the map; ``more``: what the title's hexes have beside that, and its stops by their list; ``rivers``: a
    border can have a cost."""
    needed = {"coord": text, "x": whole(-99, 999), "y": whole(-99, 999), "color": one_of(COLORS),
              "neighbors": table(text, EDGE_KEY)}  # fmt: skip
    optional = {
        "name": text, "label": text, "terrain": many(TERRAIN), "closed_edges": many(EDGE),
        "borders": many(border_shape(rivers)),
        "closed_until_phase": text, "future_label": entry({"label": text, "from_color": one_of(COLORS)}),
        "paths": many(track),
    }  # fmt: skip
    return entry(needed, {**more, **optional, **_stops(stops)})


def tile_shape(more: Mapping[str, Shape], stops: Mapping[str, Mapping[str, Shape]]) -> Shape:
    """A kind of tile."""
    count = either(whole(0, 999), one_of(("unlimited",)))
    optional = {"label": text, "terrain": many(TERRAIN), "paths": many(track), "use": text}
    return entry({"color": one_of(COLORS), "count": count}, {**more, **optional, **_stops(stops)})


def reach_shape(kinds: Collection[str], more: Mapping[str, Shape]) -> Shape:
    """How far a train runs, in one of the title's ``kinds``; ``more``: what its trains have for readers."""
    kind = one_of(kinds)
    forms = {word: entry({"kind": kind, **REACH[word][0]}, {**more, **REACH[word][1]}) for word in kinds}

    def faults(value: Any, path: Path) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield path, f"must be an object, not {shown(value)}"
        elif "kind" not in value:
            yield path, "'kind' is missing"
        elif wrong := list(kind(value["kind"], (*path, "kind"))):
            yield from wrong
        else:
            yield from forms[value["kind"]](value, path)

    return Nested(faults, tuple(("", form) for form in forms.values()))


def _stops(more: Mapping[str, Mapping[str, Shape]]) -> Mapping[str, Shape]:
    return {key: many(entry(needed, {**more.get(key, {}), **own})) for key, (needed, own) in STOPS.items()}
