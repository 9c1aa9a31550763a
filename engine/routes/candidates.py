"""Routes as the search finds them, and its budget of work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.routes.graph import Graph, Track

Arm: TypeAlias = "tuple[Arm, int] | None"
"""The stretches of an arm, the last one first, as linked pairs."""
SCALE = 32
"""The number of parts of a unit of money. Prices are whole numbers of parts, so that bounds are exact."""


@dataclass(slots=True)
class Budget:
    """The number of steps that are left to a search."""

    left: int

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise LimitReachedError


@dataclass(frozen=True, slots=True)
class Found:
    """A route: its value, its mask of track, and the stop and the two arms from which its track follows."""

    value: int
    mask: int
    start: int
    first: Arm
    second: Arm
    stops: int = 0
    """The bits of its stops, if the search keeps them; 0 otherwise."""

    def track(self, graph: Graph) -> Track:
        """The track of the route, from the tip of its second arm to the tip of its first."""
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


class LimitReachedError(Exception):
    """The budget is spent. ``best``: the best route found by then, if it is of use."""

    def __init__(self, best: Found | None = None) -> None:
        super().__init__()
        self.best = best


NO_ROUTE = Found(0, 0, 0, None, None)


@dataclass(frozen=True, slots=True)
class Priced:
    """A route with its reduced value: its value less the price of its track, in ``SCALE`` parts."""

    reduced: int
    route: Found
