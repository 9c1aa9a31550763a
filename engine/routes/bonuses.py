"""Bonuses of a whole run: for its ends, for the stops that it touches, and for a ring; and claims, which no two runs of
a company may share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from engine.core.ids import HexId


@dataclass(frozen=True, slots=True)
class EndsBonus:
    """A bonus of ``amount`` for a run that begins in a hex of ``one`` and ends in a hex of ``other``, or the other way
    round."""

    one: frozenset[HexId]
    other: frozenset[HexId]
    amount: int


@dataclass(frozen=True, slots=True)
class AllBonus:
    """A bonus of ``amount`` for a run that touches a stop in a hex of each of the ``groups``."""

    groups: tuple[frozenset[HexId], ...]
    amount: int


@dataclass(frozen=True, slots=True)
class RingBonus:
    """A bonus of ``amount`` for a run that ends where it began, stays on the hexes of the ``ring``, and goes round the
    point ``centre``. ``places``: the points of the hexes of the ring."""

    ring: frozenset[HexId]
    places: tuple[tuple[HexId, tuple[int, int]], ...]
    centre: tuple[int, int]
    amount: int

    def encloses(self, hexes: Sequence[HexId]) -> bool:
        """True if a closed run along ``hexes`` goes round the centre: a ray from there crosses the run an odd number of
        times."""
        at = dict(self.places)
        x, y = self.centre
        crossed = 0
        for a, b in pairwise(hexes):
            (ax, ay), (bx, by) = at[a], at[b]
            if (ay > y) != (by > y):
                right = (x - ax) * (by - ay) < (y - ay) * (bx - ax)
                crossed += right == (by > ay)
        return crossed % 2 == 1


RouteBonus: TypeAlias = EndsBonus | AllBonus | RingBonus


@dataclass(frozen=True, slots=True)
class Claim:
    """A bonus of ``amount`` for a run that touches a stop in each of ``hexes`` and that alone claims all of them."""

    hexes: tuple[HexId, ...]
    amount: int


def earned(bonus: RouteBonus, stops: Sequence[HexId], hexes: Sequence[HexId]) -> bool:
    """True if a run earns the bonus. ``stops``: the hexes of its stops in order. ``hexes``: all hexes that it runs
    through, in order."""
    match bonus:
        case EndsBonus():
            a, b = stops[0], stops[-1]
            return (a in bonus.one and b in bonus.other) or (b in bonus.one and a in bonus.other)
        case AllBonus():
            return all(not group.isdisjoint(stops) for group in bonus.groups)
        case RingBonus():
            return stops[0] == stops[-1] and bonus.ring.issuperset(hexes) and bonus.encloses(hexes)


def best_bonus(bonuses: Sequence[RouteBonus], stops: Sequence[HexId], hexes: Sequence[HexId]) -> int:
    """The amount of the best bonus that the run earns."""
    return max((b.amount for b in bonuses if earned(b, stops, hexes)), default=0)


def claimed(claims: Sequence[Claim], runs: Sequence[frozenset[HexId]]) -> tuple[int, ...]:
    """The amount that each of the runs claims, if claims are given out so that the total is highest. ``runs``: for each
    run, the hexes of its stops."""
    best: tuple[int, ...] = (0,) * len(runs)

    def go(at: int, taken: frozenset[HexId], sofar: tuple[int, ...]) -> None:
        nonlocal best
        if at == len(runs):
            best = max(best, sofar, key=sum)
            return
        go(at + 1, taken, (*sofar, 0))
        for claim in claims:
            if runs[at].issuperset(claim.hexes) and taken.isdisjoint(claim.hexes):
                go(at + 1, taken.union(claim.hexes), (*sofar, claim.amount))

    if claims:
        go(0, frozenset(), ())
    return best
