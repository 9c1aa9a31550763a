"""Tiles and city spaces by the numbers that 18xx.games gives them, for games that are written as its records.

The tiles of one type are a row, from 0 on. What is laid is taken from its front, and a tile that is replaced goes to
its end. A type without limit gets one more tile for each that is laid. A printed hex is called by its coordinate and a
number that counts the hexes that are printed alike, in the order of their letters and numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from engine.board.board import Board
from engine.board.map import Face, Hex, Map
from engine.core.ids import HexId, TileId
from engine.core.orders import Space


@dataclass(slots=True)
class Piles:
    """``map``: with the tiles that there are. ``printed``: the numbers of printed hexes that are not counted so."""

    map: Map
    printed: Mapping[HexId, int] = field(default_factory=dict)
    _left: dict[TileId, list[int]] = field(default_factory=dict)
    """Type -> the numbers of its tiles that lie beside the map, in the order of the row."""
    _highest: dict[TileId, int] = field(default_factory=dict)
    _there: dict[HexId, tuple[TileId, int]] = field(default_factory=dict)

    def lay(self, tile: TileId, hex: HexId) -> str:
        """The number of the tile that is laid in ``hex``: ``635-0``."""
        number = self.take(tile)
        if (old := self._there.get(hex)) is not None:
            self._row(old[0]).append(old[1])
        self._there[hex] = tile, number
        return f"{tile}-{number}"

    def take(self, tile: TileId) -> int:
        """The first tile of the row, which is laid over what a hex shows."""
        row = self._row(tile)
        if self.map.tiles[tile].count is None:
            self._highest[tile] = self._highest.get(tile, 0) + 1
            row.append(self._highest[tile])
        return row.pop(0)

    def _row(self, tile: TileId) -> list[int]:
        if tile not in self._left:
            count = self.map.tiles[tile].count
            self._left[tile] = list(range(1 if count is None else count))
        return self._left[tile]

    def city(self, hex: HexId, city: int) -> str:
        """The name of a city: ``635-0-2`` is city 2 of that tile, ``P8-6-0`` one of a printed hex."""
        there = self._there.get(hex)
        if there is not None:
            return f"{there[0]}-{there[1]}-{city}"
        return f"{hex}-{self.printed[hex] if hex in self.printed else _place(self.map, hex)}-{city}"


def city_of(board: Board, space: Space) -> int:
    """The number of the city that ``space`` means: the only one with room, where it names none."""
    city = board.city_at(space)
    if city is not None:
        return city
    return next((i for i in range(len(board.face(space.hex).cities)) if board.free(space.hex, i)), 0)


@lru_cache(maxsize=512)
def _place(map: Map, hex: HexId) -> int:
    """The place of a printed hex among those that are printed alike."""
    alike = _print(map.hexes[hex])
    return sum(1 for other in _in_order(map.hexes) if _order(other) < _order(hex) and _print(map.hexes[other]) == alike)


def _in_order(hexes: Iterable[HexId]) -> list[HexId]:
    return sorted(hexes, key=_order)


def _order(hex: HexId) -> tuple[str, int]:
    letters, number = re.fullmatch(r"([A-Za-z]+)(\d+)", hex).groups()  # type: ignore[union-attr]
    return letters, int(number)


def _print(hex: Hex) -> tuple[object, ...]:
    """All that is printed in a hex but its name and whose home it is."""
    face: Face = hex.face
    stops = [(s.kind, str(s.revenue), s.slots, s.group) for s in (*face.cities, *face.towns, *face.offboards)]
    return (face.color, tuple(stops), face.paths, face.label, face.terrain, face.ground, hex.future_label, hex.walls)
