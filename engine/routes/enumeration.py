"""The search for every route of one train that could matter. Work is counted in steps, never in time, so that the same
question always has the same answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.routes.candidates import SCALE, Budget, Found, LimitReachedError
from engine.routes.end_search import HeldSearch
from engine.routes.graph import Graph
from engine.routes.ground import Ground
from engine.routes.legs import Network
from engine.routes.reach import RunTraits, TrainReach
from engine.routes.search import Search
from engine.routes.station_search import CountedSearch
from engine.routes.stations import StationSearch
from engine.routes.track_prices import FREE, Prices

MOST = 60_000
"""The largest number of routes of one group that are chosen from. More would take too long."""


class _FoundError(Exception):
    """A route was found, and no more are wanted."""


class Explorer:
    """A finder of the routes of trains of one reach. Values are after the multiplier, except in its own tables."""

    def __init__(
        self, graph: Graph, traits: RunTraits, reach: TrainReach, own: tuple[int, ...], blocked: frozenset[int]
    ) -> None:
        self.graph, self.traits, self.reach = graph, traits, reach
        self.ground = (Network if traits.termini else Ground)(graph, traits, reach, own, blocked)

    @property
    def ceiling(self) -> int:
        """An upper bound of the value of a route."""
        return self.ground.ceiling

    def best(self, budget: Budget, taken: int = 0, floor: int = 0, touching: int = 0) -> Found | None:
        """The route that earns most without the track ``taken``; None if it earns no more than ``floor``. If the mask
        ``touching`` is not 0, the route must touch one of its stops. If the search is cut short, its
        ``LimitReachedError`` holds the best route found by then."""
        top: list[Found] = []

        def keep(found: Found) -> bool:
            if touching and not found.stops & touching:
                return False
            top[:] = [found]
            return True

        try:
            self._explore(budget, taken, floor * SCALE, keep)
        except LimitReachedError as cut:
            raise LimitReachedError(top[0] if top else None) from cut
        return top[0] if top else None

    def any(self, budget: Budget) -> bool:
        """True if there is any legal route, whatever it earns."""

        def stop(found: Found) -> bool:
            raise _FoundError

        try:
            self._explore(budget, 0, -1, stop)
        except _FoundError:
            return True
        return False

    def all(self, budget: Budget, floor: int, prices: Prices = FREE) -> list[Found]:
        """Every route that earns more than ``floor`` and, unless runs are judged together, more than each part of it,
        best first; one for each track. With ``prices``, the value less the price of the track must exceed the floor, in
        ``SCALE`` parts. ``LimitReachedError`` if there are more than ``MOST``."""
        by_track: dict[object, Found] = {}

        def keep(found: Found) -> bool:
            self._note(by_track, found)
            if len(by_track) > MOST:
                raise LimitReachedError
            return False

        self._explore(budget, 0, floor, keep, prices)
        return _best_first(by_track)

    def most_of(self, budget: Budget, floor: int, most: int, prices: Prices = FREE) -> tuple[list[Found], bool]:
        """The routes of ``all``, with ``floor`` in ``SCALE`` parts, and True. If there are more than ``most``, only the
        best route and those above some higher floor, and False."""
        by_track: dict[object, Found] = {}
        complete = True

        def keep(found: Found) -> bool:
            nonlocal complete
            self._note(by_track, found)
            if len(by_track) > most:
                complete = False
                left = dict(zip(by_track, prices.reduced(list(by_track.values())), strict=True))
                best = max(left, key=left.__getitem__)  # it is kept, however many are equally good
                search.least = max(search.least, sorted(left.values(), reverse=True)[most // 2])
                for key, worth in left.items():
                    if worth <= search.least and key != best:
                        del by_track[key]
            return False

        search = self._search(budget, floor, keep, prices)
        search.run(budget, 0)
        return _best_first(by_track), complete

    def _note(self, by_track: dict[object, Found], found: Found) -> None:
        """Keep the better of two routes with the same track."""
        key: object = found.mask
        if self.traits.together is not None:
            key = found.mask, found.stops or found.track(self.graph)
        there = by_track.get(key)
        if there is None or there.value < found.value:
            by_track[key] = found

    def _explore(
        self, budget: Budget, taken: int, floor: int, keep: Callable[[Found], bool], prices: Prices = FREE
    ) -> None:
        self._search(budget, floor, keep, prices).run(budget, taken)

    def _search(
        self, budget: Budget, floor: int, keep: Callable[[Found], bool], prices: Prices
    ) -> Search | StationSearch:
        if isinstance(self.ground, Ground):
            return Search(self.graph, self.traits, self.ground, floor, keep, prices)
        self.ground.find(budget)
        kind = HeldSearch if self.reach.held_ends else CountedSearch
        return kind(self.ground, self.traits, self.reach, floor, keep, prices)


def _best_first(by_track: Mapping[object, Found]) -> list[Found]:
    return sorted(by_track.values(), key=lambda f: (-f.value, f.mask))
