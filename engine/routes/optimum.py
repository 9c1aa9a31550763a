"""The best set of runs for all trains of a company, with its value and the upper bound that proves it.

The search works on the network compressed to stretches between stops (``walks``, ``graph``), with a bit for each piece
of track. It enumerates the routes of each train (``search``, ``enumeration``), carries their value along
(``stop_values``) and cuts by the most that they can still earn (``bound``). Bonuses of whole runs are in ``bonuses``
and, as bits, in ``extras``; what no two runs may claim is a bit of a run's mask, like a piece of track. Stops that pay
but do not count towards a train's length are part of the bound: each stop that counts brings the free ones next to it.

Where every run begins and ends at a station (``RunTraits.termini``), the network is compressed further, to legs from
station to station through stops that do not count (``legs``). The searches there have tables of the most that the legs
ahead can add, minus their price: ``station_search`` for trains that count every station, ``end_search`` for trains of
any length between two ends with markers. Where all runs must be connected (``run_sets.Linked``), each part of the
network is searched separately, and the bound of an incomplete set includes the cost of touching the runs already
chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from engine.board.board import Board
from engine.core.orders import Route
from engine.routes.candidates import NO_ROUTE, SCALE, Budget, Found, LimitReachedError, Priced
from engine.routes.choice import Choice, Offers, Settled
from engine.routes.enumeration import Explorer
from engine.routes.extras import claim_bits
from engine.routes.graph import Track, blocked_stops, graph_of, own_stops
from engine.routes.legality import Judge, can_run
from engine.routes.reach import RunTraits
from engine.routes.route_text import named
from engine.routes.run_sets import Linked, against, linking, parts_of, separate
from engine.routes.terms import step_of
from engine.routes.track_prices import PER_STEP, Prices, descend

__all__ = ["NODE_LIMIT", "Best", "best_run", "can_run"]

_MANY = 3_000
"""The largest number of routes of a group that are listed before prices tell which ones matter."""
_FIRST = 200
"""The number of routes of each group, those that earn most, with which the choice begins."""
_NEAR = 300
"""The largest number of routes of a group that are found at once for the prices of one round."""
_QUICK = 10
"""One step in so many may go to the quick way to choose, which is tried first."""
_FEW = 100_000
"""The largest number of sets that are tried one by one."""
_LAST = 5
"""One step in so many is kept for a good set of the routes that are known, should the others run out."""
_BARRED = 1_000_000
"""A toll above what any run earns."""
NODE_LIMIT = 3_000_000
"""The default step limit. It takes seconds to reach it where many trains meet on a dense map."""


@dataclass(frozen=True, slots=True)
class Best:
    """The best set of ``routes`` found, with their ``values`` and ``tracks``. Trains that earn nothing are left out.
    ``value``: the sum of the values, less a toll that is due once for all of them. ``bound``: no set earns more.
    ``proven``: True if ``value == bound``, which proves that the set is the best."""

    routes: tuple[Route, ...]
    values: tuple[int, ...]
    tracks: tuple[Track, ...]
    value: int
    bound: int
    proven: bool


def best_run(board: Board, traits: RunTraits, node_limit: int = NODE_LIMIT) -> Best:
    """The set of routes that earns most. ``node_limit``: the most steps of work. At the limit, the best set found by
    then is returned, with the bound that is proven. The same question always has the same answer."""
    # rule 1861:12.2
    key = ("best", traits, node_limit)
    known = board.cache.get(key)
    if not isinstance(known, Best):
        known = _answer(board, traits, node_limit)
        board.remember(key, known)
    return known


def _answer(board: Board, traits: RunTraits, node_limit: int) -> Best:
    """The best set of all: the better of the best one that pays the toll due once and the best one that avoids it."""
    if traits.toll_once is None:
        return _best_set(board, traits, node_limit)
    (hex, toll), free = traits.toll_once, replace(traits, toll_once=None)
    paying = _best_set(board, free, node_limit)
    if not any(track.touches(graph_of(board), hex) for track in paying.tracks):
        return paying
    avoiding = _best_set(board, replace(free, tolls=(*free.tolls, (hex, _BARRED))), node_limit)
    paying = replace(paying, value=paying.value - toll, bound=paying.bound - toll)
    best, bound = max(paying, avoiding, key=lambda one: one.value), max(paying.bound, avoiding.bound)
    return replace(best, bound=bound, proven=best.value == bound)


def _best_set(board: Board, traits: RunTraits, node_limit: int) -> Best:
    graph = graph_of(board)
    own, blocked = (
        own_stops(board, graph, traits.company, traits.marker_in),
        blocked_stops(board, graph, traits.company),
    )
    groups = separate(graph, own, blocked) if isinstance(traits.together, Linked) else [own]
    best: _Search | None = None
    budget, bound = Budget(node_limit), 0
    for group in groups:
        search = _Search(board, traits, group, blocked, budget)
        search.run()
        bound = max(bound, search.bound)
        best = search if best is None or search.value > best.value else best
    assert best is not None
    return best.answer(bound)


class _Search:
    """The search for one answer, with the markers ``own``. Trains of the same reach form a group. A set has at most as
    many routes of a group as the group has trains."""

    def __init__(
        self, board: Board, traits: RunTraits, own: tuple[int, ...], blocked: frozenset[int], budget: Budget
    ) -> None:
        self.board, self.traits = board, traits
        self.graph = graph_of(board)
        self.linked = isinstance(traits.together, Linked)
        self.budget = budget
        reaches = tuple(dict.fromkeys(traits.reaches))
        self.explorers = [Explorer(self.graph, traits, reach, own, blocked) for reach in reaches]
        self.counts = [traits.reaches.count(reach) for reach in reaches]
        self.step = step_of(self.graph, traits)
        self.claims = len(claim_bits(self.graph, traits))
        self.single = [explorer.ceiling for explorer in self.explorers]
        """By group, an upper bound of the value of a route."""
        self.alone: list[Found | None] = [None] * len(reaches)
        """The best route of each group, regardless of the others."""
        self.chosen: tuple[tuple[int, Found], ...] = ()
        """The best set found so far, as (group, route)."""
        self.value = 0
        self.bound = 0

    def run(self) -> None:
        last = Budget(self.budget.left // _LAST)
        self.budget.left -= last.left
        try:
            self.singles()
            if self.value < self.bound:
                self.greedy()
        except LimitReachedError:  # one train by itself has too many routes
            self.greedy(last.left // (2 * len(self.traits.reaches)))
            return
        self.budget.left, last.left = self.budget.left + last.left, 0
        try:
            if self.value < self.bound:
                self.choose()
        except LimitReachedError:
            pass

    def singles(self) -> None:
        """Find the best route of each group by itself, and with it the first bound and the first value."""
        self.bound = self.total(self.single)
        for group, explorer in enumerate(self.explorers):
            try:
                found = explorer.best(self.budget)
            except LimitReachedError as cut:
                self.alone[group] = cut.best
                self.offer(((group, cut.best),) if cut.best else ())
                raise
            self.single[group] = found.value if found else 0
            self.alone[group] = found
            if found:
                self.offer(((group, found),))
            self.bound = self.total(self.single)

    def total(self, single: Sequence[int]) -> int:
        return sum(value * count for value, count in zip(single, self.counts, strict=True))

    def offer(self, chosen: tuple[tuple[int, Found], ...]) -> None:
        value = sum([found.value for _, found in chosen])
        if value > self.value and self.admitted(chosen):
            self.value, self.chosen = value, chosen

    def admitted(self, chosen: tuple[tuple[int, Found], ...]) -> bool:
        """True if the company may run the routes as a set."""
        rule = self.traits.together
        if isinstance(rule, Linked):  # asked most often, and decided by stops alone
            return rule.joins([found.stops for _, found in chosen])
        return against(rule, self.graph, [found.track(self.graph) for _, found in chosen]) is None

    def trains(self) -> list[int]:
        """The group of each train. Groups that earn most by themselves come first."""
        order = sorted(range(len(self.counts)), key=lambda g: (-self.single[g], g))
        return [g for g in order for _ in range(self.counts[g])]

    def greedy(self, steps: int | None = None) -> None:
        """Give each train in turn the best route that is left: once from the strongest train to the weakest, and once
        in the opposite order. With ``steps``, each gets the best one that is found in so many."""
        trains = self.trains()
        if len(trains) < 2:
            return
        for order in dict.fromkeys((tuple(trains), tuple(trains[::-1]))):
            chosen: list[tuple[int, Found]] = []
            for group in order:
                found = self.left_over(group, [found for _, found in chosen], steps)
                if found:
                    chosen.append((group, found))
            self.offer(tuple(chosen))
            if self.value == self.bound:
                return

    def left_over(self, group: int, chosen: Sequence[Found], steps: int | None) -> Found | None:
        """The best route of the group beside those ``chosen``."""
        alone = self.alone[group]
        if not chosen and (alone or steps is None):
            return alone
        taken = touched = 0
        for found in chosen:
            taken |= found.mask
            touched |= found.stops if self.linked else 0
        try:
            return self.explorers[group].best(self.budget if steps is None else Budget(steps), taken, touching=touched)
        except LimitReachedError as cut:
            if steps is None:
                raise
            return cut.best

    def choose(self) -> None:
        """Find every route that could be part of a better set, and choose among them."""
        lists, complete = self.nearby()
        bits = len(self.graph.side_hexes) + self.claims
        if complete and self.quick(lists, bits):
            return
        choice = Choice(self.counts, bits, self, self.budget)
        for group, routes in enumerate(lists):
            choice.packing.add(group, routes[:_FIRST])
        last = Budget(self.budget.left // _LAST)
        self.budget.left -= last.left
        try:
            self.settle(choice, lists, complete)
            self.budget.left += last.left
        except LimitReachedError:
            self.bound = max(self.value, self.bound - self.bound % self.step)
            choice.budget = last
            choice.decide(choice.known())
            raise

    def quick(self, lists: list[list[Found]], bits: int) -> bool:
        """Choose among all routes that could be part of a better set, at prices that are quickly found. False if that
        takes too long. Of equally good sets this way finds another than the longer one, so it always comes first."""
        budget, self.budget = self.budget, (part := Budget(self.budget.left // _QUICK))
        budget.left -= part.left
        try:
            prices, bound = descend(lists, self.counts, bits, self.value + self.step, part)
            self.bound = max(self.value, min(self.bound, bound // SCALE))
            if self.value + self.step <= self.bound:
                priced, trains = self.priced(lists, Settled(prices, bound, [])), self.trains()
                self.branch(trains, [priced[g] for g in trains], (), prices.total)
        except LimitReachedError:
            self.bound = max(self.value, self.bound)
            return False
        finally:
            self.budget, budget.left = budget, budget.left + max(0, part.left)
        self.bound = self.value
        return True

    def settle(self, choice: Choice, lists: list[list[Found]], complete: bool) -> None:
        """Find the best set, of ``lists`` or, if these are not ``complete``, of all routes."""
        settled = choice.settle(self.among(lists), -1) if complete else choice.settle(self.anywhere)
        goal = (self.value + self.step) * SCALE
        if settled.bound < goal:
            self.bound = self.value
            return
        prices, least = settled.prices, [top - (settled.bound - goal) - 1 for top in settled.tops]
        if complete:
            kept = [
                [route for route, left in zip(routes, prices.reduced(routes), strict=True) if left > floor]
                for routes, floor in zip(lists, least, strict=True)
            ]
        else:
            kept = [e.all(self.budget, floor, prices) for e, floor in zip(self.explorers, least, strict=True)]
        trains = self.trains()
        if self.traits.together is None and prod(len(kept[group]) + 1 for group in trains) > _FEW:
            choice.decide(kept)
        else:
            priced = self.priced(kept, settled)
            self.branch(trains, [priced[g] for g in trains], (), prices.total)
        self.bound = self.value

    def nearby(self) -> tuple[list[list[Found]], bool]:
        """The routes of each group that could be part of a better set, and True if these are all. If there are more
        than ``_MANY``, only the best are returned."""
        lists, complete = [], True
        for group, explorer in enumerate(self.explorers):
            best = self.single[group]
            least = 0 if self.traits.together is None else -1  # a run that earns nothing may join two others
            floor = max(least, self.value + self.step - 1 - (self.bound - best))
            routes, whole = explorer.most_of(self.budget, floor * SCALE, _MANY) if floor < best else ([], True)
            complete &= whole
            lists.append(routes)
        return lists, complete

    def among(self, lists: Sequence[Sequence[Found]]) -> Offers:
        """Offers from ``lists`` alone."""

        def offers(group: int, prices: Prices, floor: int) -> list[Found]:
            reduced = prices.reduced(lists[group])
            self.budget.spend(len(reduced) // PER_STEP)
            better = sorted((i for i, left in enumerate(reduced) if left > floor), key=lambda i: -reduced[i])
            return [lists[group][i] for i in better[:_NEAR]]

        return offers

    def anywhere(self, group: int, prices: Prices, floor: int) -> list[Found]:
        """Offers from all routes of the group."""
        return self.explorers[group].most_of(self.budget, floor, _NEAR, prices)[0]

    def priced(self, lists: Sequence[Sequence[Found]], settled: Settled) -> list[list[Priced]]:
        """The routes of each group that can be part of a better set, and no route at all, in descending order of their
        reduced values."""
        priced = []
        for routes in lists:
            reduced = settled.prices.reduced(routes)
            least = (self.value + self.step) * SCALE - settled.bound + max([0, *reduced])
            useful = [Priced(left, route) for left, route in zip(reduced, routes, strict=True) if left >= least]
            priced.append(sorted((*useful, Priced(0, NO_ROUTE)), key=lambda p: (-p.reduced, p.route.mask)))
        return priced

    def branch(
        self, trains: Sequence[int], lists: Sequence[list[Priced]], chosen: tuple[tuple[int, Found], ...], sofar: int
    ) -> None:
        """Choose a route, or none, for the first of ``trains``, and then for the others. ``lists``: the routes that are
        still free for each train. ``sofar``: the price of all track plus the reduced values of ``chosen``."""
        tops = [routes[0].reduced for routes in lists]
        rest = sum(tops[1:])
        group, later = trains[0], trains[1:]
        for at, priced in enumerate(lists[0]):
            ceiling = sofar + priced.reduced + rest
            if not chosen:
                self.bound = max(self.value, min(self.bound, ceiling // SCALE))
            goal = (self.value + self.step) * SCALE
            if ceiling < goal:
                return
            found = priced.route
            now = (*chosen, (group, found)) if found.mask else chosen
            self.offer(now)
            free: list[list[Priced]] = []
            for other, routes, top in zip(later, lists[1:], tops[1:], strict=True):
                candidates = routes[at:] if other == group else routes
                free.append(self.compatible(candidates, found.mask, goal - ceiling + top))
            if not later or not all(free):
                continue
            more = sum(f[0].reduced for f in free)
            if self.linked and now:
                free, more = linking(free, parts_of([run.stops for _, run in now]), more)
            if sofar + priced.reduced + more >= goal:
                self.branch(later, free, now, sofar + priced.reduced)

    def compatible(self, routes: Sequence[Priced], mask: int, least: int) -> list[Priced]:
        """Those of ``routes`` (best first) that share no track with ``mask`` and have a reduced value of at least
        ``least``."""
        found, seen = [], 0
        for priced in routes:
            seen += 1
            if priced.reduced < least:
                break
            if not priced.route.mask & mask:  # ``together.apart``, inlined where it is asked most often
                found.append(priced)
        self.budget.spend(1 + (seen >> 3))
        return found

    def answer(self, bound: int) -> Best:
        """The best set found, with its routes in the order of the company's trains."""
        left, judge = list(self.chosen), Judge(self.board, self.traits)
        routes, values, tracks = [], [], []
        for train, reach in zip(self.traits.trains, self.traits.reaches, strict=True):
            for group, found in left:
                if self.explorers[group].reach == reach:
                    left.remove((group, found))
                    track = found.track(self.graph)
                    routes.append(named(judge, train, track))
                    values.append(found.value)
                    tracks.append(track)
                    break
        return Best(tuple(routes), tuple(values), tuple(tracks), self.value, bound, self.value == bound)
