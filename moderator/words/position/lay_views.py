"""Legal lays by hex and tile, each turn with the sides that its track joins.

The module contains no words of any language, only names and numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

from engine.board.map import End, Face
from engine.core import orders as o
from engine.core.agenda import Choice, Menu
from engine.core.decide import cost, effects
from engine.core.events import Event, LoansChanged
from engine.core.ids import HexId, TileId
from engine.core.state import State
from engine.core.title import Title
from moderator.words.position.board_views import track, values

Added: TypeAlias = tuple[tuple[str, str], ...]
"""Things that a tile adds to a hex besides sides, by kind: ``circles``, the number that its cities have now; ``value``,
the present value of its stops; ``ways``, the sides that it joins as they were not joined before."""


_FEW: Final = 3
"""The maximum number of new ways that are told beside other things that a tile adds."""


@dataclass(frozen=True, slots=True)
class Turned:
    """A tile in one turn. ``joins``: the sides that its track joins, as an order may name them; for an upgrade a plus
    is before the new ones; empty if none is new. ``adds``: the other things that it adds then."""

    turn: int
    joins: str = ""
    adds: Added = ()


@dataclass(frozen=True, slots=True)
class LayLine:
    """All lays in one hex that cost the same. ``cost``: the cost of each with all that belongs to it, 0 if it is free.
    ``loans``: the number of loans that the company takes for it."""

    hex: HexId
    cost: int
    tiles: tuple[tuple[TileId, tuple[Turned, ...]], ...]
    loans: int = 0


def lay_lines(title: Title, state: State, choices: Iterable[Choice]) -> tuple[LayLine, ...]:
    """The lays among ``choices`` by hex, cost and tile. The lays in a hex follow each other, the cheapest first."""
    found: dict[HexId, dict[int, dict[TileId, list[o.Lay]]]] = {}
    for choice in choices:
        if isinstance(order := choice.order, o.Lay):
            alike = found.setdefault(order.hex, {}).setdefault(cost(title, state, order) or 0, {})
            alike.setdefault(order.tile, []).append(order)
    return tuple(
        LayLine(
            hex,
            price,
            tuple((tile, _turns(title, state, lays)) for tile, lays in tiles.items()),
            loans_for(title, state, next(iter(tiles.values()))[0]),
        )
        for hex, by_cost in found.items()
        for price, tiles in sorted(by_cost.items(), key=lambda one: one[0])
    )


def loans_for(title: Title, state: State, order: o.Lay | o.Token) -> int:
    """The number of loans that a company takes to pay for a tile or a token."""
    price = cost(title, state, order) or 0
    if price <= state.money(order.actor):
        return 0
    return loans_taken(effects(title, state, order))


def loans_taken(events: Iterable[Event]) -> int:
    """The number of loans taken in ``events``."""
    return sum(event.change for event in events if isinstance(event, LoansChanged) and event.reason == "taken")


def lays(title: Title, state: State, menu: Menu) -> dict[str, tuple[LayLine, ...]]:
    """Private -> the legal lays that use it; lays without a private are under ``""``."""
    by_private: dict[str, list[Choice]] = {"": []}
    for choice in menu:
        if isinstance(choice.order, o.Lay):
            by_private.setdefault(str(choice.order.using or ""), []).append(choice)
    return {private: lay_lines(title, state, choices) for private, choices in by_private.items()}


def turned(title: Title, state: State, hex: HexId, tile: TileId, turn: int) -> Turned:
    """A lay in a hex as it lies now, with the sides that it joins, or else what it adds."""
    old, new = state.board.face(hex), title.map.tiles[tile].face.turned(turn)
    names = title.map.edge_names
    if not old.exits:
        return Turned(turn, ",".join(track(title, new)), () if new.exits else _added(title, state, old, new))
    if not (more := sorted(new.exits - old.exits)):
        return Turned(turn, adds=_added(title, state, old, new))
    kept = "-".join(names[e] for e in sorted(new.exits & old.exits))
    return Turned(turn, f"{kept}+{','.join(names[e] for e in more)}")


def _turns(title: Title, state: State, orders: list[o.Lay]) -> tuple[Turned, ...]:
    return tuple(
        turned(title, state, order.hex, order.tile, order.rotation)
        for order in sorted(orders, key=lambda order: order.rotation)
    )


def _added(title: Title, state: State, old: Face, new: Face) -> Added:
    """The things that a tile adds besides sides; none if only its number differs."""
    found = []
    values_before, now = values(title, state, old), values(title, state, new)
    if now and now != values_before:
        found.append(("value", "/".join(map(str, now))))
    before, circles = (sum(city.slots for city in face.cities) for face in (old, new))
    if circles != before:
        found.append(("circles", str(circles)))
    names = title.map.edge_names
    if (ways := sorted(_ways(new) - _ways(old))) and (len(ways) <= _FEW or not found):
        found.append(("ways", ", ".join(f"{names[a]}-{names[b]}" for a, b in ways)))
    return tuple(found)


def _ways(face: Face) -> frozenset[tuple[int, int]]:
    """The pairs of sides that track joins, directly or through one stop."""
    at: dict[End, set[int]] = {}
    found = set[tuple[int, int]]()
    for (kind, a), (other, b) in face.paths:
        if kind == other == "e":
            found.add((min(a, b), max(a, b)))
        elif kind == "e" or other == "e":
            stop, edge = ((other, b), a) if kind == "e" else ((kind, a), b)
            at.setdefault(stop, set()).add(edge)
    return frozenset(found | {pair for edges in at.values() for pair in combinations(sorted(edges), 2)})
