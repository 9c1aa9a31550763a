"""A price for each piece of track, so that the values of trains that compete for track are not simply added up.

For any prices of zero or more, no set of routes that share no track earns more than the sum of all prices plus, for
each train, the best value of a route less the price of its track (a Lagrangian bound). Good prices make that bound
small. Where few trains meet, subgradient steps soon find prices that decide (``descend``). Elsewhere they are those of
a linear programme (``packing``), rounded to whole parts: the bound holds for any prices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import add, itemgetter
from typing import Final

from engine.routes.candidates import SCALE, Budget, Found
from engine.routes.packing import Packing

PER_STEP = 8
"""The number of routes that are priced for one step of the budget."""
_CHUNK = 10
_ROUNDS = 6
_STEPS = 60
_WORKING = 50
"""The number of routes of each group that are priced first, those that earn most. Each further round adds the
``_ADDED`` routes that earn most at the prices found. More routes at once would cost more at each step than the rounds
that they save."""
_ADDED = 25
_PATIENCE = 5
"""The number of steps without a smaller bound after which they become half as long."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices in ``SCALE`` parts of a unit. ``of``: the price of each bit of a mask. ``triples``: (mask of three bits,
    price) of the triples; a route that uses at least two of the three bits pays that price as well."""

    of: tuple[int, ...]
    triples: tuple[tuple[int, int], ...] = ()

    @property
    def total(self) -> int:
        return sum(self.of) + sum(price for _, price in self.triples)

    def reduced(self, routes: Sequence[Found]) -> list[int]:
        """The value of each route less the price of its track, in ``SCALE`` parts of a unit."""
        tables = _tables(self.of)
        low = (1 << _CHUNK) - 1
        found = []
        for route in routes:
            mask, left = route.mask, route.value * SCALE
            for table in tables:
                if not mask:
                    break
                left -= table[mask & low]
                mask >>= _CHUNK
            found.append(left)
        for triple, price in self.triples:
            found = [
                left - price if (route.mask & triple).bit_count() > 1 else left
                for route, left in zip(routes, found, strict=True)
            ]
        return found


FREE: Final = Prices(())
"""Prices at which all track is free."""


@lru_cache(maxsize=8)
def _tables(prices: tuple[int, ...]) -> list[list[int]]:
    """For each chunk of ``_CHUNK`` bits, the price of each combination of these bits."""
    tables = []
    for start in range(0, len(prices), _CHUNK):
        table = [0]
        for price in prices[start : start + _CHUNK]:
            table += [price + other for other in table]
        tables.append(table)
    return tables


def prices_of(packing: Packing) -> Prices:
    """The prices of the programme's solution, in whole parts."""
    whole = [max(0, round(price * SCALE)) for price in packing.prices]
    triples = zip(packing.triples, whole[packing.bits + packing.groups :], strict=True)
    return Prices(tuple(whole[: packing.bits]), tuple((triple, price) for triple, price in triples if price))


def descend(
    lists: Sequence[Sequence[Found]], counts: Sequence[int], bits: int, goal: int, budget: Budget
) -> tuple[Prices, int]:
    """Prices for ``bits`` bits, and the bound at these prices, in ``SCALE`` parts. ``lists``: the routes of each group
    of trains, best first. ``counts``: the number of trains in each group. The computation stops early once the bound
    shows that no set of routes reaches ``goal``."""
    start: Sequence[float] = (0,) * bits
    best = Prices((0,) * bits)
    least = SCALE * sum(n * routes[0].value for routes, n in zip(lists, counts, strict=True) if routes)
    working = [{route.mask: route for route in routes[:_WORKING]} for routes in lists]
    for _ in range(_ROUNDS):
        if least < goal * SCALE:
            break
        budget.spend(sum(map(len, working)) * _STEPS // PER_STEP + sum(map(len, lists)) // PER_STEP)
        start = _steps_down([list(w.values()) for w in working], counts, start, goal)
        prices = Prices(tuple(max(0, round(price * SCALE)) for price in start))
        bound, news = prices.total, 0
        for routes, count, known in zip(lists, counts, working, strict=True):
            reduced = prices.reduced(routes)
            bound += count * max([0, *reduced])
            order = sorted(range(len(routes)), key=lambda i: -reduced[i])[:_ADDED]
            new = [routes[i] for i in order if routes[i].mask not in known]
            known.update((route.mask, route) for route in new)
            news += len(new)
        if bound < least:
            best, least = prices, bound
        if not news:
            break
    return best, least


def _steps_down(
    working: Sequence[Sequence[Found]], counts: Sequence[int], start: Sequence[float], goal: int
) -> Sequence[float]:
    """The best prices found by ``_STEPS`` subgradient steps from ``start``. Track that no route uses is free and stays
    free. Floats are added one by one, because ``sum`` rounds them in another way from Python 3.12 on."""
    used = [[[b for b in range(r.mask.bit_length()) if r.mask >> b & 1] for r in routes] for routes in working]
    bits = sorted({b for tracks in used for track in tracks for b in track})
    at = {b: i for i, b in enumerate(bits)}
    nothing = len(bits)  # one more piece, at no price, so that ``itemgetter`` always returns a tuple
    groups = []
    for routes, tracks, count in zip(working, used, counts, strict=True):
        places = [[at[b] for b in track] for track in tracks]
        priced = [(route.value, itemgetter(nothing, nothing, *p)) for route, p in zip(routes, places, strict=True)]
        groups.append((priced, places, count))
    prices = [start[b] for b in bits] + [0.0]
    best, best_bound, pace, since = prices, float("inf"), 1.0, 0
    for _ in range(_STEPS):
        bound, slope = reduce(add, prices), [1.0] * nothing
        for priced, places, count in groups:
            left = [value - reduce(add, track(prices)) for value, track in priced]
            top = max(left, default=0.0)
            if top <= 0.0:
                continue
            bound += count * top
            for i in places[left.index(top)]:
                slope[i] -= count
        if bound < best_bound - 1e-9:
            best, best_bound, since = prices, bound, 0
        else:
            since += 1
            if since == _PATIENCE:
                pace, since = pace / 2, 0
        length = reduce(add, (g * g for p, g in zip(prices, slope, strict=False) if p > 0 or g < 0), 0.0)
        if length == 0 or bound <= goal:
            break
        stride = pace * (bound - goal) / length
        prices = [max(0.0, p - stride * g) for p, g in zip(prices, slope, strict=False)] + [0.0]
    found = [0.0] * len(start)
    for b, i in at.items():
        found[b] = best[i]
    return found
