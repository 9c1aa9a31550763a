"""A price for each piece of track, so that the values of trains that compete for track are not simply added up.

For any prices of zero or more, no set of routes that share no track earns more than the sum of all prices plus, for
each train, the best value of a route less the price of its track (a Lagrangian bound). Good prices make that bound
small. They are found by subgradient steps on the routes that matter, and are then checked against all routes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Final

from engine.routes.candidates import SCALE, Budget, Found

_ROUNDS = 6
_STEPS = 60
_WORKING = 50
"""The number of routes of each group that are priced first, those that earn most. Each further round adds the
``_ADDED`` routes that earn most at the prices found. More routes at once would cost more at each step than the rounds
that they save."""
_ADDED = 25
_CHUNK = 10
_PER_STEP = 8
"""The number of routes that are examined for one step of the budget."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of track. ``of``: the price of each bit of a mask. ``bound``: an upper bound of the value of a set of
    routes. Both are in ``SCALE`` parts of a unit."""

    of: tuple[int, ...]
    bound: int

    @property
    def total(self) -> int:
        return sum(self.of)

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
        return found


FREE: Final = Prices((), 0)
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


def price_track(
    lists: Sequence[Sequence[Found]], counts: Sequence[int], bits: int, goal: int, budget: Budget
) -> Prices:
    """Prices for ``bits`` bits. ``lists``: the routes of each group of trains, best first. ``counts``: the number of
    trains in each group. The computation stops early once the bound shows that no set of routes reaches ``goal``."""
    zero = (0,) * bits
    best = Prices(zero, SCALE * sum(n * routes[0].value for routes, n in zip(lists, counts, strict=True) if routes))
    working = [{route.mask: route for route in routes[:_WORKING]} for routes in lists]
    start: Sequence[float] = zero
    for _ in range(_ROUNDS):
        if best.bound < goal * SCALE:
            break
        budget.spend(sum(map(len, working)) * _STEPS // _PER_STEP + sum(map(len, lists)) // _PER_STEP)
        start = _descend([list(w.values()) for w in working], counts, start, goal)
        prices = Prices(tuple(max(0, round(price * SCALE)) for price in start), 0)
        bound, news = prices.total, 0
        for routes, count, known in zip(lists, counts, working, strict=True):
            reduced = prices.reduced(routes)
            bound += count * max([0, *reduced])
            order = sorted(range(len(routes)), key=lambda i: -reduced[i])[:_ADDED]
            new = [routes[i] for i in order if routes[i].mask not in known]
            known.update((route.mask, route) for route in new)
            news += len(new)
        if bound < best.bound:
            best = Prices(prices.of, bound)
        if not news:
            break
    return best


def _descend(
    working: Sequence[Sequence[Found]], counts: Sequence[int], start: Sequence[float], goal: int
) -> Sequence[float]:
    """The best prices found by ``_STEPS`` subgradient steps from ``start``. Track that no route uses is free and stays
    free."""
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
    best, best_bound, pace = prices, float("inf"), 1.0
    since = 0
    for _ in range(_STEPS):
        bound, slope = sum(prices), [1.0] * nothing
        for priced, places, count in groups:
            left = [value - sum(track(prices)) for value, track in priced]
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
            if since == 5:
                pace, since = pace / 2, 0
        length = sum(g * g for p, g in zip(prices, slope, strict=False) if p > 0 or g < 0)
        if length == 0 or bound <= goal:
            break
        stride = pace * (bound - goal) / length
        prices = [max(0.0, p - stride * g) for p, g in zip(prices, slope, strict=False)] + [0.0]
    found = [0.0] * len(start)
    for b, i in at.items():
        found[b] = best[i]
    return found
