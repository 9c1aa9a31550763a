"""A price for each piece of track, so that the values of trains that compete for track are not simply added up.

For any prices of zero or more, no set of routes that share no track earns more than the sum of all prices plus, for
each train, the best value of a route less the price of its track (a Lagrangian bound). Good prices make that bound
small. They are those of a linear programme (``packing``), rounded to whole parts: the bound holds for any prices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.routes.candidates import SCALE, Found
from engine.routes.packing import Packing

PER_STEP = 8
"""The number of routes that are priced for one step of the budget."""
_CHUNK = 10


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
