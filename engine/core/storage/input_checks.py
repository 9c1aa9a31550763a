"""Checks of outside input: values must have the annotated types of their fields, and positions may name only things
that exist in the title."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal, NewType, TypeAlias, Union, get_args, get_origin

from engine.core.state import State
from engine.core.title import Title

Fits: TypeAlias = Callable[[Any], bool]


@cache
def fits(hint: Any) -> Fits:
    """Return the test for a resolved annotation. ``TypeError`` for a kind of annotation that has no test."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return lambda value: True
    if isinstance(hint, NewType):
        return fits(hint.__supertype__)
    if origin is Literal:
        return lambda value: value in inner
    if origin in (Union, UnionType):
        return _one_of(inner)
    if origin is tuple:
        return _tuple(inner)
    if origin is frozenset:
        each = fits(inner[0])
        return lambda value: isinstance(value, frozenset) and all(map(each, value))
    if origin in (Mapping, dict):
        key, entry = map(fits, inner)
        return lambda value: isinstance(value, dict) and all(map(key, value)) and all(map(entry, value.values()))
    if hint in (int, str, bool):
        return lambda value: type(value) is hint  # True is not a number
    if isinstance(hint, type):
        return lambda value: isinstance(value, hint)
    raise TypeError(f"no test is known for fields of the type {hint}")


def strange(title: Title, state: State) -> str | None:
    """Describe the first thing in a position that does not exist in the title; None if everything does."""
    board = state.board
    has = (
        ("hex", title.map.hexes, (*board.tiles, *board.markers, *board.overlays)),
        ("tile", title.map.tiles, [tile for tile, _ in board.tiles.values()]),
        ("tile", title.map.tiles, [tile for pieces in board.overlays.values() for tile, _ in pieces]),
        ("company", title.companies, (*state.companies, *state.prices, *(company for _, company, _ in state.holdings))),
        ("company in the position", state.companies, tuple(title.companies)),
        ("private company", title.privates, tuple(state.privates)),
        ("space of the chart", title.chart.prices, [marker.cell for marker in state.prices.values()]),
        ("train", title.trains, (*state.supply, *state.bought, *state.pool_trains)),
        ("train", title.trains, [train for company in state.companies.values() for train in company.trains]),
        ("phase", [phase.name for phase in title.phases], (state.phase,)),
        ("player", state.players, (state.priority,)),
        ("step", [kind.__name__ for kind in title.steps], [type(frame).__name__ for frame in state.agenda]),
    )
    found = next((f"{what} {name}" for what, known, names in has for name in names if name not in known), None)
    return found or (None if state.agenda or state.finished else "game without a step")


def _one_of(inner: tuple[Any, ...]) -> Fits:
    classes = tuple(each for each in inner if isinstance(each, type) and each not in (int, str, bool))
    tests = tuple(fits(each) for each in inner if each not in classes)
    return lambda value: isinstance(value, classes) or any(test(value) for test in tests)


def _tuple(inner: tuple[Any, ...]) -> Fits:
    if len(inner) == 2 and inner[1] is Ellipsis:
        each = fits(inner[0])
        return lambda value: isinstance(value, tuple) and all(map(each, value))
    tests = tuple(map(fits, inner))
    return lambda value: (
        isinstance(value, tuple)
        and len(value) == len(tests)
        and all(test(part) for test, part in zip(tests, value, strict=True))
    )
