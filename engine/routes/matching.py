"""Matching of the hexes that a person names with the tracks that fit them.

The names are the hexes of the stops in order. Between them, any hex along the way may be named, and a town that is
passed may be left out. Cities and off-board areas must be named. The first and the last name are the ends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.ids import HexId
from engine.routes.graph import Graph, Track

MOST_TRACKS = 256
"""The number of tracks that are kept for one list of names. Further ones are not examined."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A track that fits the names. ``named``: those of its stops that were named."""

    track: Track
    named: frozenset[int]


class _Reader:
    """A reader of the names. A set of positions in them is a number: bit ``i`` stands for "the first ``i`` names are
    read"."""

    def __init__(
        self,
        graph: Graph,
        names: Sequence[HexId],
        blocked: frozenset[int] = frozenset(),
        barred: frozenset[int] = frozenset(),
        leave_out: bool = False,
        loops: bool = False,
    ) -> None:
        self.graph = graph
        self.barred = barred
        self.leave_out = leave_out
        self.loops = loops
        self.all = 1 << len(names)
        self.named: dict[HexId, int] = {}
        """By hex, the positions before which it is named."""
        for i, name in enumerate(names):
            self.named[name] = self.named.get(name, 0) | 1 << i
        self.blocked = blocked
        self.fits: list[Fit] = []

    def step(self, node: int, s: int, other: int, places: int) -> tuple[int, int]:
        """The positions after the stretch, first with the stop at its end named, then with it left out. Each hex on the
        way may be named or left out."""
        hexes, there = self.graph.stretches[s].hexes_from(node), self.graph.nodes[other]
        for i in range(1, len(hexes) - 1):
            places |= (places & self.named.get(hexes[i], 0)) << 1
        named = (places & self.named.get(there.hex, 0)) << 1
        return named, places if self.leave_out or there.kind == "town" else 0

    def search(self, track: Track, places: int, visited: int, used: int, named: frozenset[int]) -> None:
        """Collect every legal continuation of ``track`` that fits, in the fixed order of the graph's numbers."""
        node = track.stops[-1]
        for s, other in self.graph.exits[node]:
            stretch, there = self.graph.stretches[s], self.graph.nodes[other]
            if stretch.mask & used or s in self.barred or len(self.fits) >= MOST_TRACKS:
                continue
            if there.place & visited:
                closed = self.loops and other == track.stops[0] and not there.terminal
                if closed and self.all & self.step(node, s, other, places)[0]:
                    self.fits.append(Fit(Track((*track.stops, other), (*track.stretches, s)), named))
                continue
            at, left_out = self.step(node, s, other, places)
            if not at and not left_out:
                continue
            longer = Track((*track.stops, other), (*track.stretches, s))
            if self.all & at:
                self.fits.append(Fit(longer, named | {other}))
            if there.terminal or other in self.blocked:
                continue
            visited_now, used_now = visited | there.place, used | stretch.mask
            if more := at & ~self.all:
                self.search(longer, more, visited_now, used_now, named | {other})
            if more := left_out & ~at:
                self.search(longer, more, visited_now, used_now, named)


def fits(
    graph: Graph,
    names: Sequence[HexId],
    blocked: frozenset[int],
    barred: frozenset[int] = frozenset(),
    loops: bool = False,
) -> tuple[Fit, ...]:
    """Every track that fits ``names`` and touches no place and uses no track twice. ``blocked``: stops that it may not
    pass. ``barred``: stretches that it may not use. ``loops``: a track may also end where it began."""
    # rule 1861:8.1, 9.2
    reader = _Reader(graph, names, blocked, barred, loops=loops)
    for start in graph.at.get(names[0], ()):
        node = graph.nodes[start]
        reader.search(Track((start,), ()), 1 << 1, node.place, 0, frozenset((start,)))
    return tuple({fit.track: fit for fit in reversed(reader.fits)}.values())[::-1]


def nearest(graph: Graph, names: Sequence[HexId], leave_out: bool = False) -> tuple[Track | None, int]:
    """A shortest walk that fits ``names``, even if it is not legal as a route, so that its faults can be named; None if
    there is none. Also the largest number of names that a walk can reach. ``leave_out``: cities may be left out,
    too."""
    reader = _Reader(graph, names, leave_out=leave_out)
    straight, furthest = _nearest(reader, names[0], turning=False)
    return (straight, furthest) if straight else _nearest(reader, names[0], turning=True)


def _nearest(reader: _Reader, first: HexId, turning: bool) -> tuple[Track | None, int]:
    """The result of ``nearest`` by one search from the stops in ``first``. ``turning``: a walk may leave a stop by the
    track by which it came."""
    graph = reader.graph
    queue = deque((Track((start,), ()), 1 << 1) for start in graph.at.get(first, ()))
    seen: set[tuple[int, int, int]] = set()
    furthest = 1 if queue else 0
    while queue:
        track, place = queue.popleft()
        node = track.stops[-1]
        came = graph.stretches[track.stretches[-1]].mask if track.stretches else 0
        for s, other in graph.exits[node]:
            if (s, other, place) in seen or (graph.stretches[s].mask & came and not turning):
                continue
            at, left_out = reader.step(node, s, other, place)
            longer = Track((*track.stops, other), (*track.stretches, s))
            places = at | left_out
            furthest = max(furthest, places.bit_length() - 1)
            if at & reader.all:
                return longer, furthest
            seen.add((s, other, place))
            queue.extend((longer, 1 << i) for i in range(places.bit_length()) if places >> i & 1)
    return None, furthest
