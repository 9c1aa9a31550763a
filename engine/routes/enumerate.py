"""Every route of one train that could matter. Work is counted in steps, never in time, so that the same question
always has the same answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.routes.found import SCALE, Budget, Found, LimitReachedError, TooManyError
from engine.routes.graph import Graph
from engine.routes.ground import Ground
from engine.routes.reach import RunTraits, TrainReach
from engine.routes.search import Search


class _FoundError(Exception):
    """A route was found, and no more are wanted."""


class Explorer:
    """Finds the routes of trains of one reach. Values are before the multiplier inside, after it outside."""

    def __init__(
        self, graph: Graph, traits: RunTraits, reach: TrainReach, own: tuple[int, ...], blocked: frozenset[int]
    ) -> None:
        self.graph, self.traits, self.reach, self.own = graph, traits, reach, own
        self.ground = Ground(graph, traits, reach, own, blocked)

    @property
    def ceiling(self) -> int:
        """More than this no route earns."""
        return self.ground.ceiling

    def best(self, budget: Budget, taken: int = 0, floor: int = 0) -> Found | None:
        """The route that earns most without the track ``taken``, if it earns more than ``floor``. The
        ``LimitReachedError`` of a search that was cut short holds the best until then."""
        top: list[Found] = []

        def keep(found: Found) -> bool:
            top[:] = [found]
            return True

        try:
            self._explore(budget, taken, floor * SCALE, keep)
        except LimitReachedError as cut:
            raise LimitReachedError(top[0] if top else None) from cut
        return top[0] if top else None

    def any(self, budget: Budget) -> bool:
        """Whether there is a legal route at all, whatever it earns."""

        def stop(found: Found) -> bool:
            raise _FoundError

        try:
            self._explore(budget, 0, -1, stop)
        except _FoundError:
            return True
        return False

    def improving(self, budget: Budget, floor: int, prices: Sequence[int]) -> list[Found]:
        """Routes whose value less the ``prices`` of their track is more than ``floor``, both in ``SCALE`` parts, and
        more than that of the one before; the last one is the best there is."""
        better: list[Found] = []

        def keep(found: Found) -> bool:
            better.append(found)
            return True

        self._explore(budget, 0, floor, keep, prices)
        return better

    def all(self, budget: Budget, floor: int, prices: Sequence[int] = (), most: int | None = None) -> list[Found]:
        """Every route that earns more than ``floor`` and, unless runs are judged together, more than each part of it,
        best first; one for each track.
        With ``prices`` the floor is in ``SCALE`` parts and what must exceed it is the value less the price of the
        track. ``TooManyError`` if there are more than ``most``."""
        by_mask: dict[object, Found] = {}
        whole = self.traits.together is not None

        def keep(found: Found) -> bool:
            key: object = (found.mask, found.track(self.graph)) if whole else found.mask
            there = by_mask.get(key)
            if there is None or there.value < found.value:
                by_mask[key] = found
                if most is not None and len(by_mask) > most:
                    raise TooManyError
            return False

        self._explore(budget, 0, floor if prices else floor * SCALE, keep, prices)
        return sorted(by_mask.values(), key=lambda f: (-f.value, f.mask))

    def _explore(
        self, budget: Budget, taken: int, floor: int, keep: Callable[[Found], bool], prices: Sequence[int] = ()
    ) -> None:
        Search(self.graph, self.traits, self.ground, floor, keep, prices).run(budget, taken)
