"""The terms of a run on the graph of a board: stretches that a train may not use, areas at opposite sides, and the step
between values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from math import gcd

from engine.routes.graph import Graph
from engine.routes.reach import OPPOSITE, RunTraits, TrainReach, TransitArea


def worthless(graph: Graph, traits: RunTraits, node: int) -> bool:
    """True if the stop is an off-board area or a mountain that is no stop now, because it pays nothing."""
    there = graph.nodes[node]
    return there.terminal and there.kind in traits.ends_need_value and there.stop.value(traits.color) == 0


def may_be_spare(traits: RunTraits, reach: TrainReach) -> bool:
    """True if a run of the train may end at a worthless stop, in addition to all the stops that it counts."""
    return traits.spare_ends and not reach.ends_count


def lacks_value(graph: Graph, traits: RunTraits, reach: TrainReach, stops: Sequence[int]) -> tuple[int, ...]:
    """The worthless stops among ``stops``; empty if the run may have them."""
    found = tuple(i for i in stops if worthless(graph, traits, i))
    spare = may_be_spare(traits, reach) and len(stops) - len(found) >= reach.stops
    return () if spare else found


def barred_stretches(graph: Graph, traits: RunTraits, reach: TrainReach, spare: bool = False) -> frozenset[int]:
    """The stretches that no run of the train uses: those through hexes of a colour that it shuns, to stops of a kind
    that it avoids, to worthless stops, and those longer than a whole run may be. ``spare``: without those to worthless
    stops at which a run may end."""
    avoided = {i for i, node in enumerate(graph.nodes) if node.kind in reach.avoids} if reach.avoids else set[int]()
    if traits.ends_need_value and not (spare and may_be_spare(traits, reach)):
        avoided.update(i for i in graph.terminals if worthless(graph, traits, i))
    if not avoided and reach.hexes is None and not reach.shuns:
        return frozenset()
    return frozenset(
        s
        for s, stretch in enumerate(graph.stretches)
        if stretch.a in avoided
        or stretch.b in avoided
        or (reach.hexes is not None and stretch.entered >= reach.hexes)
        or stretch.colors & reach.shuns
    )


def areas_of(graph: Graph, traits: RunTraits) -> Mapping[int, TransitArea]:
    """By stop, its transit area, if it is in one."""
    return {i: area for area in traits.transit for hex in area.hexes for i in graph.at.get(hex, ())}


def transit_bonus(areas: Mapping[int, TransitArea], one: int, other: int) -> int:
    """The transit bonus of a run that counts both stops; 0 if they are not in areas at opposite sides."""
    a, b = areas.get(one), areas.get(other)
    return a.amount + b.amount if a and b and OPPOSITE[a.side] == b.side else 0


def same_side(areas: Mapping[int, TransitArea], traits: RunTraits, one: int, other: int) -> bool:
    """True if the two stops are areas at the same side and no run may have two of these."""
    a, b = areas.get(one), areas.get(other)
    return traits.same_side_refused and one != other and a is not None and b is not None and a.side == b.side


def step_of(graph: Graph, traits: RunTraits) -> int:
    """The number of which every value of a set is a multiple."""
    numbers = {node.stop.value(traits.color) for node in graph.nodes}
    numbers |= {amount for _, amount in traits.hex_bonuses} | {pair.amount for pair in traits.pair_bonuses}
    numbers |= {bonus.amount for bonus in (*traits.route_bonuses, *traits.claims)} | {toll for _, toll in traits.tolls}
    numbers |= {traits.tunnel_bonus} | {area.amount for area in traits.transit}
    return reduce(gcd, sorted(numbers), 0) * reduce(gcd, [r.multiplier for r in traits.reaches], 0) or 1
