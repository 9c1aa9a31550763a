"""The ground that a train of one company has before it on a board: tables for the search, worked out once."""

from __future__ import annotations

from collections import deque

from engine.routes.graph import Graph
from engine.routes.reach import RunTraits, TrainReach
from engine.routes.terms import areas_of, barred_stretches, same_side, transit_bonus

_NO_LIMIT = 1 << 30


class Ground:
    """Tables by stop unless they say otherwise. Values are before the multiplier."""

    def __init__(
        self, graph: Graph, traits: RunTraits, reach: TrainReach, own: tuple[int, ...], blocked: frozenset[int]
    ) -> None:
        self.graph, self.reach, self.own = graph, reach, own
        nodes = graph.nodes
        same: dict[int, int] = {}
        for i, n in enumerate(nodes):
            same[n.place] = same.get(n.place, 0) | 1 << i
        self.place = [same[n.place] for n in nodes]
        """One bit for each stop of the same place: a route touches one of them at most."""
        self.counts = [n.kind in reach.must_count for n in nodes]
        """True if it always counts."""
        self.free = [n.kind in reach.free and n.kind not in reach.must_count for n in nodes]
        """True if it never counts, and is paid all the same."""
        self.must = [counts or free for counts, free in zip(self.counts, self.free, strict=True)]
        """True if it is always paid."""
        self.value = [n.stop.value(traits.color) for n in nodes]
        self.ends_here = [n.terminal or i in blocked for i, n in enumerate(nodes)]
        barred = barred_stretches(graph, traits, reach)
        self.exits = [[(s, other) for s, other in out if s not in barred] for out in graph.exits]
        """The stretches that the train may use, as (stretch, other stop)."""
        self.loose = 0
        """Bonuses that are only known for a whole route, beside pairs."""
        for hexes, amount in traits.hex_bonuses:
            touched = [i for hex in hexes for i in graph.at.get(hex, ())]
            if len({self.place[i] for i in touched}) == 1:
                for i in touched:
                    self.value[i] += amount
            elif touched:
                self.loose += amount
        self.pairs: list[tuple[int, int, int, bool]] = []
        """(places of one stop, places of the other, amount, whether the other must be counted too)."""
        self.plain = self.loose == 0
        """True if every bonus but transit follows from the places that a route touches."""
        for pair in traits.pair_bonuses:
            here, there = graph.at.get(pair.hex, ()), graph.at.get(pair.other, ())
            if here and there:
                self.pairs.append((self._places(here), self._places(there), pair.amount, pair.both_counted))
                self.plain &= all(self.must[i] for i in (*here, *there))
        self.passable = sum(1 << i for i, ends in enumerate(self.ends_here) if not ends)
        stations = {n.place: i for i, n in enumerate(nodes) if n.kind in traits.stations}
        self.stations = sum(1 << i for i in stations.values())
        """One stop of each place of which every run needs two; 0 where any will do."""
        reached = self._reached()
        self._free_stops(reached)
        self.ranking = self._ranking(reached)
        self._distances(reached)
        self._tunnels(traits)
        self._areas(traits, reached)

    def _places(self, stops: tuple[int, ...]) -> int:
        bits = 0
        for i in stops:
            bits |= self.place[i]
        return bits

    def _reached(self) -> list[int]:
        """Every stop that the company can reach."""
        seen = set(self.own)
        queue = deque(self.own)
        while queue:
            i = queue.popleft()
            if i in self.own or not self.ends_here[i]:
                for _, other in self.exits[i]:
                    if other not in seen:
                        seen.add(other)
                        queue.append(other)
        return sorted(seen)

    def _free_stops(self, reached: list[int]) -> None:
        """The value that free stops can add: they lie in clusters, each joined to others by stretches between free
        stops."""
        self.has_free = any(self.free[i] for i in reached)
        self.beside = [0] * len(self.place)
        """The most that the free stops next to it are worth together, up to the next that counts."""
        known: dict[int, int] = {}
        for i in reached:
            if self.free[i] and i not in known:
                cluster = self._cluster(i)
                worth = {self.place[j]: self.value[j] for j in cluster}
                known.update(dict.fromkeys(cluster, sum(worth.values())))
        for i in reached:
            near = [known[i]] if self.free[i] else [known.get(j, 0) for _, j in self.exits[i]]
            self.beside[i] = max(near, default=0)
        self.tail = max((self.beside[i] for i in reached), default=0)
        """The most that the free stops after the last one that counts are worth."""

    def _cluster(self, start: int) -> set[int]:
        found, queue = {start}, [start]
        while queue:
            for _, other in self.exits[queue.pop()]:
                if self.free[other] and other not in found:
                    found.add(other)
                    queue.append(other)
        return found

    def _ranking(self, reached: list[int]) -> list[tuple[int, int, bool]]:
        """(value, place, whether every route ends there) of every place in reach that is not free, best first; the
        value with that of the free stops on the way to it, and less what a route that ends there cannot earn after
        it."""
        best: dict[int, int] = {}
        open_places = {self.place[i] for i in reached if not self.ends_here[i]}
        for i in reached:
            if not self.free[i]:
                best[self.place[i]] = max(best.get(self.place[i], 0), self.value[i] + self.beside[i])
        ends = {p for p in best if p not in open_places}
        return sorted(((v - self.tail if p in ends else v, p, p in ends) for p, v in best.items()), reverse=True)

    def _distances(self, reached: list[int]) -> None:
        lengths = [stretch.entered for stretch in self.graph.stretches]
        self.length = lengths
        """By stretch, how many hexes it adds to a run."""
        hexes = self.reach.hexes
        self.most_hexes = _NO_LIMIT if hexes is None else hexes - 1
        """How many hexes a run may have beside the one it begins in."""
        self.shortest = min((lengths[s] for i in reached for s, _ in self.exits[i]), default=0)

    def _tunnels(self, traits: RunTraits) -> None:
        bonus = traits.tunnel_bonus
        self.bores = [bonus > 0 and bool(stretch.tunnels) for stretch in self.graph.stretches]
        """By stretch, whether it lets each counted stop earn more."""
        self.bonus = bonus
        self.tunnel_ends = sum({1 << other for out in self.exits for s, other in out if self.bores[s]})
        """The stops next to a tunnel."""

    def _areas(self, traits: RunTraits, reached: list[int]) -> None:
        areas = areas_of(self.graph, traits)
        there = [i for i in reached if i in areas]
        self.transit = {(i, j): amount for i in there for j in there if (amount := transit_bonus(areas, i, j))}
        """By two stops, what a run earns more that counts both."""
        self.partners: dict[int, list[tuple[int, int]]] = {i: [] for i in there}
        """By area, (its value and the amount, place) of each on the opposite side, best first."""
        by_places: dict[tuple[int, int], int] = {}
        for (i, j), amount in self.transit.items():
            self.partners[i].append((amount + self.value[j], self.place[j]))
            by_places[self.place[i], self.place[j]] = amount + self.value[i] + self.value[j]
        for partners in self.partners.values():
            partners.sort(reverse=True)
        self.transits = sorted(((gain, p, q) for (p, q), gain in by_places.items() if p < q), reverse=True)
        """(the values of both and the amount, places) of every two at opposite sides, best first."""
        self.refused = {(i, j) for i in there for j in there if same_side(areas, traits, i, j)}
        """Stops that cannot both be ends of a run."""

    def transit_ahead(self, tip: int, end: int | None, ahead: int) -> tuple[int, int]:
        """The most that the ends and their transit can still pay a run that has come to ``tip`` and may go on to the
        stops ``ahead``, and how many of these it would count for that; ``end`` is its other end where that is known."""
        if end is not None and self.ends_here[tip]:
            return self.transit.get((tip, end), 0), 0
        if end is None and not self.ends_here[tip]:
            return next((gain for gain, p, q in self.transits if p & ahead and q & ahead), 0), 2
        known = tip if end is None else end
        return next((gain for gain, p in self.partners.get(known, ()) if p & ahead), 0), 1

    @property
    def ceiling(self) -> int:
        """More than this no route earns."""
        gain = self.transits[0][0] if self.transits else 0
        total = max(self._sum(0, self.reach.stops, 2), self._sum(gain, self.reach.stops - 2, 0))
        if self.tunnel_ends:
            total += self.bonus * self.reach.stops
        total += 2 * self.tail
        return (total + self.loose + sum(pair[2] for pair in self.pairs)) * self.reach.multiplier

    def _sum(self, total: int, stops: int, ends: int) -> int:
        """``total`` and the best ``stops``, of which no more than ``ends`` end a route."""
        for v, _, is_end in self.ranking:
            if v > 0 and stops > 0 and (ends or not is_end):
                total, stops, ends = total + v, stops - 1, ends - is_end
        return total
