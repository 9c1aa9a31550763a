"""The track of a board as a small graph of integers: stops, and stretches of track between them.

A hex side belongs to one piece of track only, so two routes share track exactly where they share a side; turning round
at a junction uses a side twice. Sides used by just the same stretches are one bit, so a route is one machine word and
"no track shared" is one ``&``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from engine.board.board import Board
from engine.board.map import End, Face, Stop
from engine.core.ids import CompanyId, HexId

TERMINALS = frozenset({"offboard", "mountain"})
"""Kinds of stop that end every route."""
_KINDS = (("c", "cities"), ("t", "towns"), ("o", "offboards"))


@dataclass(frozen=True, slots=True)
class Node:
    """A stop on the board. ``place`` is one bit: a route may touch each place once (all hexes of an off-board area are
    one place, and so are all cities of a hex, unless the map holds them apart)."""

    hex: HexId
    index: int
    stop: Stop
    place: int

    @property
    def kind(self) -> str:
        return self.stop.kind

    @property
    def terminal(self) -> bool:
        """Whether it ends every route: an off-board area or a mountain."""
        return self.stop.kind in TERMINALS


@dataclass(frozen=True, slots=True)
class Stretch:
    """Track from stop ``a`` to stop ``b`` (numbers, ``a`` < ``b``) with no stop between them."""

    a: int
    b: int
    mask: int
    """Its sides, one bit per class."""
    hexes: tuple[HexId, ...]
    """The hexes it runs through from ``a`` to ``b``, both ends included."""
    colors: frozenset[str] = frozenset()
    """The colours of those hexes."""
    tunnels: tuple[HexId, ...] = ()
    """The hexes whose tunnels it uses."""

    @property
    def entered(self) -> int:
        """How often it enters a hex; track from stop to stop inside a hex enters none."""
        return sum(a != b for a, b in pairwise(self.hexes))

    def other(self, node: int) -> int:
        return self.b if node == self.a else self.a

    def hexes_from(self, node: int) -> tuple[HexId, ...]:
        """``hexes`` in the direction that leaves ``node``."""
        return self.hexes if node == self.a else self.hexes[::-1]


@dataclass(frozen=True, slots=True)
class Graph:
    """``exits``: by stop, the stretches that leave it as (stretch, other stop). ``at``: stops by hex."""

    nodes: tuple[Node, ...]
    stretches: tuple[Stretch, ...]
    exits: tuple[tuple[tuple[int, int], ...], ...]
    at: Mapping[HexId, tuple[int, ...]]
    side_hexes: tuple[tuple[HexId, ...], ...]
    """By bit of a mask, the hexes that touch the sides of the class: to say where two routes meet."""

    def meeting(self, shared: int) -> tuple[HexId, ...]:
        """The hexes whose sides the bits ``shared`` stand for."""
        found: dict[HexId, None] = {}
        for bit, hexes in enumerate(self.side_hexes):
            if shared >> bit & 1:
                found.update(dict.fromkeys(hexes))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Track:
    """What a route is: its stops in order and the stretches between them, as numbers of one board's graph."""

    stops: tuple[int, ...]
    stretches: tuple[int, ...]

    def mask(self, graph: Graph) -> int:
        mask = 0
        for s in self.stretches:
            mask |= graph.stretches[s].mask
        return mask

    def hexes(self, graph: Graph) -> tuple[HexId, ...]:
        """Every hex it runs through, in order."""
        found = [graph.nodes[self.stops[0]].hex]
        for node, s in zip(self.stops, self.stretches, strict=False):
            found.extend(graph.stretches[s].hexes_from(node)[1:])
        return tuple(found)

    def length(self, graph: Graph) -> int:
        """The hexes it runs through, one that it enters twice counted twice."""  # rule 1844:8.9
        return 1 + sum(graph.stretches[s].entered for s in self.stretches)

    def tunnels(self, graph: Graph) -> tuple[HexId, ...]:
        """The hexes whose tunnels it uses, in order of its stretches."""
        return tuple(hex for s in self.stretches for hex in graph.stretches[s].tunnels)

    def reversed(self) -> Track:
        return Track(self.stops[::-1], self.stretches[::-1])


def graph_of(board: Board) -> Graph:
    """The board's graph, worked out once for each board."""
    found = board.cache.get("graph")
    if found is None:
        found = board.remember("graph", _build(board))
    assert isinstance(found, Graph)
    return found


def own_stops(board: Board, graph: Graph, company: CompanyId) -> tuple[int, ...]:
    """The stops where ``company`` has a marker, in order of their hexes."""
    places = board.places_of(company)
    return tuple(
        i
        for hex in sorted({h for h, _ in places})
        for i in graph.at.get(hex, ())
        if graph.nodes[i].kind == "city" and (hex, graph.nodes[i].index) in places
    )


def blocked_stops(board: Board, graph: Graph, company: CompanyId) -> frozenset[int]:
    """Cities that others' markers block: ``company`` may end a route there, but not pass."""
    friends = frozenset((company,))
    return frozenset(
        i
        for hex in board.markers
        for i in graph.at.get(hex, ())
        if graph.nodes[i].kind == "city" and board.blocks(hex, graph.nodes[i].index, friends)
    )


@lru_cache(maxsize=4096)
def _joins(face: Face) -> Mapping[End, tuple[End, ...]]:
    """Each end of track in a hex -> the ends it leads to."""
    found: dict[End, tuple[End, ...]] = {}
    for a, b in face.paths:
        found[a] = (*found.get(a, ()), b)
        found[b] = (*found.get(b, ()), a)
    return found


class _Walker:
    """Finds every stretch. A walk never uses a side twice; a stretch is found from its stop with the lower number."""

    def __init__(self, board: Board) -> None:
        self.hexes = board.map.hexes
        self.faces = {hex: face for hex in self.hexes if (face := board.face(hex)).paths}
        self.joins: dict[HexId, Mapping[End, tuple[End, ...]]] = {}
        self.number: dict[tuple[HexId, End], int] = {}
        self.sides: dict[tuple[HexId, End], int] = {}
        self.inside: dict[tuple[HexId, End, End], int] = {}
        self.touching: list[tuple[HexId, ...]] = []
        self.found: list[tuple[int, int, int, tuple[HexId, ...], tuple[HexId, ...]]] = []
        self.nodes: list[Node] = []
        self.at: dict[HexId, tuple[int, ...]] = {}
        places: dict[tuple[str, ...], int] = {}
        joined = "" if board.map.cities_apart else "c"
        for hex, face in self.faces.items():
            self.joins[hex] = _joins(face)
            for kind, field in _KINDS:
                for i, stop in enumerate(getattr(face, field)):
                    key = (
                        ("o", stop.group or f"{hex}/{i}")
                        if kind == "o"
                        else (kind, hex, "" if kind == joined else str(i))
                    )
                    place = places.setdefault(key, len(places))
                    self.number[hex, (kind, i)] = len(self.nodes)
                    self.at[hex] = (*self.at.get(hex, ()), len(self.nodes))
                    self.nodes.append(Node(hex, i, stop, 1 << place))

    def side(self, hex: HexId, end: End, beyond: HexId, far: End) -> int:
        number = self.sides.get((hex, end))
        if number is None:
            number = self.sides[hex, end] = self.sides[beyond, far] = len(self.touching)
            self.touching.append((hex, beyond))
        return number

    def inner(self, hex: HexId, a: End, b: End) -> int:
        """Track from stop to stop inside one hex has no side: it is its own."""
        key = (hex, min(a, b), max(a, b))
        if key not in self.inside:
            self.inside[key] = len(self.touching)
            self.touching.append((hex,))
        return self.inside[key]

    def bored(self, hex: HexId, a: End, b: End) -> tuple[HexId, ...]:
        """The hex if the piece of track from ``a`` to ``b`` is its tunnel."""
        tunnels = self.faces[hex].tunnels
        return (hex,) if tunnels and ((a, b) in tunnels or (b, a) in tunnels) else ()

    def walk(
        self, start: int, hex: HexId, end: End, used: int, trail: tuple[HexId, ...], tunnels: tuple[HexId, ...]
    ) -> None:
        """Go on from ``end``, just reached inside ``hex``."""
        if end[0] != "e":
            there = self.number[hex, end]
            if there > start:
                self.found.append((start, there, used, trail, tunnels))
            return
        here = self.hexes[hex]
        beyond = here.neighbors.get(end[1])
        if beyond is None or end[1] in here.closed_edges or beyond not in self.joins:
            return
        far = ("e", (end[1] + 3) % 6)
        onward = self.joins[beyond].get(far)
        if onward is None:
            return
        bit = 1 << self.side(hex, end, beyond, far)
        if used & bit:
            return
        for next_end in onward:
            through = self.bored(beyond, far, next_end)
            self.walk(start, beyond, next_end, used | bit, (*trail, beyond), (*tunnels, *through))

    def run(self) -> None:
        for (hex, own), start in self.number.items():
            for end in self.joins[hex].get(own, ()):
                through = self.bored(hex, own, end)
                if end[0] == "e":
                    self.walk(start, hex, end, 0, (hex,), through)
                else:
                    self.walk(start, hex, end, 1 << self.inner(hex, own, end), (hex, hex), through)


def _build(board: Board) -> Graph:
    walker = _Walker(board)
    walker.run()
    users = [0] * len(walker.touching)
    for s, (_, _, used, _, _) in enumerate(walker.found):
        while used:
            low = used & -used
            users[low.bit_length() - 1] |= 1 << s
            used ^= low
    classes: dict[int, int] = {}
    hexes_of: list[tuple[HexId, ...]] = []
    masks = [0] * len(walker.found)
    for side, by in enumerate(users):
        if not by:
            continue
        if by not in classes:
            classes[by] = len(hexes_of)
            hexes_of.append(())
            while by:
                low = by & -by
                masks[low.bit_length() - 1] |= 1 << (len(hexes_of) - 1)
                by ^= low
        hexes_of[classes[users[side]]] += walker.touching[side]
    color = {hex: face.color for hex, face in walker.faces.items()}
    stretches = tuple(
        Stretch(a, b, masks[s], trail, frozenset(color[hex] for hex in trail), tunnels)
        for s, (a, b, _, trail, tunnels) in enumerate(walker.found)
    )
    exits: list[list[tuple[int, int]]] = [[] for _ in walker.nodes]
    for s, stretch in enumerate(stretches):
        exits[stretch.a].append((s, stretch.b))
        exits[stretch.b].append((s, stretch.a))
    return Graph(tuple(walker.nodes), stretches, tuple(map(tuple, exits)), walker.at, tuple(hexes_of))
