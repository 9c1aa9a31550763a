"""Routes as the search finds them, and the work that it is allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.routes.graph import Graph, Track

Arm: TypeAlias = "tuple[Arm, int] | None"
"""The stretches of an arm, last one first, as linked pairs."""
SCALE = 32
"""Prices are whole numbers of this part of a unit of money, so that bounds are exact."""


@dataclass(slots=True)
class Budget:
    """The number of steps that may still be taken."""

    left: int

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise LimitReachedError


@dataclass(frozen=True, slots=True)
class Found:
    """A route: its value and track, and how to write it down."""

    value: int
    mask: int
    start: int
    first: Arm
    second: Arm
    stops: int = 0
    """The bits of its stops, where runs are asked what they have in common."""

    def track(self, graph: Graph) -> Track:
        """The route from the tip of its second arm to the tip of its first."""
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
    """The allowed work is used up; ``best``: the best route found by then, if it is of use."""

    def __init__(self, best: Found | None = None) -> None:
        super().__init__()
        self.best = best


NO_ROUTE = Found(0, 0, 0, None, None)
