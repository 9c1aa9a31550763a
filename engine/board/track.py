"""The track of a board as nodes: stops, and sides of hexes crossed in one direction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from engine.board.board import Board
from engine.board.map import Face, Map
from engine.board.ways import Side
from engine.core.ids import HexId

StopAt: TypeAlias = tuple[str, HexId, int]
"""Kind of stop (``c``, ``t``, ``o``), hex, and index in the hex."""
Node: TypeAlias = StopAt | Side
"""A stop, or a side: the hex, and the edge by which a route enters it."""


@dataclass(frozen=True, slots=True)
class Grid:
    """All nodes that a map could ever have, numbered once. ``marks``: the marks for routes. ``loose``: the marks for
    connections that may use several cities of one hex."""

    nodes: tuple[Node, ...]
    numbers: dict[Node, int]
    marks: tuple[int, ...]
    loose: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HexTrack:
    """The track of one hex: its stops, the ``ends`` among them that end every route, and for each node number the next
    nodes (``after``) and the previous ones (``before``). All the ways that leave a node, or lead to it, are
    in one hex."""

    stops: tuple[StopAt, ...]
    ends: tuple[StopAt, ...]
    after: dict[int, tuple[int, ...]]
    before: dict[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Track:
    """All track of a board: ``pieces`` by hex, and the whole that they form. ``ends``: the stops that
    end every route."""

    grid: Grid
    pieces: dict[HexId, HexTrack]
    stops: tuple[StopAt, ...]
    ends: tuple[StopAt, ...]
    after: dict[int, tuple[int, ...]]
    before: dict[int, tuple[int, ...]]


def track_of(board: Board, barred: frozenset[Side] = frozenset()) -> Track:
    """The board's track as nodes, without ways over the ``barred`` sides. Computed once for each trackwork."""
    whole = board.trackwork.patched("track", board.map.hexes, lambda old, hexes: _track(board, old, hexes))
    if not barred:
        return whole
    key = ("track", barred)
    found: Track | None = board.trackwork.known.get(key)
    if found is None:
        found = board.trackwork.known[key] = _without_sides(board.map, whole, barred)
    return found


def _track(board: Board, old: Track | None, hexes: Iterable[HexId]) -> Track:
    """Build the track. ``hexes``: those whose track has changed since ``old`` was built."""
    if old is None:
        old = Track(_grid(board.map), {}, (), (), {}, {})
    pieces, after, before = dict(old.pieces), dict(old.after), dict(old.before)
    for hex in hexes:
        if (gone := pieces.get(hex)) is not None:
            for nodes, left in ((gone.after, after), (gone.before, before)):
                for node in nodes:
                    del left[node]
        piece = pieces[hex] = _hex_track(board.map, hex, board.face(hex))
        after.update(piece.after)
        before.update(piece.before)
    stops = tuple(stop for piece in pieces.values() for stop in piece.stops)
    return Track(old.grid, pieces, stops, tuple(end for piece in pieces.values() for end in piece.ends), after, before)


def _without_sides(map: Map, track: Track, barred: frozenset[Side]) -> Track:
    """The track without the ways that enter a hex over a barred side, in either direction."""
    numbers, after, before = track.grid.numbers, dict(track.after), dict(track.before)
    for hex, edge in barred:
        neighbor = map.hexes[hex].neighbors.get(edge)
        if neighbor is None:
            continue
        for side in ((hex, edge), (neighbor, (edge + 3) % 6)):
            node = numbers[side]
            for previous in before.pop(node, ()):
                after[previous] = tuple(following for following in after[previous] if following != node)
    return replace(track, after=after, before=before)


@lru_cache(maxsize=8)
def _grid(map: Map) -> Grid:
    """Number all nodes of a map. Both directions of a side share a mark; in ``marks``, so do the cities of a hex. In
    every hex, one piece laid over the face may add cities and towns."""
    faces = [tile.face for tile in map.tiles.values() if not tile.overlay]
    pieces = [tile.face for tile in map.tiles.values() if tile.overlay]
    more = {"c": max((len(p.cities) for p in pieces), default=0), "t": max((len(p.towns) for p in pieces), default=0)}
    numbers: dict[Node, int] = {}
    marks: list[int] = []
    loose: list[int] = []

    def number(node: Node, mark: int, alone: int) -> None:
        numbers[node] = len(marks)
        marks.append(1 << mark)
        loose.append(1 << alone)

    used = 0
    for hex, printed in map.hexes.items():
        for edge, neighbor in printed.neighbors.items():
            if (hex, edge) not in numbers:
                number((hex, edge), used, used)
                number((neighbor, (edge + 3) % 6), used, used)
                used += 1
        possible = [printed.face, *faces] if printed.buildable else [printed.face]
        cities = more["c"] + max(len(face.cities) for face in possible)
        for i in range(cities):
            number(("c", hex, i), used, used + i)
        used += cities
        for kind in ("t", "o"):
            most = max(len(face.towns if kind == "t" else face.offboards) for face in possible)
            for i in range(most + more.get(kind, 0)):
                number((kind, hex, i), used, used)
                used += 1
    return Grid(tuple(numbers), numbers, tuple(marks), tuple(loose))


@lru_cache(maxsize=8192)
def _hex_track(map: Map, hex: HexId, face: Face) -> HexTrack:
    """The track of ``hex`` while it shows ``face``, each path in both directions."""
    numbers, neighbors = _grid(map).numbers, map.hexes[hex].neighbors
    rows = (("c", face.cities), ("t", face.towns), ("o", face.offboards))
    stops: list[StopAt] = [(kind, hex, i) for kind, found in rows for i in range(len(found))]
    after: dict[int, tuple[int, ...]] = {}
    before: dict[int, tuple[int, ...]] = {}
    for path in face.paths:
        for entry, leave in (path, path[::-1]):
            if any(kind == "e" and edge not in neighbors for kind, edge in (entry, leave)):
                continue
            source: Node = (hex, entry[1]) if entry[0] == "e" else (entry[0], hex, entry[1])
            target: Node = (leave[0], hex, leave[1])
            if leave[0] == "e":
                target = (neighbors[leave[1]], (leave[1] + 3) % 6)
            here, following = numbers[source], numbers[target]
            after[here] = (*after.get(here, ()), following)
            before[following] = (*before.get(following, ()), here)
    red = {i for i, city in enumerate(face.cities) if city.kind == "offboard"}
    ends = [(kind, hex, i) for kind, hex, i in stops if kind == "o" or (kind == "c" and (i in face.stems or i in red))]
    return HexTrack(tuple(stops), tuple(ends), after, before)
