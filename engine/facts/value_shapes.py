"""The forms that values in a file of facts can have, from whole numbers to hexes. A corrected file is held to them
before anything in it is used."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from engine.facts.json_places import Path

Fault: TypeAlias = tuple[Path, str]
"""The place of a fault and its reason."""
Shape: TypeAlias = Callable[[Any, Path], Iterator[Fault]]
"""The faults of a value that stands at a place."""

Place: TypeAlias = tuple[str, ...]
"""Keys within each other; ``*`` is any name of a table, ``[]`` any entry of a list."""
ANY_NAME: Final = "*"
ANY_ENTRY: Final = "[]"


@dataclass(frozen=True, slots=True, eq=False)
class Nested:
    """A shape of values that have others within them: ``inner`` has a step and the shape of what is there, or no step
    and another form of the whole value."""

    faults: Shape
    inner: tuple[tuple[str, Shape], ...]

    def __call__(self, value: Any, path: Path) -> Iterator[Fault]:
        return self.faults(value, path)


@dataclass(frozen=True, slots=True, eq=False)
class Remark:
    """The shape of a value that is for readers: nothing in a game reads it."""

    shape: Shape

    def __call__(self, value: Any, path: Path) -> Iterator[Fault]:
        return self.shape(value, path)


def declared(shape: Shape, place: Place = ()) -> Iterator[Place]:
    """The places of all keys that a value of the shape may have, without those for readers."""
    for step, inner in shape.inner if isinstance(shape, Nested) else ():
        if isinstance(inner, Remark):
            continue
        here = (*place, step) if step else place
        if step not in ("", ANY_NAME, ANY_ENTRY):
            yield here
        yield from declared(inner, here)


REMARKS: Final = frozenset({"prov", "note", "basis", "ref"})
"""Keys that any object may have, for those who keep the file; nothing reads them."""
FOR_READERS: Final = frozenset({"size", "home_of", "ends_differ", "ends_need"})
"""Further keys of hexes, tiles and trains that explain something, and that nothing reads."""
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

    return Nested(faults, tuple(("", one) for one in (shape, *others)))


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

    return Nested(faults, ((ANY_ENTRY, shape),))


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

    return Nested(faults, ((ANY_NAME, shape),))


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

    return Nested(faults, tuple(known.items()))


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
