"""The exact value of one route with one train: the stops that count, their payments, and the bonuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.routes.bonuses import best_bonus
from engine.routes.graph import Graph, Track
from engine.routes.reach import RunTraits, TrainReach
from engine.routes.terms import areas_of, transit_bonus


@dataclass(frozen=True, slots=True)
class Worth:
    """The ``value`` of a route and its ``counted`` stops in order of the route, including free stops that are paid."""

    value: int
    counted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Clause:
    """A bonus of ``amount`` if all stops of one of the ``ways`` are counted. ``needed``: without that, the route is
    illegal."""

    amount: int
    ways: tuple[frozenset[int], ...]
    needed: bool = False

    def met(self, counted: frozenset[int]) -> bool:
        return any(way <= counted for way in self.ways)


def compulsory(graph: Graph, reach: TrainReach, stops: Sequence[int]) -> frozenset[int]:
    """The stops that must count: both ends, except free ones, and the kinds that always count."""  # rule 1861:9.2
    ends = {stops[0], stops[-1]} if reach.ends_count else set()
    return frozenset(
        i
        for i in stops
        if (i in ends and graph.nodes[i].kind not in reach.free) or graph.nodes[i].kind in reach.must_count
    )


def stations(graph: Graph, traits: RunTraits, stops: Sequence[int]) -> tuple[int, ...]:
    """The stops of the kinds of which a run needs two, one for each place. If no kinds are given, all stops are."""
    kinds = traits.stations or traits.termini
    of_kind = (i for i in stops if not kinds or graph.nodes[i].kind in kinds)
    return tuple({graph.nodes[i].place: i for i in of_kind}.values())


def worth(
    graph: Graph,
    traits: RunTraits,
    reach: TrainReach,
    own: frozenset[int],
    track: Track,
    named: frozenset[int] = frozenset(),
) -> Worth | None:
    """The best value of the route; None if it has more compulsory stops than the train can count, or if an own marker
    must be counted and cannot be. Of equally good stops, those in ``named`` count first, then those that end a route.
    """
    stops = track.stops
    forced = compulsory(graph, reach, stops)
    if len(forced) > reach.stops:
        return None
    if traits.termini:
        return _between_stations(graph, traits, reach, track, forced, named)
    kinds = reach.free - reach.must_count
    free = frozenset(i for i in stops if graph.nodes[i].kind in kinds)
    gift = sum(graph.nodes[i].stop.value(traits.color) for i in free)
    bored = traits.tunnel_bonus if track.tunnels(graph) else 0  # rule 1844:8.15
    pay = {i: graph.nodes[i].stop.value(traits.color) + bored for i in stops}
    clauses = _clauses(graph, traits, reach, own, stops)
    nodes, order = graph.nodes, {i: n for n, i in enumerate(stops)}
    spare = [i for i in stops if i not in forced and i not in free]
    spare.sort(key=lambda i: (-pay[i], i not in named, not nodes[i].terminal, order[i]))
    best: Worth | None = None
    sure = forced | free
    most = reach.stops + len(free)
    for chosen in _choices(sure, [c for c in clauses if not c.met(sure)], most):
        counted = chosen | frozenset([i for i in spare if i not in chosen][: most - len(chosen)])
        value = gift + sum(pay[i] for i in counted if i not in free)
        value += sum(c.amount for c in clauses if c.met(counted))
        if any(c.needed and not c.met(counted) for c in clauses):
            continue
        if best is None or value * reach.multiplier > best.value:
            best = Worth(value * reach.multiplier, tuple(i for i in stops if i in counted))
    return best


def _between_stations(
    graph: Graph, traits: RunTraits, reach: TrainReach, track: Track, forced: frozenset[int], named: frozenset[int]
) -> Worth:
    """The best value of a route where every run begins and ends at a station. Claims are left out, because they depend
    on the other runs."""

    nodes, stops = graph.nodes, tuple(dict.fromkeys(track.stops))
    order = {i: n for n, i in enumerate(stops)}
    pay = {i: nodes[i].stop.value(traits.color) for i in stops}
    idle = reach.never - reach.must_count
    free = {i for i in stops if nodes[i].kind in reach.free - reach.must_count - idle and i not in forced}
    spare = [i for i in stops if i not in forced and i not in free and nodes[i].kind not in idle]
    spare.sort(key=lambda i: (-pay[i], i not in named, order[i]))
    counted = forced.union(free, spare[: reach.stops - len(forced)])
    value = sum(pay[i] for i in counted)
    if reach.double_end:
        value += max(pay[stops[0]], pay[stops[-1]])
    touched = [nodes[i].hex for i in track.stops]
    value += best_bonus(traits.route_bonuses, touched, track.hexes(graph)) if traits.route_bonuses else 0
    value -= sum(toll for hex, toll in traits.tolls if hex in touched)
    return Worth(value * reach.multiplier, tuple(i for i in stops if i in counted))


def _clauses(
    graph: Graph, traits: RunTraits, reach: TrainReach, own: frozenset[int], stops: Sequence[int]
) -> list[_Clause]:
    by_hex: dict[str, list[int]] = {}
    for i in stops:
        by_hex.setdefault(graph.nodes[i].hex, []).append(i)
    found = []
    for hexes, amount in traits.hex_bonuses:  # rule 1861:9.7
        ways = [frozenset((i,)) for hex in hexes for i in by_hex.get(hex, ())]
        if ways:
            found.append(_Clause(amount, tuple(ways)))
    for pair in traits.pair_bonuses:  # rule 1861:9.6
        here, there = by_hex.get(pair.hex, []), [i for other in pair.others for i in by_hex.get(other, ())]
        if here and there:
            ways = [frozenset((i, j) if pair.both_counted else (i,)) for i in here for j in there]
            found.append(_Clause(pair.amount, tuple(ways)))
    ends = (stops[0], stops[-1])
    if traits.transit and (amount := transit_bonus(areas_of(graph, traits), *ends)):  # rule 1844:8.16
        found.append(_Clause(amount, (frozenset(ends),)))
    if reach.own_marker_counts:  # rule 1861:9.8
        found.append(_Clause(0, tuple(frozenset((i,)) for i in stops if i in own), True))
    return found


def _choices(forced: frozenset[int], clauses: list[_Clause], limit: int) -> list[frozenset[int]]:
    """Every set of at most ``limit`` stops that consists of ``forced`` and one way, or none, of each clause."""
    found = [forced]
    for clause in clauses:
        more = [chosen | way for chosen in found for way in clause.ways if len(chosen | way) <= limit]
        found = [*found, *(m for m in dict.fromkeys(more) if m not in found)]
    return found
