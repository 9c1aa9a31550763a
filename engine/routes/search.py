"""The search for the routes of one train: depth first, with the value of each route carried along.

A route has two arms. Both start at the lowest-numbered own marker on the route. The first arm is extended as far as it
can be, and at each of its tips the second arm is begun.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.routes.bound import Bound
from engine.routes.candidates import SCALE, Arm, Budget, Found, LimitReachedError
from engine.routes.graph import Graph
from engine.routes.ground import Ground
from engine.routes.reach import RunTraits
from engine.routes.stop_values import NOT_KNOWN, NOT_LEGAL, Counting
from engine.routes.track_prices import Prices
from engine.routes.value import worth

_EXACT_COST = 20
"""The number of steps charged for the exact value of one route."""
_SIGHT = 3
"""A train that may not skip cities is checked for the stops that it can still reach once it can count at most this many
more. Before that, the check is seldom worth its cost."""


class Search:
    """One search. ``keep`` is called with each route whose value in ``SCALE`` parts, less the ``prices`` of its track,
    is above the ``floor``. If it returns True, that net value is the floor from then on."""

    def __init__(
        self, graph: Graph, traits: RunTraits, ground: Ground, floor: int, keep: Callable[[Found], bool],
        prices: Prices,
    ) -> None:  # fmt: skip
        reach = ground.reach
        self.graph, self.traits, self.ground, self.keep = graph, traits, ground, keep
        self.counting = Counting(ground)
        self.limit, self.times = reach.stops, reach.multiplier
        self.least, self.unit = floor, SCALE * reach.multiplier
        self.sight = self.limit if "city" not in reach.must_count else _SIGHT
        self.masks = [stretch.mask for stretch in graph.stretches]
        self.tolls = [sum(price for b, price in enumerate(prices.of) if mask >> b & 1) for mask in self.masks]
        self.triples = [[(t, price) for t, price in prices.triples if t & mask] for mask in self.masks]
        """By stretch, the triples that it has a piece of."""
        self.bound = Bound(ground, self._entries())
        self.own = frozenset(ground.own)
        self.whole = traits.together is not None
        self.left = 0
        self.start = 0
        self.exits: list[list[tuple[int, int]]] = []
        self.beside: list[int] = []

    def _entries(self) -> dict[int, int]:
        """By place, the least price of entering it, in whole units of value."""
        cheapest: dict[int, int] = {}
        if any(self.tolls):
            for out, place in zip(self.ground.exits, self.ground.place, strict=True):
                for k, _ in out:
                    cheapest[place] = min(cheapest.get(place, self.tolls[k]), self.tolls[k])
        return {place: toll // self.unit for place, toll in cheapest.items()}

    def run(self, budget: Budget, taken: int) -> None:
        """Find all routes that do not use the track ``taken``. ``LimitReachedError`` if the budget is spent."""
        ground, value = self.ground, self.ground.value
        done: set[int] = set()
        self.left = budget.left
        try:
            for start in ground.own:
                self.start = self.bound.start = start
                self.exits = [
                    sorted(((k, o) for k, o in out if o not in done), key=lambda e: (-value[e[1]], e[0]))
                    for out in ground.exits
                ]
                self.beside = [sum({1 << o for _, o in out}) for out in self.exits]
                n = int(ground.counts[start])
                s, top = (value[start], ()) if ground.must[start] else (0, (value[start],))
                self._arm(start, start, ground.place[start], taken, n, s, top, 0, False, 0, None, None, -1, 0)
                done.add(start)
        finally:
            budget.left = self.left

    def _arm(
        self, node: int, end: int, visited: int, mask: int, n: int, s: int, top: tuple[int, ...], h: int, bored: bool,
        paid: int, a: Arm, b: Arm, bar: int, first: int,
    ) -> None:  # fmt: skip
        """Extend the arm that has reached ``node``. ``first``: the exit by which the first arm left; -1 on the second
        arm. The route must earn more than ``bar``, the value of a part of it."""
        ground, bound, masks, limit = self.ground, self.bound, self.masks, self.limit
        counts, free, value, most_hexes = ground.counts, ground.free, ground.value, ground.most_hexes
        leading = first >= 0
        for at, (k, other) in enumerate(self.exits[node]):
            side, there = masks[k], ground.place[other]
            h2 = h + ground.length[k]
            if side & mask or there & visited or h2 > most_hexes:
                continue
            self.left -= 1
            if self.left < 0:
                raise LimitReachedError
            if counts[other]:
                if n == limit:
                    continue
                n2, s2, top2 = n + 1, s + value[other], top
            elif free[other]:
                n2, s2, top2 = n, s + value[other], top
            else:
                n2, s2, top2 = n, s, self.counting.insert(top, value[other])
            visited2, bored2 = visited | there, bored or ground.bores[k]
            paid2, ends_here = paid + self.tolls[k], ground.ends_here[other]
            for triple, price in self.triples[k]:
                if (mask & triple).bit_count() < 2 <= ((mask | side) & triple).bit_count():
                    paid2 += price
            a2, b2 = ((a, k), b) if leading else (a, (b, k))
            floor = max(bar, (self.least + paid2) // self.unit)
            ends = leading + (not ends_here)
            more = (most_hexes - h2) // ground.shortest if ground.shortest else limit
            far = None if leading else end
            if bound.hopeless(~visited2, visited2, n2, s2, top2, ends, more, bored2, other, far, floor):
                continue
            if limit - n2 <= self.sight:
                tips = (0 if ends_here else 1 << other) | (1 << self.start if leading else 0)
                ahead = bound.outlook(self.beside, tips, visited2, limit - n2)
                if bound.hopeless(ahead, visited2, n2, s2, top2, ends, more, bored2, other, far, floor):
                    continue
            worthy = self._worth(other, end, visited2, n2, s2, top2, bored2, a2, b2)
            bar2 = bar if self.whole else max(bar, worthy)
            if worthy > bar:
                net = worthy * self.unit - paid2
                if net > self.least and self.keep(Found(worthy * self.times, mask | side, self.start, a2, b2)):
                    self.least = net
            if n2 == limit and not ground.has_free:
                continue
            first2 = at if leading and node == self.start else first
            if not ends_here:
                self._arm(other, end, visited2, mask | side, n2, s2, top2, h2, bored2, paid2, a2, b2, bar2, first2)
            if leading:  # the second arm leaves by a later exit than the first
                whole = self.exits[self.start]
                self.exits[self.start] = whole[first2 + 1 :]
                self._arm(self.start, other, visited2, mask | side, n2, s2, top2, h2, bored2, paid2, a2, None, bar2, -1)
                self.exits[self.start] = whole

    def _worth(
        self, tip: int, end: int, visited: int, n: int, s: int, top: tuple[int, ...], bored: bool, a: Arm, b: Arm
    ) -> int:
        """The value of the route before the multiplier; ``NOT_LEGAL`` if it is not legal."""
        stations = self.ground.stations
        if stations and (visited & stations).bit_count() < 2:
            return NOT_LEGAL
        found = self.counting.earned(tip, end, visited, n, s, top, bored)
        if found != NOT_KNOWN:
            return found
        self.left -= _EXACT_COST
        track = Found(0, 0, self.start, a, b).track(self.graph)
        result = worth(self.graph, self.traits, self.ground.reach, self.own, track)
        return NOT_LEGAL if result is None else result.value // self.times
