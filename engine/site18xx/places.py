"""Places in records of 18xx.games: city spaces by the number of a tile, runs by their legs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from engine.board.board import Board
from engine.core.ids import HexId, TileId
from engine.core.orders import Space

MOST_NAMED: Final = 8
"""Trains of a recorded run that are named; no company has more."""
MOST_HEXES: Final = 60
"""Hexes of a recorded run that are named."""
_MOST_LEGS: Final = 200
"""No map has so many stops, and a run visits each of them once at most."""


@dataclass(slots=True)
class Tiles:
    """The site's numbers of tiles that have been laid: ``635-0`` is the first tile 635."""

    _hexes: dict[str, HexId] = field(default_factory=dict)

    def lay(self, number: str, hex: HexId) -> None:
        """Tile ``number`` lies in ``hex`` from now on."""
        self._hexes[number] = hex

    def place(self, city: str) -> tuple[HexId, int]:
        """The hex and the number of a city: ``635-0-2`` is city 2 of that tile, ``H8-0-1`` or ``H8-1`` of the printed
        hex."""
        place, _, index = city.rpartition("-")
        hex = self._hexes.get(place)
        return HexId(place.split("-")[0]) if hex is None else hex, int(index)

    def space(self, board: Board, city: str) -> Space:
        """The space that means the city."""
        hex, index = self.place(city)
        exits = board.face(hex).exits_of("c", index)
        several = len(board.face(hex).cities) > 1
        return Space(hex, min(exits)) if several and exits else Space(hex)


def tile_type(number: str) -> TileId:
    """Type of a tile by its number: ``635-0`` is a ``635``."""
    return TileId(number.rsplit("-", 1)[0])


def legs_of(route: Mapping[str, Any]) -> Iterator[list[list[HexId]]]:
    """The legs of a run between its stops, each turned so that it begins where the one before it ends. The site writes
    them in either direction, and may add a number to a hex to tell tracks apart; where a hex has several stops, there
    may be several ways to turn them. ``ValueError`` for more legs than any map has stops."""
    if len(route["connections"]) > _MOST_LEGS:
        raise ValueError(f"a run of {len(route['connections'])} legs; at most {_MOST_LEGS} are read")
    legs = [[HexId(str(hex).split()[0]) for hex in leg] for leg in route["connections"]]
    yield from ([legs] if len(legs) == 1 else _in_line(legs[0], legs[1:]))
    if len(legs) > 1:
        yield from _in_line(legs[0][::-1], legs[1:])


def _in_line(first: list[HexId], rest: list[list[HexId]]) -> Iterator[list[list[HexId]]]:
    """All legs in a line that begins with ``first`` as it is. Only ways that lead to the end are followed: a run may
    have so many that do not that they could not all be tried."""
    begins: list[set[HexId]] = [set() for _ in rest]
    """Where leg n may begin, so that all after it fit."""
    for n in range(len(rest) - 1, -1, -1):
        for leg in _turns(rest[n]):
            if n + 1 == len(rest) or leg[-1] in begins[n + 1]:
                begins[n].add(leg[0])
    yield from _lines(first, rest, begins)


def _lines(first: list[HexId], rest: list[list[HexId]], begins: list[set[HexId]]) -> Iterator[list[list[HexId]]]:
    if not rest:
        yield [first]
        return
    for leg in _turns(rest[0]):
        if leg[0] == first[-1] and (len(rest) == 1 or leg[-1] in begins[1]):
            for line in _lines(leg, rest[1:], begins[1:]):
                yield [first, *line]


def _turns(leg: list[HexId]) -> tuple[list[HexId], ...]:
    return (leg,) if leg == leg[::-1] else (leg, leg[::-1])


def path_of(legs: Sequence[Sequence[HexId]]) -> tuple[HexId, ...]:
    """Every hex of a run, from its ``legs``."""
    return (*legs[0], *(hex for leg in legs[1:] for hex in leg[1:]))


def recorded_run(action: Mapping[str, Any]) -> str:
    """The run that an action declares, as the record has it: ``3-2 H7-I6-I4 for 100, 8E-0 C12-D13 for 60``; empty for
    any other action. What does not have the site's form is left out."""
    routes = action.get("routes") if action.get("type") == "run_routes" else None
    found: list[str] = []
    for route in islice(routes or (), MOST_NAMED):
        try:
            legs = next(legs_of(route), route["connections"])
        except (KeyError, IndexError, TypeError, AttributeError, ValueError):
            continue
        if not legs:
            continue
        hexes = path_of(legs)
        earned = "" if route.get("revenue") is None else f" for {route['revenue']}"
        found.append(f"{route.get('train')} {'-'.join(map(str, hexes[:MOST_HEXES]))}{earned}")
    return ", ".join(found)
