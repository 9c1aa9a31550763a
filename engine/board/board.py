"""The board: the tiles laid and the station markers placed. A board is immutable; results computed from it are kept in
its own cache."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from engine.board.map import Face, Map
from engine.core.ids import CompanyId, HexId, TileId
from engine.core.orders import Space

T = TypeVar("T")

_MOST_REMEMBERED = 256
Circles = tuple[tuple[CompanyId, ...], ...]
"""For each city of a hex, the companies with a marker in it, in the order of placing."""


class Trackwork:
    """Results that depend only on the track of a board, not on its markers. Boards with the same track share it."""

    __slots__ = ("_older", "_parts", "faces", "known")

    def __init__(self, older: dict[str, tuple[Any, frozenset[HexId]]] | None = None) -> None:
        self.known: dict[Hashable, Any] = {}
        """Results that are computed anew for each trackwork, by name, or by name and the other values that they depend
        on."""
        self.faces: dict[HexId, Face] = {}
        """The faces that have been computed so far, by hex."""
        self._parts: dict[str, Any] = {}
        self._older = older or {}

    def after(self, hex: HexId) -> Trackwork:
        """The trackwork after a lay in ``hex``."""
        older = {name: (found, hexes | {hex}) for name, (found, hexes) in self._older.items()}
        following = Trackwork(older | {name: (found, frozenset((hex,))) for name, found in self._parts.items()})
        following.faces = {at: face for at, face in self.faces.items() if at != hex}
        return following

    def patched(self, name: str, hexes: Iterable[HexId], work_out: Callable[[T | None, Iterable[HexId]], T]) -> T:
        """Return a result that is computed hex by hex. ``work_out`` gets the result of an older trackwork and the hexes
        whose track has changed since, or None and all ``hexes``."""
        if name not in self._parts:
            self._parts[name] = work_out(*self._older.pop(name, (None, hexes)))
        found: T = self._parts[name]
        return found

    def forget(self) -> None:
        """Drop all results; they are computed again when they are needed."""
        for found in (self.known, self.faces, self._parts, self._older):
            found.clear()


@dataclass(frozen=True, slots=True, repr=False)
class Board:
    """``tiles``: hex -> (tile, rotation), without printed hexes. ``markers``: hex -> companies by city. ``overlays``:
    hex -> pieces laid over the face of the hex, as (tile, rotation) in the order of laying.

    ``cache`` belongs to this board alone. It holds results that follow from the board (reach, best runs), by the other
    values that they depend on. ``remember`` limits its size. ``trackwork`` holds results that follow from the track
    alone.
    """

    map: Map
    tiles: Mapping[HexId, tuple[TileId, int]]
    markers: Mapping[HexId, Circles]
    overlays: Mapping[HexId, tuple[tuple[TileId, int], ...]] = field(default_factory=dict)
    cache: dict[Hashable, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    trackwork: Trackwork = field(default_factory=Trackwork, init=False, compare=False, repr=False)

    def __repr__(self) -> str:
        tokens = sum(len(circle) for circles in self.markers.values() for circle in circles)
        return f"<Board: tiles laid in {len(self.tiles)} hexes, {tokens} tokens>"

    @staticmethod
    def start(map: Map) -> Board:
        """The printed map without markers."""
        return Board(map, {}, {})

    def remember(self, key: Hashable, value: Any) -> Any:
        """Keep ``value`` in the cache and return it. The cache holds at most 256 entries; the oldest
        is dropped first."""
        if len(self.cache) >= _MOST_REMEMBERED:
            self.cache.pop(next(iter(self.cache)))
        self.cache[key] = value
        return value

    def forget(self, successor: Board) -> None:
        """Drop the results computed for a past board, except those that its ``successor`` shares."""
        self.cache.clear()
        if self.trackwork is not successor.trackwork:
            self.trackwork.forget()

    def face(self, hex: HexId) -> Face:
        """The face of ``hex`` as it lies on the board, with all pieces laid over it."""
        found = self.trackwork.faces.get(hex)
        if found is None:
            found = self.trackwork.faces[hex] = self._seen(hex)
        return found

    def _seen(self, hex: HexId) -> Face:
        placed = self.tiles.get(hex)
        tiles = self.map.tiles
        seen = self.map.hexes[hex].face if placed is None else tiles[placed[0]].face.turned(placed[1])
        if not self.overlays or hex not in self.overlays:
            return seen
        return seen.under(tuple(tiles[tile].face.turned(rotation) for tile, rotation in self.overlays[hex]))

    def crossing_cost(self, hex: HexId, new: Face) -> int:
        """The cost of the edges with a price that track crosses for the first time once ``new`` lies in the hex: edges
        to which it adds track, and at which track of the neighbour ends."""
        crossings = self.map.hexes[hex].crossings
        if not crossings:
            return 0
        near, added = self.map.hexes[hex].neighbors, new.exits - self.face(hex).exits
        return sum(
            cost for edge, cost in crossings.items() if edge in added and (edge + 3) % 6 in self.face(near[edge]).exits
        )

    def rivers(self, hex: HexId) -> Mapping[int, int]:
        """The edges of the hex with a price that no track crosses yet, with that price."""
        printed, exits = self.map.hexes[hex], self.face(hex).exits
        return {
            edge: cost
            for edge, cost in printed.crossings.items()
            if edge not in exits or (edge + 3) % 6 not in self.face(printed.neighbors[edge]).exits
        }

    def circles(self, hex: HexId) -> Circles:
        return self.markers.get(hex) or ((),) * len(self.face(hex).cities)

    def at(self, hex: HexId, city: int) -> tuple[CompanyId, ...]:
        """The companies with a marker in the city."""
        return self.circles(hex)[city]

    def free(self, hex: HexId, city: int) -> int:
        """The number of circles of the city without a marker, including reserved ones."""
        return self.face(hex).cities[city].slots - len(self.at(hex, city))

    def blocks(self, hex: HexId, city: int, friends: frozenset[CompanyId]) -> bool:
        """True if the city ends the routes of ``friends``: none of them has a marker there, and markers of others fill
        it. If the map says so (``any_marker_blocks``), a single marker of others is enough."""  # rule 1861:8.1
        there = self.at(hex, city)
        if not there or friends.intersection(there):
            return False
        return self.map.any_marker_blocks or len(there) >= self.face(hex).cities[city].slots

    def places_of(self, company: CompanyId) -> tuple[tuple[HexId, int], ...]:
        """The hex and city of each marker of ``company``, in the order in which ``markers`` lists the hexes."""
        return tuple(
            (hex, i) for hex, cities in self.markers.items() for i, city in enumerate(cities) if company in city
        )

    def in_play(self, tile: TileId) -> int:
        """The number of copies of the tile on the map, including pieces laid over other tiles."""
        counts: Counter[TileId] | None = self.trackwork.known.get("in play")
        if counts is None:
            counts = Counter(t for t, _ in self.tiles.values())
            counts.update(t for pieces in self.overlays.values() for t, _ in pieces)
            self.trackwork.known["in play"] = counts
        return counts[tile]

    def lay(self, hex: HexId, tile: TileId, rotation: int) -> Board:
        """The board after the tile replaces the face of ``hex``. Markers move to the city that keeps the exits of
        theirs."""
        old, new = self.face(hex), self.map.tiles[tile].face.turned(rotation)
        markers = dict(self.markers)
        if hex in markers:
            cities: list[tuple[CompanyId, ...]] = [()] * len(new.cities)
            for i, there in enumerate(markers[hex]):
                if there:
                    heir = city_heir(old, i, new)
                    cities[heir] += there
            markers[hex] = tuple(cities)
        tiles = {**self.tiles, hex: (tile, rotation)}
        return Board(self.map, tiles, markers, self.overlays)._on(self.trackwork.after(hex))

    def add(self, hex: HexId, tile: TileId, rotation: int) -> Board:
        """The board after the piece is laid over the face of ``hex``. Markers stay where they are."""
        overlays = {**self.overlays, hex: (*self.overlays.get(hex, ()), (tile, rotation))}
        markers = self.markers
        if hex in markers and (new := self.map.tiles[tile].face.cities):
            markers = {**markers, hex: markers[hex] + ((),) * len(new)}
        return Board(self.map, self.tiles, markers, overlays)._on(self.trackwork.after(hex))

    def place(self, hex: HexId, city: int, company: CompanyId) -> Board:
        cities = list(self.circles(hex))
        cities[city] += (company,)
        return self._with({**self.markers, hex: tuple(cities)})

    def remove(self, hex: HexId, city: int, company: CompanyId) -> Board:
        cities = list(self.circles(hex))
        cities[city] = tuple(c for c in cities[city] if c != company)
        markers = {**self.markers, hex: tuple(cities)}
        if not any(cities):
            del markers[hex]
        return self._with(markers)

    def substitute(self, hex: HexId, city: int, old: CompanyId, new: CompanyId) -> Board:
        """The board after ``new`` takes the place of the marker of ``old``."""
        cities = list(self.circles(hex))
        cities[city] = tuple(new if c == old else c for c in cities[city])
        return self._with({**self.markers, hex: tuple(cities)})

    def _with(self, markers: Mapping[HexId, Circles]) -> Board:
        return Board(self.map, self.tiles, markers, self.overlays)._on(self.trackwork)

    def _on(self, trackwork: Trackwork) -> Board:
        """Give this new board a trackwork whose results are already known, in whole or in part. Returns the board."""
        object.__setattr__(self, "trackwork", trackwork)
        return self

    def home_city(self, hex: HexId, printed: int) -> int:
        """The present index of the city that is printed in the hex with the index ``printed``."""
        return city_heir(self.map.hexes[hex].face, printed, self.face(hex))

    def city_at(self, space: Space) -> int | None:
        """The index of the city that ``space`` means now; None if there is no such city, or more than one."""
        if space.hex not in self.map.hexes:
            return None
        face = self.face(space.hex)
        found = set(range(len(face.cities)))
        if space.exit is not None:
            found = {i for i in found if space.exit in face.exits_of("c", i)}
        if space.number is not None:
            found &= {space.number - 1}
        if space.company is not None:
            printed = self.map.hexes[space.hex].face.cities
            homes = {self.home_city(space.hex, i) for i, c in enumerate(printed) if space.company in c.reserved_for}
            standing = {i for i in found if space.company in self.at(space.hex, i)}
            found &= standing or homes
        return found.pop() if len(found) == 1 else None


def city_heir(old: Face, city: int, new: Face) -> int:
    """The index of the city of ``new`` that replaces the city with the index ``city`` of ``old``: the one that keeps
    its exits. A city without track gets one that replaces no other."""
    if len(new.cities) <= 1:
        return 0
    kept = {i: _keeps(old.exits_of("c", i), new) for i in range(len(old.cities)) if old.exits_of("c", i)}
    if city in kept:
        found = kept[city]
        return min(city, len(new.cities) - 1) if found is None else found
    without = [i for i in range(len(old.cities)) if i not in kept]
    rest = [i for i in range(len(new.cities)) if i not in kept.values()]
    return rest[min(without.index(city), len(rest) - 1)] if rest else min(city, len(new.cities) - 1)


def _keeps(exits: frozenset[int], new: Face) -> int | None:
    """The index of the first city of ``new`` with all these exits."""
    return next((i for i in range(len(new.cities)) if exits <= new.exits_of("c", i)), None)
