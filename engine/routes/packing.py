"""The best mixture of routes, as a linear programme, and the prices of track that come with it.

The programme takes a share of each route between 0 and 1. The shares of all routes on one piece of track sum to at most
1, and those of a group of trains to at most the number of its trains. Two routes that each use two of the same three
pieces share one of them, so the shares of all routes that use at least two of the three sum to at most 1 as well. Such
a *triple* cuts off mixtures of halves (Jepsen, Petersen, Spoorendonk and Pisinger 2008, subset-row inequalities).

The revised simplex method solves it, with the inverse of the basis kept whole, since a board has fewer than a hundred
pieces of track. Its arithmetic is the same on every machine and in every version of Python; for that it adds by
``fsum``, because ``sum`` rounds floats in another way from Python 3.12 on. Its prices need not be exact: what they
prove is computed from them in whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import fsum
from operator import itemgetter

from engine.routes.candidates import Budget, Found, LimitReachedError

_TINY = 1e-6
_PIVOT = 1e-4
"""Rates below this are taken as 0: what rounding leaves. Real ones are fractions of small numbers."""
_FRESH = 300
"""The number of steps from basis to basis after which the inverse is computed afresh, without what rounding left."""
_BLOCK = 300
"""The number of routes that are priced before the best of them enters the basis."""
_PER_STEP = 50
"""The number of multiplications that count as one step of the budget."""
_SLANT = 1e-4
_TILT = 1e-2
"""The rows' limits and the routes' values differ by up to this much from whole numbers, so that no two steps are as
good as each other and the method does not go in circles."""
_MUCH = 1e5
"""A value that no set of routes reaches. A route that is barred is worth as much less than nothing."""
_WHOLE = 0.01
"""Shares this close to 0 or 1 are taken as whole."""
_NEW_TRIPLES = 15
_WORTH_CUTTING = 1.02

Weights = Callable[[Sequence[float]], tuple[float, ...]]
Share = tuple[float, int, Found]


class Packing:
    """The programme. ``counts``: the number of trains of each group. ``bits``: the number of bits of a mask."""

    def __init__(self, counts: Sequence[int], bits: int, triples: Sequence[int] = ()) -> None:
        self.bits, self.groups, self.rows = bits, len(counts), bits + len(counts) + len(triples)
        self.triples = list(triples)
        """The masks of the triples."""
        self.routes: list[tuple[int, Found]] = []
        """By column, the group and the route."""
        self.weights: list[Weights] = []
        """By column, a function that takes the entries of its rows out of a list."""
        self.values: list[float] = []
        self.known: dict[tuple[int, int], int] = {}
        limits = [1.0] * bits + [float(count) for count in counts] + [1.0] * len(triples)
        self.limits = [limit + _slant(i) for i, limit in enumerate(limits)]
        """By row, the most that its shares may sum to."""
        self.basis = [-1 - i for i in range(self.rows)]
        """By row of the inverse, the column in the basis; ``-1 - i`` for the slack of row ``i``."""
        self.inverse = [[float(i == j) for j in range(self.rows)] for i in range(self.rows)]
        self.levels = list(self.limits)
        """By row of the inverse, the share of its column."""
        self.prices = [0.0] * self.rows
        """By row: those of the pieces of track, of the groups, and of the triples."""
        self.age = 0

    def add(self, group: int, routes: Iterable[Found]) -> int:
        """Add those of ``routes`` that are new to the group; return their number."""
        before = len(self.routes)
        for route in routes:
            if (group, route.mask) not in self.known:
                self.known[group, route.mask] = len(self.routes)
                self.routes.append((group, route))
                self.weights.append(self._weights(group, route.mask))
                self.values.append(_tilted(len(self.values), route))
        return len(self.routes) - before

    def _weights(self, group: int, mask: int) -> Weights:
        base = self.bits + self.groups
        places = [b for b in range(mask.bit_length()) if mask >> b & 1]
        places += [base + i for i, triple in enumerate(self.triples) if (mask & triple).bit_count() > 1]
        return itemgetter(self.bits + group, *places)

    def keep(self, columns: Iterable[int]) -> None:
        """Bar all columns but ``columns``."""
        kept = set(columns)
        self.values = [_tilted(j, route) if j in kept else -_MUCH for j, (_, route) in enumerate(self.routes)]
        self._set_prices()

    def rest(self, counts: Sequence[int], taken: int) -> Packing:
        """The programme for ``counts`` trains of the groups and the track not in the mask ``taken``, with the same
        triples. Its routes are those of this one that are not barred and still fit."""
        new = Packing(counts, self.bits, self.triples)
        for (group, route), value in zip(self.routes, self.values, strict=True):
            if counts[group] > 0 and value > -_MUCH and not route.mask & taken:
                new.add(group, (route,))
        return new

    def _set_prices(self) -> None:
        values = self.values
        self.prices = [0.0] * self.rows
        for column, row in zip(self.basis, self.inverse, strict=True):
            if column >= 0:
                value = values[column]
                self.prices = [p + value * y for p, y in zip(self.prices, row, strict=True)]

    def solve(self, budget: Budget) -> None:
        """Go from basis to basis until no route is worth more than its price."""
        if self.age > _FRESH:
            self._refresh(budget)
        at, since, total = 0, 0, len(self.routes)
        while True:
            best, enter, block = _TINY, -1, min(_BLOCK, total - since)
            for step in range(block):
                j = (at + step) % total
                gain = self.values[j] - fsum(self.weights[j](self.prices))
                if gain > best:
                    best, enter = gain, j
            at = (at + block) % total if total else 0
            since = 0 if enter >= 0 else since + block
            if enter >= 0:
                self._enter(enter, budget)
            elif since >= total:
                slack = min(range(self.rows), key=self.prices.__getitem__)
                if self.prices[slack] >= -_TINY:
                    return
                self._enter(-1 - slack, budget)
                since = 0

    def _slope(self, column: int) -> list[float]:
        """By row of the inverse, the share that its column loses for each share of ``column``."""
        if column < 0:
            return [row[-1 - column] for row in self.inverse]
        weights = self.weights[column]
        return [fsum(weights(row)) for row in self.inverse]

    def _enter(self, column: int, budget: Budget) -> None:
        slope = self._slope(column)
        least, out = float("inf"), -1
        for i, rate in enumerate(slope):
            if rate > _PIVOT and self.levels[i] < least * rate:
                least, out = self.levels[i] / rate, i
        if out < 0:
            raise LimitReachedError  # the shares are bounded, so only rounding can lead here
        self._pivot(column, slope, out, budget)

    def _pivot(self, column: int, slope: Sequence[float], out: int, budget: Budget) -> None:
        """Replace the column of row ``out`` by ``column``."""
        budget.spend(self.rows * self.rows // _PER_STEP)
        inverse, levels, pivot = self.inverse, self.levels, slope[out]
        if column < 0:
            gain = -self.prices[-1 - column]
        else:
            gain = self.values[column] - fsum(self.weights[column](self.prices))
        row, share = [x / pivot for x in inverse[out]], levels[out] / pivot
        for i, rate in enumerate(slope):
            if rate and i != out:
                inverse[i] = [x - rate * y for x, y in zip(inverse[i], row, strict=True)]
                levels[i] -= rate * share
        inverse[out], levels[out], self.basis[out] = row, share, column
        self.prices = [p + gain * y for p, y in zip(self.prices, row, strict=True)]
        self.age += 1

    def _refresh(self, budget: Budget) -> None:
        """Compute the inverse of the basis afresh."""
        columns = [column for column in self.basis if column >= 0]
        free = [i for i in range(self.rows) if -1 - i not in self.basis]
        self.basis = [-1 - i for i in range(self.rows)]
        self.inverse = [[float(i == j) for j in range(self.rows)] for i in range(self.rows)]
        self.levels = list(self.limits)
        for column in columns:
            slope = self._slope(column)
            out = max(free, key=lambda i: abs(slope[i]))
            free.remove(out)
            self._pivot(column, slope, out, budget)
        self._set_prices()
        self.age = 0

    def cut(self, triples: Sequence[int], budget: Budget) -> None:
        """Add rows for the ``triples``, and make the solution keep to them (dual simplex method)."""
        for triple in triples:
            crossing = [column >= 0 and (self.routes[column][1].mask & triple).bit_count() > 1 for column in self.basis]
            row = [0.0] * self.rows
            level = 1 + _slant(self.rows)
            self.limits.append(level)
            for crosses, other, share in zip(crossing, self.inverse, self.levels, strict=True):
                if crosses:
                    row = [x - y for x, y in zip(row, other, strict=True)]
                    level -= share
            self.inverse = [[*other, 0.0] for other in self.inverse]
            self.inverse.append([*row, 1.0])
            self.levels.append(level)
            self.basis.append(-1 - self.rows)
            self.prices.append(0.0)
            self.triples.append(triple)
            self.rows += 1
        self.weights = [self._weights(group, route.mask) for group, route in self.routes]
        while min(self.levels) < -_TINY:
            out = min(range(self.rows), key=self.levels.__getitem__)
            self._leave(out, budget)

    def _leave(self, out: int, budget: Budget) -> None:
        """Bring into the basis the column that loses least if that of row ``out`` leaves it."""
        row, prices = self.inverse[out], self.prices
        least: float = float("inf")
        enter: int | None = None
        for i, rate in enumerate(row):
            if rate < -_PIVOT and prices[i] < -least * rate:
                least, enter = prices[i] / -rate, -1 - i
        for j, weights in enumerate(self.weights):
            rate = fsum(weights(row))
            if rate < -_PIVOT:
                loss = fsum(weights(prices)) - self.values[j]
                if loss < -least * rate:
                    least, enter = loss / -rate, j
        if enter is None:
            raise LimitReachedError  # no routes at all keep to every triple, so only rounding can lead here
        self._pivot(enter, self._slope(enter), out, budget)

    def tidy(self) -> None:
        """Drop the triples that do not bind at the moment."""
        first = self.bits + self.groups
        loose = {-1 - column for column in self.basis if column < -first}
        if not loose:
            return
        kept = [i for i in range(self.rows) if i not in loose]
        rows = [r for r, column in enumerate(self.basis) if -1 - column not in loose]
        self.inverse = [[self.inverse[r][i] for i in kept] for r in rows]
        self.levels = [self.levels[r] for r in rows]
        self.limits = [self.limits[i] for i in kept]
        place = {i: at for at, i in enumerate(kept)}
        self.basis = [self.basis[r] if self.basis[r] >= 0 else -1 - place[-1 - self.basis[r]] for r in rows]
        self.prices = [self.prices[i] for i in kept]
        self.triples = [self.triples[i - first] for i in kept if i >= first]
        self.rows = len(kept)
        self.weights = [self._weights(group, route.mask) for group, route in self.routes]

    def shares(self) -> list[Share]:
        """(share, group, route) of each route of the solution, largest shares first."""
        found = [(share, j) for share, j in zip(self.levels, self.basis, strict=True) if j >= 0 and share > _WHOLE]
        return [(share, *self.routes[j]) for share, j in sorted(found, key=lambda one: (-one[0], one[1]))]


def whole(shares: Sequence[Share]) -> bool:
    """True if no route is taken by a part."""
    return all(share > 1 - _WHOLE for share, _, _ in shares)


def broken_triples(shares: Sequence[Share], bits: int, known: Sequence[int]) -> list[int]:
    """Triples of the pieces of track that the mixture breaks most."""
    users: dict[tuple[int, ...], int] = {}
    for b in range(bits):
        those = tuple(i for i, (_, _, route) in enumerate(shares) if route.mask >> b & 1)
        if len(those) > 1:
            users.setdefault(those, b)  # pieces with the same routes would make the same triple
    pieces = [(sum(1 << i for i in those), b) for those, b in sorted(users.items())]
    meeting = [
        (i, j, one & other) for (i, (one, _)), (j, (other, _)) in combinations(enumerate(pieces), 2) if one & other
    ]
    found: dict[int, float] = {}
    parts: dict[int, float] = {}
    for i, j, both in meeting:
        one, other = pieces[i][0], pieces[j][0]
        for third, b in pieces[j + 1 :]:
            routes = both | third & (one | other)
            if routes.bit_count() < 3:
                continue
            total = parts.get(routes)
            if total is None:
                total = parts[routes] = fsum(share for k, (share, _, _) in enumerate(shares) if routes >> k & 1)
            if total > _WORTH_CUTTING:
                triple = 1 << pieces[i][1] | 1 << pieces[j][1] | 1 << b
                found[triple] = total
    new = sorted((-total, triple) for triple, total in found.items() if triple not in known)
    return [triple for _, triple in new[:_NEW_TRIPLES]]


def _slant(i: int) -> float:
    return _SLANT * _spread(i)


def _tilted(j: int, route: Found) -> float:
    return route.value - _TILT * _spread(j)


def _spread(i: int) -> float:
    """A number between 0 and 1 that differs for each ``i``: the golden section spreads them evenly."""
    return i * 0.6180339887498949 % 1.0
