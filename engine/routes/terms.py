"""The terms of a run on one board's graph: stretches that a train may not use, areas at opposite sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.routes.graph import Graph
from engine.routes.reach import OPPOSITE, RunTraits, TrainReach, TransitArea


def worthless(graph: Graph, traits: RunTraits, node: int) -> bool:
    """True if the stop is an off-board area or mountain that is none as long as it pays nothing."""
    there = graph.nodes[node]
    return there.terminal and there.kind in traits.ends_need_value and there.stop.value(traits.color) == 0


def may_be_spare(traits: RunTraits, reach: TrainReach) -> bool:
    """True if a run of the train may end at a stop that is none, beside all that it counts."""
    return traits.spare_ends and not reach.ends_count


def lacks_value(graph: Graph, traits: RunTraits, reach: TrainReach, stops: Sequence[int]) -> tuple[int, ...]:
    """The stops that are none, of a run that may not have them."""
    found = tuple(i for i in stops if worthless(graph, traits, i))
    spare = may_be_spare(traits, reach) and len(stops) - len(found) >= reach.stops
    return () if spare else found


def barred_stretches(graph: Graph, traits: RunTraits, reach: TrainReach, spare: bool = False) -> frozenset[int]:
    """Stretches that no run of the train uses: through hexes of a colour it shuns, to stops of a kind it avoids, to
    ends that are no stops, and longer than its whole run may be. ``spare``: those to ends that a run may have without
    gaining by them are left."""
    ends_too = not (spare and may_be_spare(traits, reach))
    avoided = {
        i
        for i, node in enumerate(graph.nodes)
        if node.kind in reach.avoids or (ends_too and worthless(graph, traits, i))
    }
    return frozenset(
        s
        for s, stretch in enumerate(graph.stretches)
        if stretch.a in avoided
        or stretch.b in avoided
        or (reach.hexes is not None and stretch.entered >= reach.hexes)
        or stretch.colors & reach.shuns
    )


def areas_of(graph: Graph, traits: RunTraits) -> Mapping[int, TransitArea]:
    """The area that each stop is in, where there is one."""
    return {i: area for area in traits.transit for hex in area.hexes for i in graph.at.get(hex, ())}


def transit_bonus(areas: Mapping[int, TransitArea], one: int, other: int) -> int:
    """The bonus of a run that counts both stops."""
    a, b = areas.get(one), areas.get(other)
    return a.amount + b.amount if a and b and OPPOSITE[a.side] == b.side else 0


def same_side(areas: Mapping[int, TransitArea], traits: RunTraits, one: int, other: int) -> bool:
    """True if the two stops are areas of one side, and no run may have two of these."""
    a, b = areas.get(one), areas.get(other)
    return traits.same_side_refused and one != other and a is not None and b is not None and a.side == b.side
