"""The rules for the runs of one company as a set: what may be combined, and what a bound may rely on.

No piece of track is used twice, by one run or by two. The search and its bounds rely on this: each piece is one bit of
a run's mask, and has one price. A title may ask more of a whole set (``Together``). That bars sets and never allows
one, so every bound stays true; but then a run may be worth having for the sake of the others, though a part of it earns
as much.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.routes.graph import Graph, Track


@dataclass(frozen=True, slots=True)
class Together:
    """``holds``: whether the tracks may be run together, in whatever order they come; a run that may not be declared
    alone fails it alone. ``check``: the failure of a set for which it does not hold, with the ``routes`` as facts."""

    check: str
    holds: Callable[[Graph, Sequence[Track]], bool]


def apart(mask: int, other: int) -> bool:
    """Whether two runs use different track."""  # rule 1861:9.3
    return not mask & other


def admits(together: Together | None, graph: Graph, tracks: Sequence[Track]) -> bool:
    """Whether runs that are apart may be combined. No runs at all always may."""
    return together is None or not tracks or together.holds(graph, tracks)
