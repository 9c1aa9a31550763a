"""The printed map and the tile catalogue: the parts of the board that never change in a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from engine.core.ids import CompanyId, HexId, TileId

End = tuple[str, int]
"""An end of a piece of track: ``("e", edge)``, ``("c", city)``, ``("t", town)`` or ``("o", off-board)``; a title may
add kinds."""


MARKED: Final = frozenset({"city", "pass"})
"""Kinds of stop that take markers."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A city, town or off-board area. ``revenue`` is a number, or a table by the colour of the phase."""

    kind: str
    """``city``, ``town`` or ``offboard``; a title may add kinds. A ``pass`` is listed with the cities and takes
    markers; a ``port`` is listed with the towns; a ``mountain`` is listed with the off-board areas and ends every
    route."""
    revenue: int | Mapping[str, int]
    slots: int = 0
    reserved_for: tuple[CompanyId, ...] = ()
    group: str = ""
    """The name of the off-board area; all off-board hexes of one area share it."""

    def value(self, color: str) -> int:
        """The revenue while ``color`` is the latest colour of track."""
        return self.revenue if isinstance(self.revenue, int) else self.revenue[color]


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """The visible track and stops of a tile or a printed hex. Edges are numbered as they lie on the board."""

    color: str
    cities: tuple[Stop, ...] = ()
    towns: tuple[Stop, ...] = ()
    offboards: tuple[Stop, ...] = ()
    paths: tuple[tuple[End, End], ...] = ()
    label: str = ""
    terrain: int = 0
    ground: str = ""
    """The kind of terrain that ``terrain`` is paid for, as the facts call it: ``mountain``, ``water``, ..."""
    tunnels: tuple[tuple[End, End], ...] = ()
    """The paths, among ``paths``, that are tunnel track."""
    stems: frozenset[int] = frozenset()
    """Indices of cities whose track, whatever the number of exits, enters by a single stem. A route that reaches such a
    city ends there, and no other route may use the stem."""

    @property
    def exits(self) -> frozenset[int]:
        """Edges of the hex that have track."""
        return frozenset(n for path in self.paths for kind, n in path if kind == "e")

    def exits_of(self, kind: str, index: int) -> frozenset[int]:
        """The edges joined directly to one stop. ``kind`` is ``c``, ``t`` or ``o``."""
        node = (kind, index)
        return frozenset(end[1] for path in self.paths if node in path for end in path if end != node and end[0] == "e")

    def turned(self, rotation: int) -> Face:
        """The face turned clockwise by ``rotation`` sixths."""
        return _turned(self, rotation % 6) if rotation % 6 else self

    def under(self, pieces: tuple[Face, ...]) -> Face:
        """The face with the pieces laid over it: their track and stops are added in the order of laying, and the
        revenues of their off-board areas replace the old ones. Colour, label and terrain stay. The same pieces over the
        same face give the same value."""
        return _overlaid(self, pieces) if pieces else self


@lru_cache(maxsize=4096)
def _turned(face: Face, rotation: int) -> Face:
    def turn(end: End) -> End:
        return (end[0], (end[1] + rotation) % 6) if end[0] == "e" else end

    paths = tuple((turn(a), turn(b)) for a, b in face.paths)
    tunnels = tuple((turn(a), turn(b)) for a, b in face.tunnels)
    return replace(face, paths=paths, tunnels=tunnels)


@lru_cache(maxsize=1024)
def _overlaid(face: Face, pieces: tuple[Face, ...]) -> Face:
    for piece in pieces:
        before = {"c": len(face.cities), "t": len(face.towns)}

        def moved(path: tuple[End, End], before: Mapping[str, int] = before) -> tuple[End, End]:
            (a, i), (b, j) = path
            return (a, i + before.get(a, 0)), (b, j + before.get(b, 0))

        face = replace(
            face,
            cities=face.cities + piece.cities,
            towns=face.towns + piece.towns,
            offboards=tuple(
                replace(area, revenue=piece.offboards[i].revenue) if i < len(piece.offboards) else area
                for i, area in enumerate(face.offboards)
            ),
            paths=face.paths + tuple(moved(p) for p in piece.paths),
            tunnels=face.tunnels + tuple(moved(p) for p in piece.tunnels),
        )
    return face


@dataclass(frozen=True, slots=True)
class Hex:
    """A printed hex. ``x`` and ``y`` are doubled coordinates. ``closed_edges``: edges with a neighbour at which no
    track may end."""

    id: HexId
    x: int
    y: int
    name: str
    face: Face
    neighbors: Mapping[int, HexId]
    closed_edges: frozenset[int]
    walls: frozenset[int] = frozenset()
    """The edges, among ``closed_edges``, at which a barrier is printed."""
    crossings: Mapping[int, int] = field(default_factory=dict)
    """Edge -> the cost of track that crosses it (a river); both hexes of the edge have it."""
    closed_until: str = ""
    future_label: tuple[str, str] | None = None
    """The label needed from a colour on, as (label, colour)."""

    @property
    def buildable(self) -> bool:
        """True if track may ever be laid in the hex."""
        return self.face.color not in ("gray", "red", "blue", "purple")


@dataclass(frozen=True, slots=True)
class Tile:
    id: TileId
    face: Face
    count: int | None
    """The number of copies; None is unlimited."""
    overlay: bool = False
    """True for a piece that is laid over the face of a hex instead of replacing it."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Map:
    """``upgrades``: old tile -> new tile -> rotations of the new tile over the old tile at rotation 0. ``relabelled``:
    the same for hexes with a future label, by hex. ``first_lays``: hex -> tile -> rotations over the printed hex.
    ``any_marker_blocks``: any marker of others in a city ends a route, even if the city is not full. ``cities_apart``:
    a route may use several cities of one hex. ``reach_apart``: a train's route may not, but connections for laying
    track and placing markers may."""

    flat: bool
    edge_names: tuple[str, ...]
    edge_deltas: tuple[tuple[int, int], ...]
    hexes: Mapping[HexId, Hex]
    tiles: Mapping[TileId, Tile]
    upgrades: Mapping[TileId, Mapping[TileId, tuple[int, ...]]]
    relabelled: Mapping[HexId, Mapping[TileId, Mapping[TileId, tuple[int, ...]]]]
    first_lays: Mapping[HexId, Mapping[TileId, tuple[int, ...]]]
    any_marker_blocks: bool = False
    cities_apart: bool = False
    reach_apart: bool = False
    blind_ends: frozenset[tuple[HexId, int]] = frozenset()
    """Sides at which track may end although the neighbour has a barrier there."""

    def distance(self, a: HexId, b: HexId) -> int:
        """The number of hexes from ``a`` to ``b`` in a straight line over the full grid, counting ``b``."""
        dx, dy = abs(self.hexes[a].x - self.hexes[b].x), abs(self.hexes[a].y - self.hexes[b].y)
        return dx + max(0, (dy - dx) // 2) if self.flat else dy + max(0, (dx - dy) // 2)

    def __repr__(self) -> str:
        return f"<Map: {len(self.hexes)} hexes, {len(self.tiles)} kinds of tile>"
