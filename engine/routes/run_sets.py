"""The rules for the runs of one company as a set: the sets that may be combined, and the facts that bounds rely on.

No piece of track is used twice, whether by one run or by two. The search and its bounds rely on this: each piece is one
bit of a run's mask and has one price. A title may demand more of a whole set (``Together``). Such a rule only bars
sets, so every bound stays true. But a run may then be needed for the sake of the others, even if a part of it earns as
much.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from engine.core.checks import Failure
from engine.routes.candidates import Priced
from engine.routes.graph import Graph, Track

_NEVER = -(1 << 60)

Together: TypeAlias = Callable[[Graph, Sequence[Track]], Failure | None]
"""A function that returns the objection to running the tracks together, whatever their order; None if there is none. A
run that may not be declared alone must fail alone, too."""


@dataclass(frozen=True, slots=True)
class Linked:
    """The rule that all runs are connected: in some order, each run after the first touches a stop that an earlier one
    touches. ``pairs``: every two runs must touch a common stop."""

    pairs: bool = False

    def __call__(self, graph: Graph, tracks: Sequence[Track]) -> Failure | None:
        runs = [sum({1 << i for i in track.stops}) for track in tracks]
        if self.joins(runs):
            return None
        if self.pairs:
            main, alone = next((runs[i], j) for i, j in combinations(range(len(runs)), 2) if not runs[i] & runs[j])
        else:
            main = max(parts_of(runs), key=lambda part: sum(bool(part & run) for run in runs))
            alone = next(j for j, run in enumerate(runs) if not main & run)
        return Failure(
            "run.not_joined",
            {
                "route": tuple(graph.nodes[i].hex for i in tracks[alone].stops),
                "others": tuple(graph.nodes[i].hex for i in range(main.bit_length()) if main >> i & 1),
            },
        )

    def joins(self, runs: Sequence[int]) -> bool:
        """True if the rule allows the runs, each given by the bits of its stops."""
        if self.pairs:
            return all(run & other for run, other in combinations(runs, 2))
        return len(parts_of(runs)) < 2


def parts_of(runs: Sequence[int]) -> list[int]:
    """The connected parts of the runs. Each run is given by the bits of its stops, and each part is the union of runs
    that are joined by common stops."""
    parts: list[int] = []
    for run in runs:
        joined = [part for part in parts if part & run]
        parts = [part for part in parts if not part & run]
        for part in joined:
            run |= part
        parts.append(run)
    return parts


def separate(graph: Graph, own: Sequence[int], blocked: frozenset[int]) -> list[tuple[int, ...]]:
    """The stops ``own`` in groups, such that runs from the markers of two groups never touch a common stop.
    ``blocked``: stops that no run passes."""
    reached = []
    for start in own:
        seen, queue = 1 << start, [start]
        while queue:
            i = queue.pop()
            if i == start or not (graph.nodes[i].terminal or i in blocked):
                for _, other in graph.exits[i]:
                    if not seen >> other & 1:
                        seen |= 1 << other
                        queue.append(other)
        reached.append(seen)
    groups = [tuple(i for i, seen in zip(own, reached, strict=True) if seen & part) for part in parts_of(reached)]
    return groups or [()]


def apart(mask: int, other: int) -> bool:
    """True if two runs use different track."""  # rule 1861:9.3
    return not mask & other


def against(together: Together | None, graph: Graph, tracks: Sequence[Track]) -> Failure | None:
    """The objection to combining runs that share no track; None if there is none, as for no runs at all."""
    return together(graph, tracks) if together is not None and tracks else None


def linking(lists: list[list[Priced]], parts: Sequence[int], more: int) -> tuple[list[list[Priced]], int]:
    """The ``lists`` of routes for later trains, and ``more``, the most that they add, less what cannot be had because
    all runs must be connected. The runs chosen so far form ``parts``. If there are later runs, they must touch each
    part."""
    if len(lists) == 1:
        kept = [
            p for p in lists[0] if all(p.route.stops & part for part in parts) or (len(parts) == 1 and not p.route.mask)
        ]
        return [kept], kept[0].reduced if kept else _NEVER
    least = 0
    for part in parts:
        losses = (
            routes[0].reduced - p.reduced
            for routes in lists
            if (p := next((p for p in routes if p.route.stops & part), None)) is not None
        )
        least = max(least, min(losses, default=more if len(parts) == 1 else more - _NEVER))
    return lists, more - least
