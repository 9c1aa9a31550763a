"""The search for the runs of one train where every run begins and ends at a station: depth first over legs.

Each kind of train has its own search (``station_search``, ``end_search``). Both use tables of the most that the legs
ahead can add, less the prices of their track.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from engine.routes.candidates import SCALE, Arm, Budget, Found, LimitReachedError
from engine.routes.legs import Network
from engine.routes.reach import RunTraits, TrainReach
from engine.routes.track_prices import Prices

Ways: TypeAlias = "tuple[Ways, tuple[int, ...]] | None"
"""The legs of an arm, the last one first, each as its stretches."""
NEVER: Final = -(1 << 60)
"""A value below that of every run."""


class StationSearch:
    """The common part of both searches. ``keep``, ``floor`` and ``prices`` are as in ``Search``."""

    def __init__(
        self, network: Network, traits: RunTraits, reach: TrainReach, floor: int, keep: Callable[[Found], bool],
        prices: Prices,
    ) -> None:  # fmt: skip
        self.network, self.reach, self.keep, self.least = network, reach, keep, floor
        self.extras = network.extras
        self.loops = traits.loops
        self.unit, self.times = SCALE * reach.multiplier, reach.multiplier
        self.prices, self.triples = prices.of, prices.triples
        self.left = 0
        self.taken = 0
        self.exits: dict[int, list[tuple[int, int, int, int, int, int, tuple[int, ...]]]] = {}
        """By station, the legs that leave it, best first: (other station, mask, places, stops between, net value with
        the other station, net value without it, stretches)."""

    def run(self, budget: Budget, taken: int) -> None:
        """Offer all runs that do not use the track ``taken``. ``LimitReachedError`` if the budget is spent."""
        self.left, self.taken = budget.left, taken
        try:
            self._prepare()
            self._search()
        finally:
            budget.left = self.left

    def _prepare(self) -> None:
        network, unit, prices = self.network, self.unit, self.prices
        tolls: dict[int, int] = {}
        self.exits = {i: [] for i in network.reached}
        for a, legs in network.legs.items():
            for b, leg, way in legs:
                if leg.mask & self.taken:
                    continue
                toll = tolls.get(id(leg), -1)
                if toll < 0:
                    toll, mask = 0, leg.mask if prices else 0
                    while mask:
                        low = mask & -mask
                        toll += prices[low.bit_length() - 1]
                        mask ^= low
                    tolls[id(leg)] = toll
                bare = unit * leg.value - toll
                self.exits[a].append((b, leg.mask, leg.places, leg.stops, bare + self.adds(b), bare, way))
        self.left -= len(network.all) >> 2
        for out in self.exits.values():
            out.sort(key=lambda e: (-e[4], e[0]))

    def adds(self, station: int) -> int:
        """The gain of a run from touching the station, in ``SCALE`` parts."""
        raise NotImplementedError

    def _search(self) -> None:
        raise NotImplementedError

    def offer(self, total: int, mask: int, touched: int, ends: tuple[int, int], start: int, a: Ways, b: Ways) -> None:
        """Keep the run, alone and with each claim, if it earns enough. ``total``: its value without bonuses, less the
        price of its track, in ``SCALE`` parts."""
        if total + self.extras.most * self.unit <= self.least:
            return

        def made() -> Found:
            return Found(0, mask, start, _arm(a), _arm(b), touched)

        total += self.unit * self.extras.bonus(touched, *ends, made)
        variants = [(total, mask)]
        for there, bits, amount in self.extras.claims:
            if not bits & self.taken and all(touched & stops for stops in there):
                variants.append((total + self.unit * amount - self.price(bits), mask | bits))
        for net, marked in variants:
            net -= self.crossing(marked)
            if net > self.least:
                value = (net + self.price(marked) + self.crossing(marked)) // SCALE
                if self.keep(Found(value, marked, start, _arm(a), _arm(b), touched)):
                    self.least = net

    def price(self, mask: int) -> int:
        """The price of all track and claims in the mask, in ``SCALE`` parts."""
        return sum(price for bit, price in enumerate(self.prices) if mask >> bit & 1)

    def crossing(self, mask: int) -> int:
        """The price of the triples of which the mask has at least two pieces."""
        return sum(price for triple, price in self.triples if (mask & triple).bit_count() > 1)

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise LimitReachedError


def _arm(ways: Ways) -> Arm:
    legs: list[tuple[int, ...]] = []
    while ways is not None:
        ways, way = ways
        legs.append(way)
    arm: Arm = None
    for way in reversed(legs):
        for s in way:
            arm = arm, s
    return arm
