"""Every route of one train that could matter, found depth first with its value carried along.

A route has two arms that start from its own marker with the lowest number. Work is counted in steps, never in time, so
that the same question always has the same answer.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.routes.graph import Graph, Track
from engine.routes.reach import RunTraits, TrainReach
from engine.routes.value import worth

Arm: TypeAlias = "tuple[Arm, int] | None"
"""The stretches of an arm, last one first, as linked pairs."""


_EXACT_COST = 20
"""Steps that the exact value of one route counts for."""

_SIGHT = 3
"""A train that may not skip cities looks at what it can still reach when it has room for this many more: before, it is
seldom worth the while."""
_MORE_THAN_ANY_STOP = 1 << 40


class LimitReachedError(Exception):
    """The work allowed is used up."""


@dataclass(slots=True)
class Budget:
    """How many more steps may be taken."""

    left: int

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise LimitReachedError


@dataclass(frozen=True, slots=True)
class Found:
    """A route: its value and track, and how to write it down."""

    value: int
    mask: int
    start: int
    first: Arm
    second: Arm

    def track(self, graph: Graph) -> Track:
        """The route from the tip of its second arm to the tip of its first."""
        ahead, behind = _stretches(self.first), _stretches(self.second)
        stretches = (*behind[::-1], *ahead)
        stops = [self.start]
        for s in behind:
            stops.insert(0, graph.stretches[s].other(stops[0]))
        for s in ahead:
            stops.append(graph.stretches[s].other(stops[-1]))
        return Track(tuple(stops), stretches)


def _stretches(arm: Arm) -> tuple[int, ...]:
    found: list[int] = []
    while arm is not None:
        arm, s = arm
        found.append(s)
    return tuple(found[::-1])


NO_ROUTE = Found(0, 0, 0, None, None)


class Explorer:
    """Finds the routes of trains of one reach. Values are before the multiplier inside, after it outside."""

    def __init__(
        self, graph: Graph, traits: RunTraits, reach: TrainReach, own: tuple[int, ...], blocked: frozenset[int]
    ) -> None:
        self.graph, self.traits, self.reach, self.own, self.blocked = graph, traits, reach, own, blocked
        nodes = graph.nodes
        same: dict[int, int] = {}
        for i, n in enumerate(nodes):
            same[n.place] = same.get(n.place, 0) | 1 << i
        self.place = [same[n.place] for n in nodes]
        """By stop, one bit for each stop of the same place: a route touches one of them at most."""
        self.must = [n.kind in reach.must_count for n in nodes]
        self.value = [n.stop.value(traits.color) for n in nodes]
        self.ends_here = [n.kind == "offboard" or i in blocked for i, n in enumerate(nodes)]
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
        """Whether every bonus follows from the places that a route touches."""
        for pair in traits.pair_bonuses:
            here, there = graph.at.get(pair.hex, ()), graph.at.get(pair.other, ())
            if here and there:
                self.pairs.append((self._places(here), self._places(there), pair.amount, pair.both_counted))
                self.plain &= all(self.must[i] for i in (*here, *there))
        self.passable = sum(1 << i for i, ends in enumerate(self.ends_here) if not ends)
        self.ranking = self._ranking()

    def _places(self, stops: tuple[int, ...]) -> int:
        bits = 0
        for i in stops:
            bits |= self.place[i]
        return bits

    def _ranking(self) -> list[tuple[int, int]]:
        """(value, place) of every place that the company can reach, best first."""
        seen = set(self.own)
        queue = deque(self.own)
        while queue:
            i = queue.popleft()
            if not self.ends_here[i]:
                for _, other in self.graph.exits[i]:
                    if other not in seen:
                        seen.add(other)
                        queue.append(other)
        best: dict[int, int] = {}
        for i in sorted(seen):
            best[self.place[i]] = max(best.get(self.place[i], 0), self.value[i])
        return sorted(((v, p) for p, v in best.items()), reverse=True)

    @property
    def ceiling(self) -> int:
        """More than this no route earns."""
        best = sum(v for v, _ in self.ranking[: self.reach.stops])
        return (best + self.loose + sum(pair[2] for pair in self.pairs)) * self.reach.multiplier

    def best(self, budget: Budget, taken: int = 0, floor: int = 0) -> Found | None:
        """The route that earns most without the track ``taken``, if it earns more than ``floor``."""
        top: list[Found] = []

        def keep(found: Found) -> bool:
            top[:] = [found]
            return True

        self._explore(budget, taken, floor, keep)
        return top[0] if top else None

    def all(self, budget: Budget, floor: int) -> list[Found]:
        """Every route that earns more than ``floor`` and more than each part of it, best first; one for each track."""
        by_mask: dict[int, Found] = {}

        def keep(found: Found) -> bool:
            there = by_mask.get(found.mask)
            if there is None or there.value < found.value:
                by_mask[found.mask] = found
            return False

        self._explore(budget, 0, floor, keep)
        return sorted(by_mask.values(), key=lambda f: (-f.value, f.mask))

    def _explore(self, budget: Budget, taken: int, floor: int, keep: Callable[[Found], bool]) -> None:
        """Call ``keep`` with each route above ``floor``; where it answers True, its value is the floor from then on."""
        limit, times = self.reach.stops, self.reach.multiplier
        place, must, value, ends_here = self.place, self.must, self.value, self.ends_here
        masks = [s.mask for s in self.graph.stretches]
        ranking, pairs, loose, plain = self.ranking, self.pairs, self.loose, self.plain
        own_counts = self.reach.own_marker_counts
        alone = Counter(place)
        single = {place[i]: i for i in range(len(place))}
        simple = loose == 0 and all(alone[p] == 1 == alone[q] for p, q, _, _ in pairs)
        sure_own = [o for o in self.own if alone[place[o]] == 1]
        extra = loose + sum(pair[2] for pair in pairs)
        sight = limit if "city" not in self.reach.must_count else _SIGHT
        least = floor // times
        left = budget.left
        exits: list[list[tuple[int, int]]] = []
        beside: list[int] = []
        start = 0

        def ceiling(ahead: int, n: int, s: int, top: tuple[int, ...]) -> int:
            rest = limit - n
            total = s + extra
            k, size = 0, len(top)
            for v, p in ranking:
                if rest <= 0:
                    return total
                if not p & ahead:
                    continue
                while k < size and rest > 0 and top[k] >= v:
                    total += top[k]
                    k += 1
                    rest -= 1
                if rest > 0:
                    total += v
                    rest -= 1
            return total + sum(top[k : k + rest]) if rest > 0 else total

        def outlook(tips: int, visited: int, levels: int) -> int:
            """The stops that can still be reached from ``tips``: with ``levels`` more stops that always count."""
            seen = 0
            frontier = tips
            while frontier and levels:
                levels -= 1
                beyond = 0
                while frontier:
                    low = frontier & -frontier
                    frontier ^= low
                    new = beside[low.bit_length() - 1] & ~visited & ~seen
                    seen |= new
                    new &= passable
                    beyond |= new & counting
                    frontier |= new & ~counting
                frontier = beyond
            return seen

        def insert(top: tuple[int, ...], v: int) -> tuple[int, ...]:
            if not top or v <= top[-1]:
                return (*top, v) if len(top) < limit else top
            i = 0
            while top[i] >= v:
                i += 1
            return (*top[:i], v, *top[i : limit - 1])

        def earned(tip: int, end: int, visited: int, n: int, s: int, top: tuple[int, ...], a: Arm, b: Arm) -> int:
            """Value of the route that ends at ``tip`` and ``end``; -1 where it is not legal."""
            nonlocal left
            free = limit - n
            ends = [value[i] for i in (tip, end) if not must[i]]
            if len(ends) > free:
                return -1
            met = [pair for pair in pairs if visited & pair[0] and visited & pair[1]]
            if plain and not own_counts:
                total = s + best_of(top, free, ends)
            elif simple and len(met) < 2:
                total = s + best_of(top, free, ends) if counts_own(tip, end, visited, free, ends, top) else -2
                if met and total >= -1:
                    p, q, amount, both = met[0]
                    at = [single[p], single[q]] if both else [single[p]]
                    forced = [*ends, *(value[i] for i in at if not must[i] and i not in (tip, end))]
                    met = []
                    if len(forced) <= free:
                        with_pair = s + best_of(top, free, forced) + amount
                        if with_pair > total:
                            total = with_pair if counts_own(tip, end, visited, free, forced, top, at) else -2
            else:
                total = -2
            if total < -1:
                left -= _EXACT_COST
                track = Found(0, 0, start, a, b).track(self.graph)
                result = worth(self.graph, self.traits, self.reach, own_set, track)
                return -1 if result is None else result.value // times
            return total + sum(pair[2] for pair in met)

        def best_of(top: tuple[int, ...], free: int, forced: list[int]) -> int:
            """The sum of ``forced`` and of the best others, ``free`` in all."""
            if not forced or (len(forced) == 1 and (len(top) <= free or forced[0] >= top[free - 1])):
                return sum(top[:free])
            others = list(top)
            for v in forced:
                if v in others:
                    others.remove(v)
            return sum(forced) + sum(others[: free - len(forced)])

        def counts_own(
            tip: int,
            end: int,
            visited: int,
            free: int,
            forced: list[int],
            top: tuple[int, ...],
            also: Sequence[int] = (),
        ) -> bool:
            """Whether an own marker is among the counted stops of the best choice, if that matters."""
            if not own_counts:
                return True
            others = list(top)
            for v in forced:
                if v in others:
                    others.remove(v)
            room = free - len(forced)
            if room == 0:
                least_counted = _MORE_THAN_ANY_STOP
            else:
                least_counted = others[room - 1] if len(others) >= room else 0
            return any(
                visited & place[o] and (must[o] or o in (tip, end) or o in also or value[o] >= least_counted)
                for o in sure_own
            )

        def arm(
            node: int, end: int, visited: int, mask: int, n: int, s: int, top: tuple[int, ...],
            a: Arm, b: Arm, bar: int, first: int,
        ) -> None:  # fmt: skip
            """Lengthen the arm that has reached ``node``; ``first`` is -1 on the second arm, otherwise the exit that
            the first arm left by."""
            nonlocal left, least
            for at, (k, other) in enumerate(exits[node]):
                side, there = masks[k], place[other]
                if side & mask or there & visited:
                    continue
                left -= 1
                if left < 0:
                    raise LimitReachedError
                if must[other]:
                    if n == limit:
                        continue
                    n2, s2, top2 = n + 1, s + value[other], top
                else:
                    n2, s2, top2 = n, s, insert(top, value[other])
                visited2, mask2 = visited | there, mask | side
                first2 = at if first >= 0 and node == start else first
                a2: Arm = (a, k) if first >= 0 else a
                b2: Arm = b if first >= 0 else (b, k)
                floor = bar if bar > least else least
                if ceiling(~visited2, n2, s2, top2) <= floor:
                    continue
                tips = (0 if ends_here[other] else 1 << other) | (1 << start if first >= 0 else 0)
                if limit - n2 <= sight and ceiling(outlook(tips, visited2, limit - n2), n2, s2, top2) <= floor:
                    continue
                worthy = earned(other, end, visited2, n2, s2, top2, a2, b2)
                bar2 = bar
                if worthy > bar:
                    bar2 = worthy
                    if worthy > least and keep(Found(worthy * times, mask2, start, a2, b2)):
                        least = worthy
                if n2 == limit:
                    continue
                if not ends_here[other]:
                    arm(other, end, visited2, mask2, n2, s2, top2, a2, b2, bar2, first2)
                if first >= 0:
                    turn(other, visited2, mask2, n2, s2, top2, a2, bar2, first2)

        def turn(
            tip: int, visited: int, mask: int, n: int, s: int, top: tuple[int, ...], a: Arm, bar: int, first: int
        ) -> None:
            """Begin the second arm, by an exit after the one of the first."""
            whole = exits[start]
            exits[start] = whole[first + 1 :]
            try:
                arm(start, tip, visited, mask, n, s, top, a, None, bar, -1)
            finally:
                exits[start] = whole

        own_set = frozenset(self.own)
        passable = self.passable
        counting = sum(1 << i for i, m in enumerate(must) if m)
        done: set[int] = set()
        try:
            for start in self.own:
                exits = [
                    sorted(((k, o) for k, o in out if o not in done), key=lambda e: (-value[e[1]], e[0]))
                    for out in self.graph.exits
                ]
                beside = [sum({1 << o for _, o in out}) for out in exits]
                if must[start]:
                    arm(start, start, place[start], taken, 1, value[start], (), None, None, -1, 0)
                else:
                    arm(start, start, place[start], taken, 0, 0, (value[start],), None, None, -1, 0)
                done.add(start)
        finally:
            budget.left = left
