"""The reach of a company's legal routes of any length: track, stops, and the edges where new track would join.

A route is a path over *nodes*: stops, and sides of hexes crossed in one direction. Each node has a *mark*, which a
route may use only once. Both directions of a side share a mark, so a route never uses track twice and never turns back
at an edge. The separate cities of one hex share a mark too, unless the map holds them apart. Two searches find the
reach: one carries the marks used, so that everything it finds is a legal route; the other ignores marks, so that it
misses nothing. Only where they disagree, an exact search backwards from the doubtful node decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from engine.board.board import Board
from engine.board.map import Stop
from engine.board.track import Node, StopAt, Track, track_of
from engine.board.ways import ANY_WAY, Base, Side, Ways
from engine.core.ids import CompanyId, HexId


def bases(board: Board, company: CompanyId, ways: Ways = ANY_WAY) -> tuple[Base, ...]:
    """The markers of ``company`` at which its ways may begin, in order of placing."""
    return tuple(
        (hex, city)
        for hex, city in board.places_of(company)
        if (ways.kinds is None or board.face(hex).cities[city].kind in ways.kinds) and ways.base in (None, (hex, city))
    )


def reach(board: Board, company: CompanyId, ways: Ways = ANY_WAY) -> Reach:
    """The reach of routes of ``company`` under the terms of ``ways``; empty without a marker at which
    they may begin."""
    # rule 1861:8.1
    key = ("reach", company, ways)
    found = board.cache.get(key)
    if found is None:
        own: tuple[StopAt, ...] = tuple(("c", hex, city) for hex, city in bases(board, company, ways))
        track = track_of(board, ways.barred)
        closed = _closed_stops(board, frozenset((company,)))
        found = board.remember(key, Reach(track, _route_marks(board, track), own, closed))
    assert isinstance(found, Reach)
    return found


def meet(board: Board, company: CompanyId, other: CompanyId, ways: Ways = ANY_WAY) -> bool:
    """True if a way of ``company`` leads to a marker of ``other`` at which ways of ``other`` may begin. Markers in the
    same city are enough. A city that others fill can only be the end of a way."""
    found = reach(board, company, ways)
    return any(("c", hex, city) in found for hex, city in bases(board, other, ways))


def _route_marks(board: Board, track: Track) -> tuple[int, ...]:
    return track.grid.loose if board.map.cities_apart or board.map.reach_apart else track.grid.marks


def arrives_apart(found: Reach, side: Side, edge: int) -> bool:
    """True if a route can enter the hex by ``side`` without having used its other ``edge``, so that track laid between
    the two extends a route."""
    grid = found.track.grid
    if side not in grid.numbers:
        return False
    other = grid.numbers.get((side[0], edge))
    return found.leads_to(grid.numbers[side], 0 if other is None else grid.marks[other])


def linked(board: Board, start: tuple[HexId, int], ignoring: frozenset[CompanyId]) -> Reach:
    """The reach of a city: the stops that a route of any length joins to it, the city itself included. Markers of
    ``ignoring`` do not block the route, and it may lead from one city of a hex to
    another by track."""  # rule 1861:14.8
    key = ("linked", start, ignoring)
    found: Reach | None = board.cache.get(key)
    if found is None:
        node: Node = ("c", *start)
        track = track_of(board)
        found = board.remember(key, Reach(track, track.grid.loose, (node,), _closed_stops(board, ignoring)))
    return found


def joins(board: Board, start: tuple[HexId, int], hex: HexId, company: CompanyId) -> bool:
    """True if a train of ``company`` without a length limit could run from the city ``start`` to a stop in ``hex``. The
    city may be a home without a marker. Cities that others fill, off-board areas and mountains can only be the end."""
    # rule 1844:6.23
    node: Node = ("c", *start)
    track = track_of(board)
    found = Reach(track, _route_marks(board, track), (node,), _closed_stops(board, frozenset((company,))))
    return any(stop != node and stop in found for stop in track.pieces[hex].stops)


def has_route(board: Board, company: CompanyId, counts: Callable[[HexId, Stop], bool], ways: Ways = ANY_WAY) -> bool:
    """True if a route of any length joins one of the company's markers with another stop for which ``counts`` is True.
    ``counts`` gets the hex and the stop. The other stop may have a marker of the company too."""  # rule 1844:10.14
    found = reach(board, company, ways)
    own = {("c", hex, city) for hex, city in bases(board, company, ways)}

    def counted(stop: StopAt) -> bool:
        return counts(stop[1], stop_of(board, stop))

    if any(stop not in own and stop in found and counted(stop) for stop in found.track.stops):
        return True
    closed = _closed_stops(board, frozenset((company,)))
    return any(
        other != start and other in alone and counted(other)
        for start in own
        for alone in (Reach(found.track, found.marks, (start,), closed),)
        for other in own
    )


def stop_of(board: Board, stop: StopAt) -> Stop:
    """The stop as it is now."""
    kind, hex, index = stop
    face = board.face(hex)
    return (face.cities if kind == "c" else face.towns if kind == "t" else face.offboards)[index]


def isolated(board: Board, hex: HexId, city: int, apart: bool = True, offboards: bool = False) -> bool:
    """True if no route leads from the city to another city or town. ``apart``: other cities of the same hex do not
    count, because no route may use two of them. ``offboards``: off-board areas count as well."""  # rule 1861:3.13
    key = ("isolated", hex, city, apart, offboards)
    found: bool | None = board.cache.get(key)
    if found is None:
        node: Node = ("c", hex, city)
        track = track_of(board)
        near = Reach(track, track.grid.marks if apart else track.grid.loose, (node,), track.stops)
        found = not any(stop != node and stop in near for stop in track.stops if offboards or stop[0] != "o")
        board.remember(key, found)
    return found


class Reach:
    """The reach of routes that begin at ``starts`` and end at the stops in ``closed``. Test one node with ``in``, or
    read all: ``stops``, and ``arrivals``, the sides by which a route can enter a hex, whether or not it has track yet.
    Each search is made when it is first needed, and a doubtful node is settled only then."""

    __slots__ = ("_hexes", "_labels", "_loosely", "_settled", "beginnings", "closed", "marks", "starts", "track")

    def __init__(self, track: Track, marks: tuple[int, ...], starts: Iterable[Node], closed: Iterable[StopAt]) -> None:
        self.track, self.marks = track, marks
        self.starts = frozenset(track.grid.numbers[n] for n in starts)
        self.beginnings = frozenset(HexId(str(track.grid.nodes[n][1])) for n in self.starts)
        """The hexes in which the routes begin."""
        self.closed = frozenset(track.grid.numbers[n] for n in closed) - self.starts
        self._hexes: frozenset[HexId] | None = None
        self._labels: dict[int, list[int]] | None = None
        self._loosely: set[int] | None = None
        self._settled: dict[int, bool] = {}

    def __contains__(self, node: object) -> bool:
        number = self.track.grid.numbers.get(node)  # type: ignore[call-overload]
        return number is not None and self._reached(number)

    @property
    def stops(self) -> frozenset[StopAt]:
        return frozenset(n for n in self.track.stops if n in self)

    @property
    def arrivals(self) -> frozenset[Side]:
        return frozenset(n for n in self.track.grid.nodes if len(n) == 2 and n in self)

    @property
    def hexes(self) -> frozenset[HexId]:
        """The hexes that a route can enter, whether or not they have track yet."""
        if self._hexes is None:
            nodes = (self.track.grid.nodes[n] for n in self._possibly() if self._reached(n))
            self._hexes = frozenset(HexId(node[0]) for node in nodes if len(node) == 2)
        return self._hexes

    def leads_to(self, node: int, used: int = 0) -> bool:
        """True if a legal route leads to ``node`` without using the marks ``used``."""
        if any(not used & label for label in self._surely().get(node, ())):
            return True
        mark = self.marks[node]
        return not used & mark and self._back(node, used | mark)

    def _reached(self, node: int) -> bool:
        if node not in self._possibly():
            return False
        if node in self._surely():
            return True
        known = self._settled.get(node)
        if known is None:
            known = self._settled[node] = self.leads_to(node)
        return known

    def _surely(self) -> dict[int, list[int]]:
        """Nodes to which legal routes lead, each with the marks used by some of these routes. A further route to a node
        is kept if it does without a mark that all the routes known so far use."""
        if self._labels is not None:
            return self._labels
        marks, after, closed = self.marks, self.track.after, self.closed
        labels = {start: [marks[start]] for start in sorted(self.starts)}
        common = {start: marks[start] for start in labels}
        queue = [(start, marks[start]) for start in labels]
        for node, used in queue:  # the queue grows meanwhile
            for following in after.get(node, ()):
                mark = marks[following]
                if used & mark:
                    continue
                now = used | mark
                always = common.get(following)
                if always is None:
                    common[following], labels[following] = now, [now]
                elif (less := always & now) != always:
                    common[following] = less
                    labels[following].append(now)
                else:
                    continue
                if following not in closed:
                    queue.append((following, now))
        self._labels = labels
        return labels

    def _possibly(self) -> set[int]:
        """The nodes that could be reached if a route might use marks more than once."""
        if self._loosely is not None:
            return self._loosely
        after, closed = self.track.after, self.closed
        nodes, queue = set(self.starts), list(self.starts)
        for node in queue:  # the queue grows meanwhile
            for following in after.get(node, ()):
                if following not in nodes:
                    nodes.add(following)
                    if following not in closed:
                        queue.append(following)
        self._loosely = nodes
        return nodes

    def _back(self, node: int, used: int, banned: frozenset[int] = frozenset()) -> bool:
        """True if a route leads to ``node`` that neither uses the marks ``used`` (which include its own) nor passes a
        ``banned`` node. Look at the shortest way back to a start. If there is none, the answer is no; if it is a legal
        route, yes. Otherwise two of its nodes share a mark. Every route avoids at least one of them, so try again
        without each."""
        if node in self.starts:
            return True
        clash = self._way(node, used, banned)
        if clash is None:
            return False
        return not clash or any(self._back(node, used, banned | {out}) for out in clash)

    def _way(self, node: int, used: int, banned: frozenset[int]) -> tuple[int, ...] | None:
        """Find the shortest way back to a start. Returns two of its nodes that share a mark, an empty tuple if it is a
        legal route, or None if there is no way."""
        came, queue = {node: node}, deque((node,))
        before, marks, closed, starts = self.track.before, self.marks, self.closed, self.starts
        while queue:
            at = queue.popleft()
            for previous in before.get(at, ()):
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


def _closed_stops(board: Board, friends: frozenset[CompanyId]) -> tuple[StopAt, ...]:
    """The stops at which routes end: off-board areas, mountains, and cities that block ``friends``."""
    key = ("closed", friends)
    found: tuple[StopAt, ...] | None = board.cache.get(key)
    if found is None:
        filled = (stop for stop, there in _filled(board) if friends.isdisjoint(there))
        found = board.remember(key, (*track_of(board).ends, *filled))
    return found


def _filled(board: Board) -> tuple[tuple[StopAt, tuple[CompanyId, ...]], ...]:
    """The cities that block every company without a marker there, each with the companies that have one."""
    found: tuple[tuple[StopAt, tuple[CompanyId, ...]], ...] | None = board.cache.get("filled")
    if found is None:
        filled: list[tuple[StopAt, tuple[CompanyId, ...]]] = [
            (("c", hex, city), there)
            for hex, cities in board.markers.items()
            for city, there in enumerate(cities)
            if there and board.blocks(hex, city, frozenset())
        ]
        found = board.remember("filled", tuple(filled))
    return found
