"""The choice of routes for the trains of a company, one for each, that earn most together.

First the *mixture*: the best shares of routes (``packing``), with new routes found at its prices until there are none
that would improve it. Its value is a bound. Triples make the bound smaller; dives, which round the largest share again
and again, find good sets. When bound and best set are close, every route that can be part of a better set is listed,
and branch and bound over the mixture decides between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.routes.candidates import SCALE, Budget, Found
from engine.routes.packing import Packing, broken_triples, whole
from engine.routes.track_prices import PER_STEP, Prices, prices_of

_STALLS = 2
"""The number of times that new triples may leave the bound where it is."""
_TIDY = 40
"""The number of triples that are kept, whether they matter at the moment or not."""
_ADDED = 100
"""The most routes of a group that enter the programme at once."""

Chosen = tuple[tuple[int, Found], ...]
"""A set of routes as (group, route)."""
Offers = Callable[[int, Prices, int], list[Found]]
"""A function of a group, prices and a floor: routes of the group whose value less their price is above the floor, the
best one among them."""


class Incumbent(Protocol):
    """The best set found by now, its value, and the bound that is proven. All values are multiples of ``step``."""

    value: int
    bound: int
    step: int

    def offer(self, chosen: Chosen) -> None: ...


@dataclass(slots=True)
class Settled:
    """``bound``: no set earns more, in ``SCALE`` parts. ``tops``: by group, the most that a route is worth at these
    ``prices``."""

    prices: Prices
    bound: int
    tops: list[int]


class Choice:
    """The choice for trains in groups, ``counts`` of each. ``bits``: the number of bits of a mask."""

    def __init__(self, counts: Sequence[int], bits: int, best: Incumbent, budget: Budget) -> None:
        self.counts, self.best, self.budget = list(counts), best, budget
        self.packing = Packing(counts, bits)

    @property
    def goal(self) -> int:
        """The least value of a better set, in ``SCALE`` parts."""
        return (self.best.value + self.best.step) * SCALE

    def settle(self, offers: Offers, stalls_allowed: int = _STALLS) -> Settled:
        """The least bound of mixtures of all routes that ``offers`` knows. ``stalls_allowed``: the number of times that
        new triples may leave it where it is; with -1, none are sought."""
        packing, found, stalls, last = self.packing, None, 0, 0
        while True:
            packing.solve(self.budget)
            prices, tops, news = prices_of(packing), [], 0
            for group, top in enumerate(self._tops(prices)):
                routes = offers(group, prices, top)
                tops.append(max([top, *prices.reduced(routes)]))
                news += packing.add(group, routes)
            bound = prices.total + sum(count * top for count, top in zip(self.counts, tops, strict=True))
            if found is None or bound < found.bound:
                found = Settled(prices, bound, tops)
                self.best.bound = max(self.best.value, min(self.best.bound, bound // SCALE))
            if found.bound < self.goal:
                return found
            if news:
                continue
            self.dive()
            stalls = stalls + 1 if last and last - bound < SCALE else 0
            last = bound
            if found.bound < self.goal or stalls > stalls_allowed or not self._cut(packing):
                return found

    def _tops(self, prices: Prices) -> list[int]:
        """By group, the most that a route in the programme is worth."""
        tops = [0] * len(self.counts)
        for (group, _), left in zip(self.packing.routes, self._reduced(prices), strict=True):
            tops[group] = max(tops[group], left)
        return tops

    def _reduced(self, prices: Prices) -> list[int]:
        self.budget.spend(len(self.packing.routes) // PER_STEP)
        return prices.reduced([route for _, route in self.packing.routes])

    def dive(self) -> None:
        """Take the routes with the largest shares, one after the other, until no more fit, and offer the set."""
        packing, chosen, left = self.packing, [], list(self.counts)
        while shares := packing.shares():
            taken = 0
            for _, group, route in [one for one in shares if whole([one])] or shares[:1]:
                chosen.append((group, route))
                left[group] -= 1
                taken |= route.mask
            packing = packing.rest(left, taken)
            packing.solve(self.budget)
        self.best.offer(tuple(chosen))

    def known(self) -> list[list[Found]]:
        """The routes of the programme, by group, best first."""
        lists: list[list[Found]] = [[] for _ in self.counts]
        for group, route in self.packing.routes:
            lists[group].append(route)
        return [sorted(routes, key=lambda r: (-r.value, r.mask)) for routes in lists]

    def decide(self, lists: Sequence[Sequence[Found]]) -> None:
        """Find the best set of the routes in ``lists``, by group."""
        self._node(self.packing, lists, self.counts, ())

    def _node(self, packing: Packing, lists: Sequence[Sequence[Found]], counts: Sequence[int], chosen: Chosen) -> None:
        """Offer the best set of all routes ``chosen`` and others of ``lists``, at most ``counts`` of each group, if it
        is better than the best. ``packing``: a programme for these others."""
        sofar = sum([route.value for _, route in chosen]) * SCALE
        stalls, last = 0, 0
        while True:
            bound, lists = self._bound(packing, lists, counts, sofar)
            if bound < self.goal:
                return
            shares = packing.shares()
            if whole(shares):
                self.best.offer((*chosen, *((group, route) for _, group, route in shares)))
                break
            stalls = stalls + 1 if last and last - bound < SCALE else 0
            last = bound
            if stalls > _STALLS or not self._cut(packing):
                break
        if bound < self.goal or not shares:
            return
        _, group, route = next((one for one in shares if not whole([one])), shares[0])
        left = [count - (g == group) for g, count in enumerate(counts)]
        fitting = [
            [r for r in routes if not r.mask & route.mask] if count else []
            for routes, count in zip(lists, left, strict=True)
        ]
        self._node(packing.rest(left, route.mask), fitting, left, (*chosen, (group, route)))
        others = [[r for r in routes if g != group or r.mask != route.mask] for g, routes in enumerate(lists)]
        self._node(packing, others, counts, chosen)

    def _bound(
        self, packing: Packing, lists: Sequence[Sequence[Found]], counts: Sequence[int], sofar: int
    ) -> tuple[int, list[list[Found]]]:
        """An upper bound of ``sofar`` and a mixture of ``lists``, and the routes that can be part of a better set."""
        for group, routes in enumerate(lists):
            packing.add(group, routes[:_ADDED])
        places = packing.known
        packing.keep([places[g, r.mask] for g, routes in enumerate(lists) for r in routes if (g, r.mask) in places])
        while True:
            packing.solve(self.budget)
            prices, news = prices_of(packing), 0
            reduced = [prices.reduced(routes) for routes in lists]
            self.budget.spend(sum(map(len, lists)) // PER_STEP)
            for group, (routes, worths) in enumerate(zip(lists, reduced, strict=True)):
                least = max([0, *(w for r, w in zip(routes, worths, strict=True) if (group, r.mask) in places)])
                better = sorted((i for i, w in enumerate(worths) if w > least), key=lambda i: -worths[i])[:_ADDED]
                news += packing.add(group, [routes[i] for i in better])
            if not news:
                break
        tops = [max([0, *worths]) for worths in reduced]
        bound = sofar + prices.total + sum(n * top for n, top in zip(counts, tops, strict=True))
        spare = bound - self.goal
        kept = [
            [route for route, left in zip(routes, worths, strict=True) if left >= top - spare]
            for routes, worths, top in zip(lists, reduced, tops, strict=True)
        ]
        return bound, kept

    def _cut(self, packing: Packing) -> bool:
        """Add triples that the mixture breaks. False if there are none."""
        if len(packing.triples) > _TIDY:
            packing.tidy()
        shares = packing.shares()
        self.budget.spend(len(shares) ** 2)
        triples = broken_triples(shares, packing.bits, packing.triples)
        if triples:
            packing.cut(triples, self.budget)
        return bool(triples)
