"""What the legal routes of a company can reach, of any length: track, stops and the edges where new track would join.

A route is a path over *nodes*: stops, and sides of hexes crossed in one direction. It uses every node's *mark* once;
both directions of a side share a mark, so track is never used twice and never left by the edge it shares, and so do the
separate cities of one hex. What is reached is found by a search that carries the marks used (each find is a legal
route, so it is right) and by one that forgets them (which misses nothing). Only where the two disagree an exact search
backwards from the doubtful node decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from engine.board.board import Board
from engine.board.map import Face
from engine.core.ids import CompanyId, HexId

StopAt: TypeAlias = tuple[str, HexId, int]
"""Kind of end (``c``, ``t``, ``o``), hex, and index in the hex."""
Piece: TypeAlias = tuple[HexId, int]
"""Hex, and index into ``face(hex).paths``."""
Side: TypeAlias = tuple[HexId, int]
"""Hex, and the edge by which a route comes into it."""
Node: TypeAlias = StopAt | Side

LABELS = 3
"""Ways remembered to each node by the quick search; more settle more doubts at once, and cost time everywhere."""


@dataclass(frozen=True, slots=True)
class Track:
    """All track of a board. Nodes are numbered; ``after`` and ``before`` give (next node, piece between) by number.
    ``marks`` are those of routes, ``loose`` those of connections that may use several cities of one hex."""

    nodes: tuple[Node, ...]
    numbers: dict[Node, int]
    after: tuple[tuple[tuple[int, Piece], ...], ...]
    before: tuple[tuple[int, ...], ...]
    marks: tuple[int, ...]
    loose: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reach:
    """``arrivals``: sides by which a route can come to a hex, whether or not there is track in it yet."""

    stops: frozenset[StopAt]
    pieces: frozenset[Piece]
    arrivals: frozenset[Side]


def reach(board: Board, company: CompanyId) -> Reach:
    """What routes of ``company`` can reach; nothing without a marker on the map."""  # rule 8.1
    key = ("reach", company)
    found = board.cache.get(key)
    if found is None:
        found = board.remember(key, _explorer(board, company).explore())
    assert isinstance(found, Reach)
    return found


def arrives_apart(board: Board, company: CompanyId, side: Side, edge: int) -> bool:
    """Whether a route can come to the hex by ``side`` without having used its other ``edge``: then track laid between
    the two extends a route."""
    explorer = _explorer(board, company)
    track = explorer.track
    if side not in track.numbers:
        return False
    other = track.numbers.get((side[0], edge))
    return explorer.reaches(track.numbers[side], 0 if other is None else track.marks[other])


def linked(board: Board, start: tuple[HexId, int], ignoring: frozenset[CompanyId]) -> frozenset[StopAt]:
    """Stops joined to a city by a route of any length on which the markers of ``ignoring`` do not block, and which may
    lead from one city of a hex to another by track. The city itself is one of them."""  # rule 14.8
    node: Node = ("c", *start)
    track = track_of(board)
    explorer = Explorer(track, track.loose, (node,), lambda stop: _closed(board, stop, ignoring))
    return explorer.explore().stops


def isolated(board: Board, hex: HexId, city: int, apart: bool = True) -> bool:
    """Whether no route leads from the city to another city, town or off-board area. ``apart``: other cities of the
    same hex do not count, because no route may have two of them."""  # rule 3.13
    node: Node = ("c", hex, city)
    track = track_of(board)
    explorer = Explorer(track, track.marks if apart else track.loose, (node,), lambda stop: True)
    return explorer.explore().stops <= {node}


def track_of(board: Board) -> Track:
    """The board's track as nodes, computed once for each board."""
    found = board.cache.get("track")
    if found is None:
        found = board.remember("track", _track(board))
    assert isinstance(found, Track)
    return found


class Explorer:
    """One search: from the stops ``starts``, not on beyond a stop that is ``closed``."""

    __slots__ = ("closed", "labels", "marks", "starts", "track")

    def __init__(
        self, track: Track, marks: tuple[int, ...], starts: Iterable[Node], closed: Callable[[StopAt], bool]
    ) -> None:
        self.track, self.marks = track, marks
        self.starts = frozenset(track.numbers[n] for n in starts)
        self.closed = frozenset(
            i for i, n in enumerate(track.nodes) if len(n) == 3 and i not in self.starts and closed(n)
        )
        self.labels: dict[int, list[int]] = {}

    def explore(self) -> Reach:
        pieces = self._surely()
        all_nodes, joins = self._possibly()
        nodes = self.labels.keys() | {n for n in all_nodes if n not in self.labels and self.reaches(n)}
        pieces.update(p for p, there in joins.items() if p not in pieces and any(map(self._passes, there)))
        found = [self.track.nodes[n] for n in nodes]
        stops = frozenset(n for n in found if len(n) == 3)
        return Reach(stops, frozenset(pieces), frozenset(n for n in found if len(n) == 2))

    def reaches(self, node: int, used: int = 0) -> bool:
        """Whether a legal route leads to ``node`` without the marks ``used``."""
        if any(not used & label for label in self.labels.get(node, ())):
            return True
        mark = self.marks[node]
        return not used & mark and self._back(node, used | mark)

    def _surely(self) -> set[Piece]:
        """Nodes by routes found along with the marks they use, and the pieces of track on such routes."""
        marks, after, closed = self.marks, self.track.after, self.closed
        labels, pieces = self.labels, set[Piece]()
        labels.clear()
        queue: deque[tuple[int, int]] = deque()
        for start in sorted(self.starts):
            labels[start] = [marks[start]]
            queue.append((start, marks[start]))
        while queue:
            node, used = queue.popleft()
            if node in closed:
                continue
            for following, piece in after[node]:
                mark = marks[following]
                if used & mark:
                    continue
                pieces.add(piece)
                now = used | mark
                known = labels.get(following)
                if known is None:
                    labels[following] = [now]
                elif len(known) < LABELS and not any(k & now == k for k in known):
                    known.append(now)
                else:
                    continue
                queue.append((following, now))
        return pieces

    def _possibly(self) -> tuple[set[int], dict[Piece, list[tuple[int, int]]]]:
        """Nodes and pieces that could be reached if a route might use things twice."""
        nodes, pieces = set(self.starts), dict[Piece, list[tuple[int, int]]]()
        queue = list(self.starts)
        while queue:
            node = queue.pop()
            if node in self.closed:
                continue
            for following, piece in self.track.after[node]:
                pieces.setdefault(piece, []).append((node, following))
                if following not in nodes:
                    nodes.add(following)
                    queue.append(following)
        return nodes, pieces

    def _passes(self, join: tuple[int, int]) -> bool:
        """Whether a route leads over ``join``, a piece of track taken in one direction."""
        before, after = join
        mark = self.marks[after]
        return not self.marks[before] & mark and self.reaches(before, mark)

    def _back(self, node: int, used: int, banned: frozenset[int] = frozenset()) -> bool:
        """Whether a route leads to ``node`` that neither uses the marks ``used`` (its own among them) nor passes a node
        that is ``banned``. The shortest way backwards to a start settles it if there is none, or if it is a route.
        Otherwise two of its nodes share a mark; every route leaves out one of them, so both are tried without."""
        if node in self.starts:
            return True
        clash = self._way(node, used, banned)
        if clash is None:
            return False
        return not clash or any(self._back(node, used, banned | {out}) for out in clash)

    def _way(self, node: int, used: int, banned: frozenset[int]) -> tuple[int, ...] | None:
        """Two nodes with the same mark on the shortest way back to a start, none if it is a route; None where there is
        no way at all."""
        came, queue = {node: node}, deque((node,))
        before, marks, closed, starts = self.track.before, self.marks, self.closed, self.starts
        while queue:
            at = queue.popleft()
            for previous in before[at]:
                if previous in came or used & marks[previous] or previous in closed or previous in banned:
                    continue
                came[previous] = at
                if previous in starts:
                    met: dict[int, int] = {}
                    while previous != node:
                        if (twin := met.setdefault(marks[previous], previous)) != previous:
                            return (twin, previous)
                        previous = came[previous]
                    return ()
                queue.append(previous)
        return None


def _explorer(board: Board, company: CompanyId) -> Explorer:
    key = ("explorer", company)
    found = board.cache.get(key)
    if found is None:
        track = track_of(board)
        own: tuple[StopAt, ...] = tuple(("c", hex, city) for hex, city in board.places_of(company))
        found = board.remember(
            key, Explorer(track, track.marks, own, lambda s: _closed(board, s, frozenset((company,))))
        )
    assert isinstance(found, Explorer)
    return found


def _closed(board: Board, stop: StopAt, friends: frozenset[CompanyId]) -> bool:
    """Whether a route ends at the stop: an off-board area, or a city filled by others."""
    kind, hex, index = stop
    if kind != "c":
        return kind == "o"
    there = board.at(hex, index)
    slots = board.face(hex).cities[index].slots
    return 0 < slots <= len(there) and not friends.intersection(there)


def _track(board: Board) -> Track:
    hexes = board.map.hexes
    numbers: dict[Node, int] = {}
    after: list[list[tuple[int, Piece]]] = []
    before: list[list[int]] = []
    marks: list[int] = []
    loose: list[int] = []

    def number(node: Node, mark: int = 0) -> int:
        """The number of a node, with the mark of another one or a new one if it has none yet."""
        known = numbers.get(node)
        if known is None:
            known = numbers[node] = len(numbers)
            after.append([])
            before.append([])
            marks.append(mark or 1 << known)
            loose.append(mark if len(node) == 2 and mark else 1 << known)
            if len(node) == 2 and not mark and (neighbor := hexes[node[0]].neighbors.get(node[1])) is not None:
                number((neighbor, (node[1] + 3) % 6), marks[known])
        return known

    for hex, printed in hexes.items():
        face = board.face(hex)
        shared = 0
        for city in range(len(face.cities)):
            shared = marks[number(("c", hex, city), shared)]
        for piece, entry, leave in _crossings(face):
            source: Node = (hex, entry[1]) if entry[0] == "e" else (entry[0], hex, entry[1])
            target: Node = (leave[0], hex, leave[1])
            if leave[0] == "e":
                if leave[1] not in printed.neighbors:
                    continue
                target = (printed.neighbors[leave[1]], (leave[1] + 3) % 6)
            here, there = number(source), number(target)
            after[here].append((there, (hex, piece)))
            before[there].append(here)
    return Track(
        tuple(numbers), numbers, tuple(map(tuple, after)), tuple(map(tuple, before)), tuple(marks), tuple(loose)
    )


@lru_cache(maxsize=4096)
def _crossings(face: Face) -> tuple[tuple[int, tuple[str, int], tuple[str, int]], ...]:
    """Each piece of track in both directions: number, end where it begins, end where it leads."""
    return tuple((n, a, b) for n, path in enumerate(face.paths) for a, b in (path, path[::-1]))
