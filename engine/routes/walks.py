"""Walks along the track of a board, from each stop to the next. They are found once, and again only where track has
changed."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from engine.board.board import Board
from engine.board.map import End, Face, Map
from engine.core.ids import HexId

Place: TypeAlias = tuple[HexId, End]
"""A hex and a stop or an edge in it."""
Section: TypeAlias = Hashable
"""Track that two routes may not share: the number of a hex side, a piece from stop to stop inside a hex, or the stem
of a city."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A way to the stop ``there``, with no stop between. ``used``: its track. ``hexes``: the hexes that it runs
    through, both ends included. ``colors``: their colours. ``tunnels``: the hexes whose tunnels it uses."""

    there: Place
    used: tuple[Section, ...]
    hexes: tuple[HexId, ...]
    colors: frozenset[str]
    tunnels: tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class Departures:
    """All walks from one stop. ``met``: all track on the way, including that of dead ends, with the hexes that it
    touches, in the order in which it was met. ``seen``: the hexes whose track decides the walks."""

    walks: tuple[Walk, ...]
    met: Mapping[Section, tuple[HexId, ...]]
    seen: frozenset[HexId]


@dataclass(frozen=True, slots=True)
class Walked:
    """All walks of a board. ``faces``: the faces of the hexes with track, in the order of the map. ``starts``: by stop,
    the walks from it."""

    faces: Mapping[HexId, Face]
    starts: Mapping[Place, Departures]


def walked(board: Board) -> Walked:
    """The walks on the board from each of its stops."""
    return board.trackwork.patched("walks", board.map.hexes, lambda old, hexes: _walk_again(board, old, hexes))


def _walk_again(board: Board, old: Walked | None, hexes: Iterable[HexId]) -> Walked:
    """The walks on the board. Those of ``old`` are kept where they still hold. ``hexes``: the hexes whose track has
    changed since ``old`` was found."""
    changed = frozenset(hexes)
    before: Mapping[HexId, Face] = {} if old is None else old.faces
    faces = {
        hex: face
        for hex in board.map.hexes
        if (face := board.face(hex) if hex in changed else before.get(hex)) and face.paths
    }
    known = {} if old is None else {at: found for at, found in old.starts.items() if changed.isdisjoint(found.seen)}
    walker = _Walker(board.map, faces)
    starts = {
        (hex, own): known.get((hex, own)) or walker.depart(hex, own)
        for hex, face in faces.items()
        for own in stops_of(face)
    }
    return Walked(faces, starts)


@lru_cache(maxsize=4096)
def stops_of(face: Face) -> tuple[End, ...]:
    """The stops of a hex as ends of its track: cities, towns, off-board areas."""
    rows = (("c", face.cities), ("t", face.towns), ("o", face.offboards))
    return tuple((kind, i) for kind, stops in rows for i in range(len(stops)))


@lru_cache(maxsize=4096)
def _joins(face: Face) -> Mapping[End, tuple[End, ...]]:
    """Each end of track in a hex -> the ends that it leads to."""
    found: dict[End, tuple[End, ...]] = {}
    for a, b in face.paths:
        found[a] = (*found.get(a, ()), b)
        found[b] = (*found.get(b, ()), a)
    return found


@lru_cache(maxsize=8)
def _sides(map: Map) -> Mapping[Place, tuple[int, HexId, End]]:
    """Each edge that track may cross -> the number of its side, the hex beyond it, and the edge in that hex."""
    found: dict[Place, tuple[int, HexId, End]] = {}
    for hex, printed in map.hexes.items():
        for edge, beyond in printed.neighbors.items():
            far = (edge + 3) % 6
            if edge not in printed.closed_edges:
                number = found[beyond, ("e", far)][0] if (beyond, ("e", far)) in found else len(found)
                found[hex, ("e", edge)] = number, beyond, ("e", far)
    return found


class _Walker:
    """A finder of the walks from stops. A walk never uses a side twice."""

    def __init__(self, map: Map, faces: Mapping[HexId, Face]) -> None:
        self.sides = _sides(map)
        self.faces = faces
        self.joins = {hex: _joins(face) for hex, face in faces.items()}
        self.walks: list[Walk] = []
        self.met: dict[Section, tuple[HexId, ...]] = {}
        self.seen: set[HexId] = set()

    def depart(self, hex: HexId, own: End) -> Departures:
        """All walks from the stop."""
        self.walks, self.met, self.seen = [], {}, {hex}
        stem = self.stem(hex, own)
        for end in self.joins[hex].get(own, ()):
            tunnels = self.bored(hex, own, end)
            if end[0] == "e":
                self.walk(hex, end, stem, (hex,), tunnels)
            else:  # from stop to stop inside the hex: no side, but track of its own
                piece = (hex, min(own, end), max(own, end))
                self.met.setdefault(piece, (hex,))
                self.arrive(hex, end, (*stem, piece), (hex, hex), tunnels)
        return Departures(tuple(self.walks), self.met, frozenset(self.seen))

    def walk(
        self, hex: HexId, end: End, used: tuple[Section, ...], trail: tuple[HexId, ...], tunnels: tuple[HexId, ...]
    ) -> None:
        """Continue from ``end``, which has just been reached inside ``hex``."""
        if end[0] != "e":
            self.arrive(hex, end, used, trail, tunnels)
            return
        side = self.sides.get((hex, end))
        if side is None:
            return
        number, beyond, far = side
        self.seen.add(beyond)
        onward = self.joins[beyond].get(far) if beyond in self.joins else None
        if onward is None:
            return
        self.met.setdefault(number, (hex, beyond))
        if number in used:
            return
        for following in onward:
            through = self.bored(beyond, far, following)
            self.walk(beyond, following, (*used, number), (*trail, beyond), (*tunnels, *through))

    def arrive(
        self, hex: HexId, end: End, used: tuple[Section, ...], trail: tuple[HexId, ...], tunnels: tuple[HexId, ...]
    ) -> None:
        colors = frozenset([self.faces[one].color for one in trail])
        self.walks.append(Walk((hex, end), (*used, *self.stem(hex, end)), trail, colors, tunnels))

    def stem(self, hex: HexId, end: End) -> tuple[Section, ...]:
        """The stem of the stop, if it is a city whose track all comes in by one; otherwise empty."""
        if end[0] != "c" or end[1] not in self.faces[hex].stems:
            return ()
        stem = (hex, end)
        self.met.setdefault(stem, (hex,))
        return (stem,)

    def bored(self, hex: HexId, a: End, b: End) -> tuple[HexId, ...]:
        """The hex, if the piece of track from ``a`` to ``b`` is its tunnel; otherwise empty."""
        tunnels = self.faces[hex].tunnels
        return (hex,) if tunnels and ((a, b) in tunnels or (b, a) in tunnels) else ()
