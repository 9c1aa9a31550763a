"""Legal lays by hex and tile, each turn with the sides that its track joins.

The module contains no words of any language, only names and numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.board.map import Face
from engine.core import orders as o
from engine.core.agenda import Choice, Menu
from engine.core.decide import cost
from engine.core.ids import HexId, TileId
from engine.core.state import State
from engine.core.title import Title
from moderator.render.board_views import track

MANY: Final = 60
"""The number of lays above which a mail leaves out the sides that they join."""


@dataclass(frozen=True, slots=True)
class Turned:
    """A tile in one turn. ``joins``: the sides that its track joins, for an upgrade only the new ones; empty if none is
    new, or if the sides are left out."""

    turn: int
    joins: str = ""


@dataclass(frozen=True, slots=True)
class LayLine:
    """All lays in one hex. ``cost``: the cost of the first of them, 0 if it is free."""

    hex: HexId
    cost: int
    tiles: tuple[tuple[TileId, tuple[Turned, ...]], ...]


def lay_lines(title: Title, state: State, choices: Iterable[Choice], *, brief: bool = False) -> tuple[LayLine, ...]:
    """The lays among ``choices`` by hex and tile. ``brief``: leave out the sides that they join."""
    found: dict[HexId, dict[TileId, list[o.Lay]]] = {}
    for choice in choices:
        if isinstance(order := choice.order, o.Lay):
            found.setdefault(order.hex, {}).setdefault(order.tile, []).append(order)
    return tuple(
        LayLine(
            hex,
            cost(title, state, next(iter(tiles.values()))[0]) or 0,
            tuple((tile, _turns(title, state, lays, brief)) for tile, lays in tiles.items()),
        )
        for hex, tiles in found.items()
    )


def lays(title: Title, state: State, menu: Menu) -> dict[str, tuple[LayLine, ...]]:
    """Private -> the legal lays that use it; lays without a private are under ``""``."""
    by_private: dict[str, list[Choice]] = {"": []}
    for choice in menu:
        if isinstance(choice.order, o.Lay):
            by_private.setdefault(str(choice.order.using or ""), []).append(choice)
    return {private: lay_lines(title, state, choices) for private, choices in by_private.items()}


def _turns(title: Title, state: State, orders: list[o.Lay], brief: bool) -> tuple[Turned, ...]:
    return tuple(
        Turned(order.rotation, "" if brief else _joins(title, state.board.face(order.hex), order))
        for order in sorted(orders, key=lambda order: order.rotation)
    )


def _joins(title: Title, old: Face, order: o.Lay) -> str:
    """The sides that the lay joins: ``N-NE`` if the hex had no track, ``+S,SW`` for the sides that are added."""
    new = title.map.tiles[order.tile].face.turned(order.rotation)
    names = title.map.edge_names
    if not old.exits:
        return ",".join(track(title, new))
    return "".join(f"{'+' if not i else ','}{names[e]}" for i, e in enumerate(sorted(new.exits - old.exits)))
