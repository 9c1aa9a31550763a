"""Snapshots: positions and events in writing, so that a game can continue without playing all its orders again.

A snapshot is compressed JSON. It names every class that it contains, with a digest of the class's fields. A program
that knows other fields refuses it by name (``UnknownForm``) and never misreads it. ``docs/position.md`` describes the
form.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, Final, get_args, get_type_hints

from engine.board.board import Board
from engine.core.events import Event
from engine.core.secret import HIDDEN, SealedOrder, Secret
from engine.core.state import State
from engine.core.storage.input_checks import fits, strange
from engine.core.storage.shapes import Shape, shapes
from engine.core.title import Title

FORM: Final = "1"
"""The version of the format. It need not change when a class gets other fields: the digests show that."""
MOST_BYTES: Final = 1_000_000
"""The most bytes of an unpacked snapshot; a longer one is refused."""


_EVENTS: Final = get_args(Event)
_BOARD: Final = tuple(
    fits(hint) for name, hint in get_type_hints(Board).items() if name in ("tiles", "markers", "overlays")
)


class UnknownForm(ValueError):
    """A snapshot in a form, or with classes, that this program does not know. The message names them."""


class NotASnapshot(ValueError):
    """Input that is not a snapshot of any form. The message says why."""


def write_state(title: Title, state: State) -> bytes:
    """Write a position without its seed. Equal positions give equal bytes if their maps were filled in
    the same order."""
    return _write(title, replace(state, seed=HIDDEN))


def read_state(title: Title, data: bytes, *, seed: str = "") -> State:
    """Read a position that ``write_state`` wrote, and restore the seed. ``UnknownForm`` or ``NotASnapshot`` if it
    cannot be read."""
    found = _read(title, data)
    if not isinstance(found, State):
        raise NotASnapshot(f"the snapshot holds {type(found).__name__}, not a position")
    return replace(found, seed=Secret(seed))


def write_events(title: Title, events: tuple[Event, ...]) -> bytes:
    """Write the events that followed from an order."""
    return _write(title, events)


def read_events(title: Title, data: bytes) -> tuple[Event, ...]:
    """Read the events that ``write_events`` wrote. Errors as in ``read_state``."""
    found = _read(title, data)
    if not isinstance(found, tuple) or not all(isinstance(event, _EVENTS) for event in found):
        raise NotASnapshot("the snapshot does not hold events")
    return found


def form(title: Title) -> str:
    """The form that this program writes for a title, in one line: the version, and a digest of all shapes."""
    keys = sorted(shape.key for shape in shapes(title).values())
    return f"{FORM}:{hashlib.sha256(' '.join(keys).encode()).hexdigest()[:12]}"


_text: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _write(title: Title, value: Any) -> bytes:
    writer = _Writer(shapes(title))
    packed = writer.pack(value)
    boards = [[writer.pack(part) for part in (b.tiles, b.markers, b.overlays)] for b in writer.boards]
    document = [FORM, [shape.key for shape in writer.used], boards, packed]
    return zlib.compress(_text(document).encode(), 6)


def _read(title: Title, data: bytes) -> Any:
    unpacked = zlib.decompressobj()
    try:
        text = unpacked.decompress(data, MOST_BYTES)
        if unpacked.unconsumed_tail:
            raise NotASnapshot(f"the snapshot is longer than {MOST_BYTES} bytes")
        document = json.loads(text)
    except NotASnapshot:
        raise
    except (zlib.error, ValueError, RecursionError) as error:
        raise NotASnapshot(f"not a snapshot: {type(error).__name__}: {error}") from error
    if not isinstance(document, list) or not document:
        raise NotASnapshot("not a snapshot: no form is named")
    if document[0] != FORM:
        raise UnknownForm(f"the snapshot is of form {document[0]!r}; this program reads form {FORM!r}")
    try:
        _, keys, boards, packed = document
        reader = _Reader(title, _known(shapes(title), keys))
        for parts in boards:
            reader.boards.append(reader.board(parts))
        return reader.unpack(packed)
    except (UnknownForm, NotASnapshot):
        raise
    except (TypeError, ValueError, AttributeError, LookupError, RecursionError) as error:
        raise NotASnapshot(f"not a snapshot: {type(error).__name__}: {error}") from error


def _known(found: Mapping[str, Shape], keys: list[str]) -> list[Shape]:
    unknown = [key for key in keys if (name := key.partition("/")[0]) not in found or found[name].key != key]
    if unknown:
        known = [found[name].key for key in unknown if (name := key.partition("/")[0]) in found]
        raise UnknownForm(
            f"the snapshot has {', '.join(unknown)}; this program knows {', '.join(known) or 'none of them'}"
        )
    return [found[key.partition("/")[0]] for key in keys]


class _Writer:
    """Writes values as JSON. A list is a tuple. An object has one key: ``m`` for a map, ``s`` for a set, ``b`` for a
    board by its number, or a number in the list of classes."""

    def __init__(self, known: Mapping[str, Shape]) -> None:
        self.known = known
        self.used: list[Shape] = []
        self.boards: list[Board] = []
        self._numbers: dict[type, str] = {}

    def pack(self, value: Any) -> Any:
        kind = type(value)
        if value is None or kind in (str, int, bool):
            return value
        if kind is tuple:
            return [self.pack(each) for each in value]
        if kind is Board:
            return {"b": self._board(value)}
        if isinstance(value, Mapping):
            return {"m": [self.pack(each) for item in value.items() for each in item]}
        if kind is frozenset:
            return {"s": sorted(map(self.pack, value), key=json.dumps)}
        number = self._number(kind)
        if kind is SealedOrder:
            value = value.taken_out()
        if kind is State and value.seed:
            raise ValueError("a position within a position holds the seed of lots, which must not be written")
        if isinstance(value, Enum):
            return {number: value.name}
        return {number: [self.pack(getattr(value, name)) for name in self.known[kind.__name__].fields]}

    def _number(self, kind: type) -> str:
        if kind not in self._numbers:
            shape = self.known.get(kind.__name__)
            if shape is None or shape.type is not kind:
                raise TypeError(f"no state, order or event of this title is known to hold a {kind.__qualname__}")
            self._numbers[kind] = str(len(self.used))
            self.used.append(shape)
        return self._numbers[kind]

    def _board(self, board: Board) -> int:
        for number, known in enumerate(self.boards):
            if known is board:
                return number
        self.boards.append(board)
        return len(self.boards) - 1


class _Reader:
    def __init__(self, title: Title, used: list[Shape]) -> None:
        self.title = title
        self.boards: list[Board] = []
        self._makers = {str(number): shape for number, shape in enumerate(used)}

    def unpack(self, packed: Any) -> Any:
        if isinstance(packed, list):
            return tuple([self.unpack(each) for each in packed])
        if not isinstance(packed, dict):
            return packed
        ((key, inner),) = packed.items()
        if key == "m":
            items = iter([self.unpack(each) for each in inner])
            return dict(zip(items, items, strict=True))
        if key == "s":
            return frozenset([self.unpack(each) for each in inner])
        if key == "b":
            return self.boards[inner]
        return self._made(self._makers[key], inner)

    def board(self, packed: list[Any]) -> Board:
        parts = [self.unpack(part) for part in packed]
        if not all(test(part) for test, part in zip(_BOARD, parts, strict=True)):
            raise NotASnapshot("not a snapshot: what stands for a board is none")
        return Board(self.title.map, *parts)

    def _made(self, shape: Shape, inner: Any) -> Any:
        if issubclass(shape.type, Enum):
            return shape.type[inner]
        values = [self.unpack(each) for each in inner]
        for (name, test), value in zip(shape.fields.items(), values, strict=True):
            if not test(value):
                raise NotASnapshot(f"not a snapshot: {name} of {shape.name} cannot be {value!r:.80}")
        made = shape.type(*values)
        if isinstance(made, State) and (what := strange(self.title, made)) is not None:
            raise UnknownForm(f"the snapshot has a {what}, which {self.title.name} {self.title.edition} does not have")
        return made
