"""The ground of a search for one train of one company: tables of the board's stops, computed once."""

from __future__ import annotations

from collections import deque

from engine.routes.graph import Graph
from engine.routes.reach import RunTraits, TrainReach
from engine.routes.terms import areas_of, barred_stretches, same_side, transit_bonus

_NO_LIMIT = 1 << 30


class Ground:
    """The tables of one search, by stop unless stated otherwise. Values are before the multiplier."""

    def __init__(
        self, graph: Graph, traits: RunTraits, reach: TrainReach, own: tuple[int, ...], blocked: frozenset[int]
    ) -> None:
        self.graph, self.reach, self.own = graph, reach, own
        nodes = graph.nodes
        same: dict[int, int] = {}
        for i, n in enumerate(nodes):
            same[n.place] = same.get(n.place, 0) | 1 << i
        self.place = [same[n.place] for n in nodes]
        """The bits of all stops of the same place. A route touches at most one of them."""
        self.counts = [n.kind in reach.must_count for n in nodes]
        """True if the stop always counts."""
        self.free = [n.kind in reach.free and n.kind not in reach.must_count for n in nodes]
        """True if the stop never counts but is always paid."""
        self.must = [counts or free for counts, free in zip(self.counts, self.free, strict=True)]
        """True if the stop is always paid."""
        self.value = [n.stop.value(traits.color) for n in nodes]
        self.ends_here = [n.terminal or i in blocked for i, n in enumerate(nodes)]
        barred = barred_stretches(graph, traits, reach)
        self.exits = [[(s, other) for s, other in out if s not in barred] for out in graph.exits]
        """The stretches that the train may use, as (stretch, other stop)."""
        self.loose = 0
        """The sum of the hex bonuses that are only known for a whole route."""
        for hexes, amount in traits.hex_bonuses:
            touched = [i for hex in hexes for i in graph.at.get(hex, ())]
            if len({self.place[i] for i in touched}) == 1:
                for i in touched:
                    self.value[i] += amount
            elif touched:
                self.loose += amount
        self.pairs: list[tuple[int, int, int, bool]] = []
        """Pair bonuses: (places of one stop, places of the other, amount, True if the other must be counted too)."""
        self.plain = self.loose == 0
        """True if every bonus except transit follows from the places that a route touches."""
        for pair in traits.pair_bonuses:
            here = graph.at.get(pair.hex, ())
            there = tuple(i for other in pair.others for i in graph.at.get(other, ()))
            if here and there:
                self.pairs.append((self._places(here), self._places(there), pair.amount, pair.both_counted))
                self.plain &= all(self.must[i] for i in (*here, *there))
        self.passable = sum(1 << i for i, ends in enumerate(self.ends_here) if not ends)
        stations = {n.place: i for i, n in enumerate(nodes) if n.kind in traits.stations}
        self.stations = sum(1 << i for i in stations.values())
        """The bits of one stop of each place of which every run needs two; 0 if any two stops will do."""
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
        """Set the tables of the value that free stops can add. Free stops lie in clusters, which are joined by
        stretches between free stops."""
        self.has_free = any(self.free[i] for i in reached)
        self.beside = [0] * len(self.place)
        """The most that the free stops next to the stop are worth together, up to the next stop that is not free."""
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
        """The most that the free stops at one end of a route are worth, after its last stop that is not free."""

    def _cluster(self, start: int) -> set[int]:
        found, queue = {start}, [start]
        while queue:
            for _, other in self.exits[queue.pop()]:
                if self.free[other] and other not in found:
                    found.add(other)
                    queue.append(other)
        return found

    def _ranking(self, reached: list[int]) -> list[tuple[int, int, bool]]:
        """(value, place, True if every route ends there) of every place in reach that is not free, best first. The
        value includes that of the free stops next to the place. It is less ``tail`` if every route ends there, since no
        free stops can follow."""
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
        """By stretch, the number of hexes that it adds to a run."""
        hexes = self.reach.hexes
        self.most_hexes = _NO_LIMIT if hexes is None else hexes - 1
        """The number of hexes that a run may have in addition to the one in which it begins."""
        self.shortest = min((lengths[s] for i in reached for s, _ in self.exits[i]), default=0)

    def _tunnels(self, traits: RunTraits) -> None:
        bonus = traits.tunnel_bonus
        self.bores = [bonus > 0 and bool(stretch.tunnels) for stretch in self.graph.stretches]
        """By stretch, True if its tunnel lets each counted stop of a run earn more."""
        self.bonus = bonus
        self.tunnel_ends = sum({1 << other for out in self.exits for s, other in out if self.bores[s]})
        """The bits of the stops next to a tunnel."""

    def _areas(self, traits: RunTraits, reached: list[int]) -> None:
        areas = areas_of(self.graph, traits)
        there = [i for i in reached if i in areas]
        self.transit = {(i, j): amount for i in there for j in there if (amount := transit_bonus(areas, i, j))}
        """By pair of stops, the bonus of a run that counts both."""
        self.partners: dict[int, list[tuple[int, int]]] = {i: [] for i in there}
        """By stop of an area, (value and transit bonus, place) of each stop on the opposite side, best first."""
        by_places: dict[tuple[int, int], int] = {}
        for (i, j), amount in self.transit.items():
            self.partners[i].append((amount + self.value[j], self.place[j]))
            by_places[self.place[i], self.place[j]] = amount + self.value[i] + self.value[j]
        for partners in self.partners.values():
            partners.sort(reverse=True)
        self.transits = sorted(((gain, p, q) for (p, q), gain in by_places.items() if p < q), reverse=True)
        """(values of both and transit bonus, place, place) of every two areas at opposite sides, best first."""
        self.refused = {(i, j) for i in there for j in there if same_side(areas, traits, i, j)}
        """Pairs of stops that cannot be the two ends of a run."""

    def transit_ahead(self, tip: int, end: int | None, ahead: int) -> tuple[int, int]:
        """The most that the ends and their transit bonus can still add to a run that has reached ``tip`` and may go on
        to the stops ``ahead``, and the number of these that it would count for that. ``end``: the other end of the run,
        if it is known."""
        if end is not None and self.ends_here[tip]:
            return self.transit.get((tip, end), 0), 0
        if end is None and not self.ends_here[tip]:
            return next((gain for gain, p, q in self.transits if p & ahead and q & ahead), 0), 2
        known = tip if end is None else end
        return next((gain for gain, p in self.partners.get(known, ()) if p & ahead), 0), 1

    @property
    def ceiling(self) -> int:
        """An upper bound of the value of a route, after the multiplier."""
        gain = self.transits[0][0] if self.transits else 0
        total = max(self._sum(0, self.reach.stops, 2), self._sum(gain, self.reach.stops - 2, 0))
        if self.tunnel_ends:
            total += self.bonus * self.reach.stops
        total += 2 * self.tail
        return (total + self.loose + sum(pair[2] for pair in self.pairs)) * self.reach.multiplier

    def _sum(self, total: int, stops: int, ends: int) -> int:
        """``total`` plus the best ``stops`` values, of which at most ``ends`` are of places that end a route."""
        for v, _, is_end in self.ranking:
            if v > 0 and stops > 0 and (ends or not is_end):
                total, stops, ends = total + v, stops - 1, ends - is_end
        return total
