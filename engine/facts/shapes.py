"""The forms that values in a file of facts can have, from whole numbers to hexes. A corrected file is held to them
before anything in it is used."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from engine.facts.json_places import Path

Fault: TypeAlias = tuple[Path, str]
"""The place of a fault and its reason."""
Shape: TypeAlias = Callable[[Any, Path], Iterator[Fault]]
"""The faults of a value that stands at a place."""

REMARKS: Final = frozenset({"prov", "note", "basis", "ref"})
"""Keys that any object may have, for those who keep the file; nothing reads them."""
LARGEST: Final = 10_000_000


def shown(value: Any, most: int = 60) -> str:
    said = repr(value)
    return said if len(said) <= most else f"{said[:most]}..."


def whole(low: int = 0, high: int = LARGEST) -> Shape:
    """A whole number within bounds."""

    def faults(value: Any, path: Path) -> Iterator[Fault]:
        if not isinstance(value, int) or isinstance(value, bool):
            yield path, f"must be a whole number, not {shown(value)}"
        elif value < low:
            yield path, f"must be {low} or more, not {value}"
        elif value > high:
            yield path, f"must be {high} or less, not {value}"

    return faults


def text(value: Any, path: Path) -> Iterator[Fault]:
    """A text of at most 200 characters."""
    if not isinstance(value, str):
        yield path, f"must be a text, not {shown(value)}"
    elif len(value) > 200 or not value.isprintable():
        yield path, f"must be a text of at most 200 characters on one line, not {shown(value)}"


def flag(value: Any, path: Path) -> Iterator[Fault]:
    if not isinstance(value, bool):
        yield path, f"must be true or false, not {shown(value)}"


def one_of(words: Collection[Any]) -> Shape:
    """One of a few values."""

    def faults(value: Any, path: Path) -> Iterator[Fault]:
        if isinstance(value, (dict, list)) or value not in words or isinstance(value, bool):
            yield path, f"cannot be {shown(value)}; there are: {', '.join(sorted(map(str, words)))}"

    return faults


def either(shape: Shape, *others: Shape) -> Shape:
    """One of several forms; the faults are those of the form that comes closest, the first by default."""

    def faults(value: Any, path: Path) -> Iterator[Fault]:
        found = [list(one(value, path)) for one in (shape, *others)]
        if all(found):
            deeper = [rows for rows in found if all(len(place) > len(path) for place, _ in rows)]
            yield from (deeper or found)[0]

    return faults


def many(shape: Shape, least: int = 0, most: int = 2_000) -> Shape:
    """A list of values of one form."""

    def faults(value: Any, path: Path) -> Iterator[Fault]:
        if not isinstance(value, list):
            yield path, f"must be a list, not {shown(value)}"
        elif not least <= len(value) <= most:
            yield path, f"must have {least} to {most} entries, not {len(value)}"
        else:
            for number, inner in enumerate(value):
                yield from shape(inner, (*path, number))

    return faults


def rising(shape: Shape) -> Shape:
    """A list of numbers, each above the one before."""
    listed = many(shape, 1, 99)

    def faults(value: Any, path: Path) -> Iterator[Fault]:
        found = list(listed(value, path))
        yield from found
        for number in range(1, 0 if found else len(value)):
            if value[number] <= value[number - 1]:
                yield (*path, number), f"must be above {value[number - 1]}, the one before it"

    return faults


def table(shape: Shape, keys: Shape = text) -> Shape:
    """An object whose keys are names."""

    def faults(value: Any, path: Path) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield path, f"must be an object, not {shown(value)}"
            return
        for key, inner in value.items():
            yield from keys(key, (*path, key))
            yield from shape(inner, (*path, key))

    return faults


def entry(needed: Mapping[str, Shape], optional: Mapping[str, Shape] = {}) -> Shape:
    """An object with keys of its own."""
    known = {**optional, **needed}

    def faults(value: Any, path: Path) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield path, f"must be an object, not {shown(value)}"
            return
        for key in needed:
            if key not in value:
                yield path, f"{key!r} is missing"
        for key, inner in value.items():
            if key in known:
                yield from known[key](inner, (*path, key))
            elif key not in REMARKS:
                yield (*path, key), f"{key!r} is not known here; there are: {', '.join(sorted(known))}"

    return faults


def like(samples: Iterable[Any]) -> Shape:
    """A value of the forms that the samples have: the same kinds, the keys of all of them, no negative numbers."""
    samples = [sample for sample in samples if sample is not None]
    tables, lists = [s for s in samples if isinstance(s, dict)], [s for s in samples if isinstance(s, list)]
    found: list[Shape] = []
    if tables:
        keys = dict.fromkeys(key for one in tables for key in one)
        found.append(entry({}, {key: like([one[key] for one in tables if key in one]) for key in keys}))
    if lists:
        found.append(many(like([inner for one in lists for inner in one])))
    if any(isinstance(s, str) for s in samples):
        found.append(text)
    if any(isinstance(s, bool) for s in samples):
        found.append(flag)
    if any(isinstance(s, int) and not isinstance(s, bool) for s in samples):
        found.append(whole())
    return either(*found) if found else _nothing


def _nothing(value: Any, path: Path) -> Iterator[Fault]:
    yield path, "must be left out"


# ---- the parts of a box ----------------------------------------------------------------------------------------------

COLORS: Final = ("white", "yellow", "green", "brown", "gray", "red", "blue", "purple")
EDGE: Final = whole(0, 5)
EDGE_KEY: Final = one_of(tuple("012345"))
REVENUE: Final = either(whole(0, 1_000), table(whole(0, 1_000)))


def track(value: Any, path: Path) -> Iterator[Fault]:
    """A piece of track: two ends, and what is special about it."""
    if not isinstance(value, list) or len(value) not in (2, 3):
        yield path, f"track is a list of two ends, not {shown(value)}"
        return
    for number in (0, 1):
        yield from text(value[number], (*path, number))
    if len(value) == 3:
        yield from entry({}, {"terminal": flag, "future": flag, "gauge": one_of(("narrow",))})(value[2], (*path, 2))


TERRAIN: Final = entry({"cost": whole(1, 10_000)}, {"type": either(text, one_of((None,)))})
BORDER: Final = entry({"edge": EDGE, "type": one_of(("impassable", "water", "joined"))}, {"cost": whole(1, 10_000)})
STOPS: Final[Mapping[str, tuple[Mapping[str, Shape], Mapping[str, Shape]]]] = {
    "cities": ({"revenue": REVENUE, "slots": whole(1, 9)}, {"reserved_for": many(text), "groups": many(text)}),
    "passes": ({"revenue": REVENUE, "slots": whole(1, 9)}, {"size": whole(1, 9)}),
    "towns": ({"revenue": REVENUE}, {"port": flag, "groups": many(text)}),
    "offboards": ({"revenue": REVENUE}, {"groups": many(text), "kind": text, "side": text}),
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
REACH: Final[Mapping[str, Shape]] = {
    "max": whole(1, 99), "paid": whole(1, 99), "must_count": many(text), "free_and_paid": many(text),
    "no_red_hexes": flag,
}  # fmt: skip
COST: Final = whole(1, 100_000)
QUANTITY: Final = either(whole(1, 99), one_of(("unlimited",)))


def hex_shape(more: Mapping[str, Shape], stops: Mapping[str, Mapping[str, Shape]]) -> Shape:
    """A hex of the map; ``more``: what the title's hexes have beside that, and its stops by their list."""
    needed = {"coord": text, "x": whole(-99, 999), "y": whole(-99, 999), "color": one_of(COLORS),
              "neighbors": table(text, EDGE_KEY)}  # fmt: skip
    optional = {
        "name": text, "label": text, "terrain": many(TERRAIN), "borders": many(BORDER), "closed_edges": many(EDGE),
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
    """How far a train runs, in one of the title's ``kinds``; ``more``: what its trains have beside that."""
    return entry({"kind": one_of(kinds)}, {**more, **REACH})


def _stops(more: Mapping[str, Mapping[str, Shape]]) -> Mapping[str, Shape]:
    return {key: many(entry(needed, {**more.get(key, {}), **own})) for key, (needed, own) in STOPS.items()}
