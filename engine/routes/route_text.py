"""The writing of a track as a route: the shortest list of hexes that means this track and no other."""

from __future__ import annotations

from itertools import combinations

from engine.board.board import Board
from engine.core.ids import HexId, TrainName
from engine.core.orders import Route
from engine.routes.graph import Graph, Track
from engine.routes.legality import Judge
from engine.routes.reach import RunTraits
from engine.routes.value import worth

_MOST_ADDED = 2
"""The number of added hexes up to which the smallest set is found. If more are needed, they are chosen one by one."""


def name_route(board: Board, traits: RunTraits, train: TrainName, track: Track) -> Route:
    """The route that names ``track``, which is legal for ``train``: its cities, off-board areas and counted towns in
    order. If that could mean another track, as few hexes between them as will do are added. The route is written in
    the direction in which its ends are in order."""
    return named(Judge(board, traits), train, track)


def named(judge: Judge, train: TrainName, track: Track) -> Route:
    """The route of ``name_route``, for a track on the board of ``judge``."""
    graph, traits = judge.graph, judge.traits
    track = _directed(judge, track)
    reach = traits.reach(train)
    result = worth(graph, traits, reach, judge.own, track)
    counted = frozenset(result.counted if result else track.stops)
    hexes, stops = _along(graph, track)
    kept = {at for at, i in stops.items() if i in counted or graph.nodes[i].kind != "town"}
    spare = [at for at in range(len(hexes)) if at not in kept]
    spare.sort(key=lambda at: (at not in stops, at))  # a town that is passed tells a reader more than open track

    added: tuple[int, ...] = ()
    while True:
        route = Route(train, tuple(hexes[at] for at in sorted(kept.union(added))))
        options, _ = judge.options(route)
        if len(options) == 1 and options[0].track == track:
            return route
        rivals = [frozenset(o.track.hexes(graph)) for o in options if o.track != track]
        more = _telling(hexes, [at for at in spare if at not in added], rivals)
        if not more:
            return Route(train, hexes)
        added += more


def _telling(hexes: tuple[HexId, ...], spare: list[int], rivals: list[frozenset[HexId]]) -> tuple[int, ...]:
    """The fewest of the positions ``spare`` that distinguish the track from all ``rivals``. If that takes more than
    ``_MOST_ADDED``, the one that distinguishes it from most; empty if none does."""
    if not spare or not rivals:
        return ()
    for size in range(1, _MOST_ADDED + 1):
        for some in combinations(spare, size):
            if all(any(hexes[at] not in rival for at in some) for rival in rivals):
                return some
    best = max(spare, key=lambda at: (sum(hexes[at] not in rival for rival in rivals), -at))
    return (best,) if any(hexes[best] not in rival for rival in rivals) else ()


def _directed(judge: Judge, track: Track) -> Track:
    """The track in the direction in which it is written. A track that ends where it began starts from the first of its
    stations, or from the one that it may not pass."""
    graph = judge.graph
    if track.stops[0] != track.stops[-1]:
        ends_in_order = _key(graph, track.stops[0]) <= _key(graph, track.stops[-1])
        return track if ends_in_order else track.reversed()
    size = len(track.stretches)
    stations = [at for at in range(size) if graph.nodes[track.stops[at]].kind in judge.traits.termini]
    at = min(stations, key=lambda at: (track.stops[at] not in judge.blocked, _key(graph, track.stops[at])))
    stops = tuple(track.stops[(at + n) % size] for n in range(size + 1))
    turned = Track(stops, tuple(track.stretches[(at + n) % size] for n in range(size)))
    return min(turned, turned.reversed(), key=lambda track: (track.hexes(graph), track.stretches))


def _key(graph: Graph, i: int) -> tuple[HexId, int]:
    return graph.nodes[i].hex, graph.nodes[i].index


def _along(graph: Graph, track: Track) -> tuple[tuple[HexId, ...], dict[int, int]]:
    """The hexes of the track, and its stops by their positions among these hexes."""
    hexes = track.hexes(graph)
    stops, at = {0: track.stops[0]}, 0
    for s, i in zip(track.stretches, track.stops[1:], strict=True):
        at += len(graph.stretches[s].hexes) - 1
        stops[at] = i
    return hexes, stops
