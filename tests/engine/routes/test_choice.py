"""The choice of routes that earn most together: against every set tried, on routes made at random."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from engine.routes.candidates import SCALE, Budget, Found
from engine.routes.choice import Choice, Chosen
from engine.routes.packing import Packing, broken_triples, whole
from engine.routes.track_prices import Prices, descend

PIECES = 14
STEPS = 10_000_000


class Record:
    """The best set that was offered. Each offer must be a set that may run."""

    step = 10

    def __init__(self, counts: Sequence[int]) -> None:
        self.counts, self.value, self.bound = counts, 0, 100_000

    def offer(self, chosen: Chosen) -> None:
        used = 0
        for _, route in chosen:
            assert not route.mask & used
            used |= route.mask
        for group, count in enumerate(self.counts):
            assert sum(g == group for g, _ in chosen) <= count
        self.value = max(self.value, sum(route.value for _, route in chosen))


def random_lists(rng: Random) -> tuple[list[list[Found]], list[int]]:
    """Routes of two or three groups, best first, and the number of trains of each group."""
    lists = []
    for _ in range(rng.choice((2, 3))):
        routes = {}
        for _ in range(rng.randrange(4, 26)):
            mask = sum({1 << rng.randrange(PIECES) for _ in range(rng.choice((2, 3, 3, 4)))})
            routes[mask] = Found(10 * rng.randrange(3, 12), mask, 0, None, None)
        lists.append(sorted(routes.values(), key=lambda r: (-r.value, r.mask)))
    return lists, [rng.choice((1, 1, 2, 3)) for _ in lists]


def most(lists: Sequence[Sequence[Found]], counts: Sequence[int], used: int = 0) -> int:
    """The value of the best set, from all sets."""
    best = 0
    for group, routes in enumerate(lists):
        if not counts[group]:
            continue
        left = [count - (g == group) for g, count in enumerate(counts)]
        for at, route in enumerate(routes):
            if not route.mask & used:
                later = [() for _ in range(group)] + [routes[at + 1 :], *lists[group + 1 :]]
                best = max(best, route.value + most(later, left, used | route.mask))
    return best


@pytest.mark.parametrize("seed", range(60))
def test_the_best_set_is_found_and_its_bound_holds(seed: int) -> None:
    """rule 1861:12.2"""
    lists, counts = random_lists(Random(f"choice {seed}"))
    right = most(lists, counts)
    record = Record(counts)
    choice = Choice(counts, PIECES, record, Budget(STEPS))

    def offers(group: int, prices: Prices, floor: int) -> list[Found]:
        reduced = prices.reduced(lists[group])
        return [route for route, left in zip(lists[group], reduced, strict=True) if left > floor]

    settled = choice.settle(offers)
    assert settled.bound >= right * SCALE
    assert record.bound >= right >= record.value
    choice.decide(lists)
    assert record.value == right


@pytest.mark.parametrize("seed", range(60))
def test_no_set_earns_more_than_the_bound_at_prices_that_are_quickly_found(seed: int) -> None:
    """rule 1861:12.2"""
    lists, counts = random_lists(Random(f"choice {seed}"))
    right = most(lists, counts)
    prices, bound = descend(lists, counts, PIECES, right + Record.step, Budget(STEPS))
    assert bound >= right * SCALE
    tops = [max([0, *prices.reduced(routes)]) for routes in lists]
    assert bound == prices.total + sum(count * top for count, top in zip(counts, tops, strict=True))


def test_a_triple_cuts_off_a_mixture_of_halves() -> None:
    """Of three routes that share pieces in pairs, only one can run; a mixture takes half of each."""
    masks = (0b011, 0b101, 0b110)
    packing, budget = Packing([3], 3), Budget(STEPS)
    packing.add(0, [Found(100, mask, 0, None, None) for mask in masks])
    packing.solve(budget)
    halves = packing.shares()
    assert [round(share, 2) for share, _, _ in halves] == [0.5, 0.5, 0.5]
    assert not whole(halves)
    triples = broken_triples(halves, 3, [])
    assert triples == [0b111]
    packing.cut(triples, budget)
    packing.solve(budget)
    assert sum(share for share, _, _ in packing.shares()) == pytest.approx(1, abs=0.001)
    assert broken_triples(packing.shares(), 3, packing.triples) == []


def test_triples_that_do_not_bind_are_dropped() -> None:
    packing, budget = Packing([3], 6), Budget(STEPS)
    packing.add(0, [Found(100, mask, 0, None, None) for mask in (0b011, 0b101, 0b110, 0b111000)])
    packing.solve(budget)
    packing.cut([0b111, 0b111000], budget)
    packing.solve(budget)
    before = sorted((round(share, 3), route.mask) for share, _, route in packing.shares())
    packing.tidy()
    packing.solve(budget)
    assert packing.triples == [0b111]
    assert sorted((round(share, 3), route.mask) for share, _, route in packing.shares()) == before
