"""The network for runs between stations: legs from station to station through stops that do not count."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from engine.routes.candidates import Budget
from engine.routes.extras import Extras
from engine.routes.graph import Graph
from engine.routes.reach import RunTraits, TrainReach
from engine.routes.terms import barred_stretches


@dataclass(frozen=True, slots=True)
class Leg:
    """Track from station ``a`` to station ``b`` with no station between them. ``value``: the payments of the stops
    between them, less tolls. ``stops``: the bits of these stops. ``places``: the bits of their places."""

    a: int
    b: int
    mask: int
    value: int
    stretches: tuple[int, ...]
    stops: int
    places: int


class Network:
    """The stations within reach of the markers ``own``, and the legs between them. Stops have their numbers in the
    graph. ``legs``: by station, as (other station, leg, stretches of the leg in the direction of the other)."""

    def __init__(
        self, graph: Graph, traits: RunTraits, reach: TrainReach, own: tuple[int, ...], blocked: frozenset[int]
    ) -> None:
        self.graph, self.own, self.blocked = graph, own, blocked
        self.extras = Extras(graph, traits)
        nodes = graph.nodes
        tolls = dict(traits.tolls)
        toll = [tolls.get(n.hex, 0) for n in nodes]
        pay = [n.stop.value(traits.color) for n in nodes]
        self.station = [n.kind in traits.termini for n in nodes]
        self.ends_here = [n.terminal or i in blocked for i, n in enumerate(nodes)]
        self.toll = toll
        self.value = pay
        paid = reach.free - reach.never
        self._between = [(pay[i] if n.kind in paid else 0) - toll[i] for i, n in enumerate(nodes)]
        barred = barred_stretches(graph, traits, reach)
        self.exits = [[(s, o) for s, o in out if s not in barred] for out in graph.exits]
        self._trim()
        self.reached = self._reached()
        self.stations = sum(1 << i for i in self.reached)
        """The bits of the stations in reach."""
        self.found = False
        self.ceiling = self._ceiling(reach)
        """An upper bound of the value of a run, after the multiplier."""
        self.legs: dict[int, list[tuple[int, Leg, tuple[int, ...]]]] = {i: [] for i in self.reached}
        self.all: list[Leg] = []

    def _trim(self) -> None:
        """Remove the dead ends: stops that are no stations and that no run can pass."""
        left = deque(i for i, station in enumerate(self.station) if not station)
        while left:
            i = left.popleft()
            if len(self.exits[i]) == 1:
                ((s, other),) = self.exits[i]
                self.exits[i] = []
                self.exits[other] = [e for e in self.exits[other] if e[0] != s]
                if not self.station[other]:
                    left.append(other)

    def _reached(self) -> list[int]:
        seen, queue = set(self.own), deque(self.own)
        while queue:
            i = queue.popleft()
            if i in self.own or not self.ends_here[i]:
                for _, other in self.exits[i]:
                    if other not in seen:
                        seen.add(other)
                        queue.append(other)
        return sorted(i for i in seen if self.station[i])

    def _ceiling(self, reach: TrainReach) -> int:
        values = sorted((self.value[i] for i in self.reached), reverse=True)
        most = sum(values[: reach.stops]) + (values[0] if reach.double_end and values else 0)
        most += sum(max(0, pay) for pay, station in zip(self._between, self.station, strict=True) if not station)
        return (most + self.extras.most) * reach.multiplier

    def find(self, budget: Budget) -> None:
        """Find the legs, once."""
        if self.found:
            return
        self.found = True
        by_ends: dict[tuple[int, int], list[Leg]] = {}
        for a in self.reached:
            self._from(a, by_ends, budget)
        for (a, b), legs in by_ends.items():
            budget.spend(len(legs))
            for leg in {(leg.mask, leg.stops): leg for leg in legs}.values():
                self.all.append(leg)
                self.legs[a].append((b, leg, leg.stretches))
                self.legs[b].append((a, leg, leg.stretches[::-1]))

    def _from(self, a: int, by_ends: dict[tuple[int, int], list[Leg]], budget: Budget) -> None:
        nodes, masks = self.graph.nodes, self.graph.stretches
        stack: list[tuple[int, int, int, int, int, tuple[int, ...]]] = [(a, 0, 0, 0, nodes[a].place, ())]
        while stack:
            i, mask, value, stops, places, way = stack.pop()
            for s, other in self.exits[i]:
                side, place = masks[s].mask, nodes[other].place
                if side & mask or place & places:
                    continue
                budget.spend(1)
                if self.station[other]:
                    if other > a and self.stations >> other & 1:
                        between = places & ~nodes[a].place
                        found = Leg(a, other, mask | side, value, (*way, s), stops, between)
                        by_ends.setdefault((a, other), []).append(found)
                elif not self.ends_here[other]:
                    more = value + self._between[other]
                    stack.append((other, mask | side, more, stops | 1 << other, places | place, (*way, s)))


def near(neighbors: Mapping[int, int], most: int) -> Mapping[int, list[int]]:
    """By station, for each number of legs from 0 to ``most``, the bits of the stations within that many legs, itself
    included. ``neighbors``: by station, the bits of the next stations to which a run may go on."""
    found = {i: [1 << i] for i in neighbors}
    for k in range(1, most + 1):
        for i, bits in neighbors.items():
            reach = 1 << i
            for j in neighbors:
                if bits >> j & 1:
                    reach |= found[j][k - 1]
            found[i].append(reach)
    return found
