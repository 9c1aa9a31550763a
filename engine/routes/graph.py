"""The track of a board as a small graph of integers: stops, and stretches of track between them.

Each hex side belongs to a single piece of track. Two routes therefore share track exactly where they share a side, and
a route that turns round at a junction uses a side twice. Sides that are used by exactly the same stretches are one bit,
so a route is one machine word and "no track shared" is one ``&``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from engine.board.board import Board
from engine.board.map import MARKED, Face, Stop
from engine.core.ids import CompanyId, HexId
from engine.routes.walks import Place, Section, Walk, stops_of, walked

TERMINALS = frozenset({"offboard", "mountain"})
"""Kinds of stop that end every route."""


@dataclass(frozen=True, slots=True)
class Node:
    """A stop on the board. ``place`` is one bit. A route may touch each place once: all hexes of an off-board area are
    one place, and so are all cities of a hex, unless the map keeps them apart."""

    hex: HexId
    index: int
    stop: Stop
    place: int
    stem: bool = False
    """True if all track of the stop comes in by a single stem."""

    @property
    def kind(self) -> str:
        return self.stop.kind

    @property
    def terminal(self) -> bool:
        """True if the stop ends every route: an off-board area, a mountain, or a city with a stem."""
        return self.stem or self.stop.kind in TERMINALS


@dataclass(frozen=True, slots=True)
class Stretch:
    """Track from stop ``a`` to stop ``b`` (numbers, ``a`` < ``b``) with no stop between them."""

    a: int
    b: int
    mask: int
    """The sides that it uses, one bit for each class of sides."""
    hexes: tuple[HexId, ...]
    """The hexes that it runs through from ``a`` to ``b``, both ends included."""
    colors: frozenset[str] = frozenset()
    """The colours of those hexes."""
    tunnels: tuple[HexId, ...] = ()
    """The hexes whose tunnels it uses."""

    @property
    def entered(self) -> int:
        """The number of times that it enters a hex; 0 for track from stop to stop inside a hex."""
        return 0 if self.hexes[0] == self.hexes[1] else len(self.hexes) - 1

    def other(self, node: int) -> int:
        return self.b if node == self.a else self.a

    def hexes_from(self, node: int) -> tuple[HexId, ...]:
        """``hexes`` in the direction that leaves ``node``."""
        return self.hexes if node == self.a else self.hexes[::-1]


@dataclass(frozen=True, slots=True)
class Graph:
    """Stops and stretches, by number. ``exits``: by stop, the stretches that leave it, as (stretch, other stop).
    ``at``: the stops of each hex. ``terminals``: the stops that end every route."""

    nodes: tuple[Node, ...]
    stretches: tuple[Stretch, ...]
    exits: tuple[tuple[tuple[int, int], ...], ...]
    at: Mapping[HexId, tuple[int, ...]]
    side_hexes: tuple[tuple[HexId, ...], ...]
    """By bit of a mask, the hexes that touch the sides of the class. They tell where two routes meet."""
    terminals: tuple[int, ...] = ()

    def meeting(self, shared: int) -> tuple[HexId, ...]:
        """The hexes that touch the sides in the mask ``shared``."""
        found: dict[HexId, None] = {}
        for bit, hexes in enumerate(self.side_hexes):
            if shared >> bit & 1:
                found.update(dict.fromkeys(hexes))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Track:
    """A route: its stops in order and the stretches between them, as numbers of one board's graph."""

    stops: tuple[int, ...]
    stretches: tuple[int, ...]

    def mask(self, graph: Graph) -> int:
        mask = 0
        for s in self.stretches:
            mask |= graph.stretches[s].mask
        return mask

    def hexes(self, graph: Graph) -> tuple[HexId, ...]:
        """Every hex that the route runs through, in order."""
        found = [graph.nodes[self.stops[0]].hex]
        for node, s in zip(self.stops, self.stretches, strict=False):
            found.extend(graph.stretches[s].hexes_from(node)[1:])
        return tuple(found)

    def touches(self, graph: Graph, hex: HexId) -> bool:
        """True if the route has a stop in the hex, counted or not."""
        return any(graph.nodes[i].hex == hex for i in self.stops)

    def length(self, graph: Graph) -> int:
        """The number of hexes that the route runs through; a hex that it enters twice counts twice."""  # rule 1844:8.9
        return 1 + sum(graph.stretches[s].entered for s in self.stretches)

    def tunnels(self, graph: Graph) -> tuple[HexId, ...]:
        """The hexes whose tunnels the route uses, in order of its stretches."""
        return tuple(hex for s in self.stretches for hex in graph.stretches[s].tunnels)

    def reversed(self) -> Track:
        return Track(self.stops[::-1], self.stretches[::-1])


def graph_of(board: Board) -> Graph:
    """The graph of the board, built once for each trackwork."""
    found = board.trackwork.known.get("graph")
    if found is None:
        found = board.trackwork.known["graph"] = _build(board)
    assert isinstance(found, Graph)
    return found


def own_stops(
    board: Board, graph: Graph, company: CompanyId, kinds: frozenset[str] = frozenset({"city"})
) -> tuple[int, ...]:
    """The stops of these kinds where ``company`` has a marker, in order of their hexes."""
    places = board.places_of(company)
    return tuple(
        i
        for hex in sorted({h for h, _ in places})
        for i in graph.at.get(hex, ())
        if graph.nodes[i].kind in kinds and (hex, graph.nodes[i].index) in places
    )


def blocked_stops(board: Board, graph: Graph, company: CompanyId) -> frozenset[int]:
    """Cities and passes that others' markers block: ``company`` may end a route there, but not pass."""
    friends = frozenset((company,))
    return frozenset(
        i
        for hex in board.markers
        for i in graph.at.get(hex, ())
        if graph.nodes[i].kind in MARKED and board.blocks(hex, graph.nodes[i].index, friends)
    )


def _nodes(board: Board, faces: Mapping[HexId, Face]) -> Mapping[Place, Node]:
    """The stops of the board, in order of their numbers."""
    return board.trackwork.patched(
        "nodes", board.map.hexes, lambda old, hexes: _nodes_again(board, faces, old or {}, frozenset(hexes))
    )


def _nodes_again(
    board: Board, faces: Mapping[HexId, Face], old: Mapping[Place, Node], changed: frozenset[HexId]
) -> Mapping[Place, Node]:
    """The stops of the board. Those of ``old`` outside the hexes ``changed`` are kept if their places are the same."""
    joined = "" if board.map.cities_apart else "c"
    places: dict[tuple[str, ...], int] = {}
    found: dict[Place, Node] = {}
    for hex, face in faces.items():
        before: Mapping[Place, Node] = {} if hex in changed else old
        for end in stops_of(face):
            kind, i = end
            stop = (face.cities if kind == "c" else face.towns if kind == "t" else face.offboards)[i]
            if kind == "o":
                key: tuple[str, ...] = ("o", stop.group or f"{hex}/{i}")
            else:
                key = (kind, hex, "" if kind == joined else str(i))
            place = 1 << places.setdefault(key, len(places))
            node = before.get((hex, end))
            if node is None or node.place != place:
                node = Node(hex, i, stop, place, kind == "c" and i in face.stems)
            found[hex, end] = node
    return found


def _build(board: Board) -> Graph:
    """Build the graph of the board. Each walk is found from both ends; its stretch starts at the stop with the lower
    number."""
    ways = walked(board)
    nodes = _nodes(board, ways.faces)
    number = {place: i for i, place in enumerate(nodes)}
    at: dict[HexId, tuple[int, ...]] = {}
    for (hex, _), i in number.items():
        at[hex] = (*at.get(hex, ()), i)
    touching: dict[Section, tuple[HexId, ...]] = {}
    found: list[tuple[int, int, Walk]] = []
    for place, start in number.items():
        departures = ways.starts[place]
        for track, hexes in departures.met.items():
            touching.setdefault(track, hexes)
        found += [(start, there, walk) for walk in departures.walks if (there := number[walk.there]) > start]
    masks, side_hexes = _classes(touching, [walk.used for _, _, walk in found])
    stretches = tuple(
        Stretch(a, b, mask, walk.hexes, walk.colors, walk.tunnels)
        for mask, (a, b, walk) in zip(masks, found, strict=True)
    )
    exits: list[list[tuple[int, int]]] = [[] for _ in nodes]
    for s, stretch in enumerate(stretches):
        exits[stretch.a].append((s, stretch.b))
        exits[stretch.b].append((s, stretch.a))
    terminals = tuple(i for i, node in enumerate(nodes.values()) if node.terminal)
    return Graph(tuple(nodes.values()), stretches, tuple(map(tuple, exits)), at, side_hexes, terminals)


def _classes(
    touching: Mapping[Section, tuple[HexId, ...]], used: Sequence[tuple[Section, ...]]
) -> tuple[list[int], tuple[tuple[HexId, ...], ...]]:
    """The mask of each stretch, and by bit the hexes that its track touches. Track that is used by exactly the same
    stretches is one bit."""
    users = dict.fromkeys(touching, 0)
    for s, tracks in enumerate(used):
        for track in tracks:
            users[track] |= 1 << s
    numbers: dict[int, int] = {}
    bits: dict[Section, int] = {}
    hexes_of: list[tuple[HexId, ...]] = []
    for track, by in users.items():
        if by:
            number = numbers.setdefault(by, len(hexes_of))
            if number == len(hexes_of):
                hexes_of.append(touching[track])
            else:
                hexes_of[number] += touching[track]
            bits[track] = 1 << number
    masks = [reduce(or_, map(bits.__getitem__, tracks), 0) for tracks in used]
    return masks, tuple(hexes_of)
