"""The shapes of a game: every class whose values are part of states, orders and events, with the names and types of its
fields. ``engine.core.storage.snapshot`` uses them to write and read positions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Final, get_args, get_type_hints

from engine.board.board import Board
from engine.core.events import Event
from engine.core.orders import Order
from engine.core.state import Frame, Note, State
from engine.core.storage.input_checks import Fits, fits
from engine.core.title import Title

_NAMES: Final = {"Board": Board}
"""Types that modules import only for the type checker."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of one class. ``fields``: the names of its fields in order, each with the test of its values; or the
    names of the members of an enumeration."""

    type: type
    fields: Mapping[str, Fits]

    @property
    def name(self) -> str:
        return self.type.__name__

    @property
    def key(self) -> str:
        """The name with a digest of the fields' names: ``Round/5f3a21``."""
        return f"{self.name}/{hashlib.sha256(' '.join(self.fields).encode()).hexdigest()[:6]}"


def shapes(title: Title) -> Mapping[str, Shape]:
    """All shapes of a title by name: those that every title has, and those of its own frames and notes."""
    return _shapes((*title.steps, *title.notes))


@lru_cache(maxsize=16)
def _shapes(memory: tuple[type[Frame | Note], ...]) -> Mapping[str, Shape]:
    found: dict[type, Shape] = {}
    _look(found, (State, *get_args(Order), *get_args(Event), *memory))
    named: dict[str, Shape] = {}
    for shape in found.values():
        other = named.setdefault(shape.name, shape)
        if other is not shape:
            raise TypeError(f"two classes are called {shape.name}: in {other.type.__module__}, {shape.type.__module__}")
    return named


def _look(found: dict[type, Shape], types: Iterable[Any]) -> None:
    for each in types:
        if not isinstance(each, type):
            _look(found, get_args(each))  # names are NewTypes of str, and literals have no shape
        elif each in (Frame, Note, Board) or each in found:
            continue
        elif is_dataclass(each):
            hints = get_type_hints(each, localns=_NAMES)
            found[each] = Shape(each, {f.name: fits(hints[f.name]) for f in fields(each)})
            _look(found, hints.values())
        elif issubclass(each, Enum):
            found[each] = Shape(each, dict.fromkeys(each.__members__, fits(each)))
