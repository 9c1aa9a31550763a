"""The rules for the runs of one company as a set: what may be combined, and what a bound may rely on.

No piece of track is used twice, by one run or by two. The search and its bounds rely on this: each piece is one bit of
a run's mask, and has one price. A title may ask more of a whole set (``Together``). That bars sets and never allows
one, so every bound stays true; but then a run may be worth having for the sake of the others, though a part of it earns
as much.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from engine.core.checks import Failure
from engine.routes.graph import Graph, Track

Together: TypeAlias = Callable[[Graph, Sequence[Track]], Failure | None]
"""The objection to running tracks together, in whatever order they come; None where nothing is. A run that may not be
declared alone fails alone."""


def apart(mask: int, other: int) -> bool:
    """True if two runs use different track."""  # rule 1861:9.3
    return not mask & other


def against(together: Together | None, graph: Graph, tracks: Sequence[Track]) -> Failure | None:
    """The objection to combining runs that are apart. Nothing is against no runs at all."""
    return together(graph, tracks) if together is not None and tracks else None
