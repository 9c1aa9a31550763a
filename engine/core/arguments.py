"""Checks of the arguments that a program passes to a game, so that an error names the wrong argument at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, Final, get_args, get_type_hints

from engine.core.agenda import Ask, Exact, Range
from engine.core.ids import Actor, CompanyId, HexId
from engine.core.orders import Order, Route
from engine.core.state import State
from engine.core.storage.input_checks import Fits, fits
from engine.core.title import Title

_ORDERS: Final = get_args(Order)
_NAMES: Final = re.compile(r"\b(?:Actor|TrainName|\w+Id)\b(?: \| \w+Id\b)*")
"""Types of names, which are plain strings."""


def an_order(given: Order) -> Order:
    """Return ``given``. ``TypeError`` unless it is an order whose parts have the annotated types."""
    kind: type = type(given)
    if kind not in _ORDERS:
        raise TypeError(_no_order(given))
    for name, (fit, hint) in _parts(kind).items():
        if not fit(getattr(given, name)):
            raise TypeError(f"{name} of {kind.__name__} must be {hint}, not {getattr(given, name)!r:.80}")
    return given


def an_actor(given: Actor) -> Actor:
    """Return ``given``. ``TypeError`` unless it can be a name."""
    name: object = given
    if isinstance(name, Ask):
        raise TypeError(f"give the actor of the question, ask.actor ({name.actor!r}), not the question")
    if not isinstance(name, str):
        raise TypeError(f"an actor is the name of a player or a company, not {name!r:.80}")
    return given


def a_company(title: Title, given: CompanyId) -> CompanyId:
    """Return ``given``. ``KeyError`` unless the title has a company of that name."""
    if given not in title.companies:
        raise KeyError(f"{title.name} has no company {given!r}; there are: {', '.join(title.companies)}")
    return given


def routes(given: Sequence[Route]) -> tuple[Route, ...]:
    """Return ``given`` as a tuple. ``TypeError`` unless all its members are routes."""
    if isinstance(given, Route):
        raise TypeError("routes are several: write (route,) for one")
    found: tuple[object, ...] = tuple(given)
    for one in found:
        if not isinstance(one, Route):
            raise TypeError(f'a route is an engine.orders.Route, such as Route("2", ("E1", "H8")), not {one!r:.80}')
    return tuple(given)


def runs(given: tuple[CompanyId | str, Sequence[Route]]) -> tuple[CompanyId, Sequence[Route]]:
    """Return ``given``, a company and its routes. ``TypeError`` unless it is such a pair."""
    found: object = given
    if not isinstance(found, Sequence) or isinstance(found, str) or len(found) != 2:
        raise TypeError(f"runs are a company and its routes, such as (company, best.routes), not {found!r:.80}")
    return CompanyId(given[0]), given[1]


def hexes(title: Title, given: Iterable[HexId | str]) -> list[HexId]:
    """Return ``given`` as a list. ``KeyError`` unless all of them are hexes of the map; ``TypeError`` for a single
    text."""
    if isinstance(given, str):
        raise TypeError(f"hexes are several: write [{given!r}] for one")
    found = [HexId(hex) for hex in given]
    for hex in found:
        if hex not in title.map.hexes:
            raise KeyError(f"the map of {title.name} has no hex {hex!r}")
    return found


def a_position(given: State) -> State:
    """Return ``given``. ``TypeError`` unless it is a position."""
    found: object = given
    if not isinstance(found, State):
        raise TypeError(f"give a position, such as game.at(0), not {found!r:.80}")
    return given


def _no_order(given: object) -> str:
    if isinstance(given, Exact | Range):
        return "an entry of a menu stands for one order or many: give one of them, such as choice.sample()"
    return (
        f'an order is a value of engine.orders, such as Pass("Ann"), not {given!r:.80};'
        " moderator.library.read_orders reads the notation"
    )


@cache
def _parts(kind: type) -> dict[str, tuple[Fits, str]]:
    """The parts of a kind of order, each with its test and the type that a program must pass."""
    hints: dict[str, Any] = get_type_hints(kind)
    return {part.name: (fits(hints[part.name]), _NAMES.sub("str", str(part.type))) for part in fields(kind)}
