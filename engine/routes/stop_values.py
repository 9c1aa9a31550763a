"""Values of routes as the search carries them along: the stops that a train counts, from sums alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from engine.routes.ground import Ground

NOT_KNOWN: Final = -2
"""The sums do not give the value: the route must be valued stop by stop."""
NOT_LEGAL: Final = -1


class Counting:
    """The values of one train's routes, before the multiplier."""

    __slots__ = (
        "all_sure", "bonus", "ends_count", "ground", "limit", "must", "own_counts", "place", "simple", "single",
        "sure_own", "value",
    )  # fmt: skip

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.limit, self.ends_count = ground.reach.stops, ground.reach.ends_count
        self.own_counts, self.bonus = ground.reach.own_marker_counts, ground.bonus
        self.place, self.must, self.value = ground.place, ground.must, ground.value
        alone = Counter(self.place)
        self.single = {place: i for i, place in enumerate(self.place)}
        self.simple = ground.loose == 0 and all(alone[p] == 1 == alone[q] for p, q, _, _ in ground.pairs)
        """True if, for every pair bonus, each of the two stops is the only one of its place, and there is no bonus that
        is only known for a whole route."""
        self.sure_own = [o for o in ground.own if alone[self.place[o]] == 1]
        self.all_sure = len(self.sure_own) == len(ground.own)

    def insert(self, top: tuple[int, ...], v: int) -> tuple[int, ...]:
        """``top``, values in descending order, with ``v`` inserted, cut to the train's limit of stops."""
        if not top or v <= top[-1]:
            return (*top, v) if len(top) < self.limit else top
        i = 0
        while top[i] >= v:
            i += 1
        return (*top[:i], v, *top[i : self.limit - 1])

    def earned(self, tip: int, end: int, visited: int, n: int, s: int, top: tuple[int, ...], bored: bool) -> int:
        """The value of the route that ends at ``tip`` and ``end`` and touches the places ``visited``; ``NOT_LEGAL`` or
        ``NOT_KNOWN`` if it has none. Its ``n`` stops that always count are worth ``s`` together; ``top`` are the values
        of the others. ``bored``: it uses a tunnel."""
        ground = self.ground
        if ground.refused and (tip, end) in ground.refused:
            return NOT_LEGAL
        free = self.limit - n
        both = [self.value[i] for i in (tip, end) if not self.must[i]]
        forced = both if self.ends_count else []
        if len(forced) > free:
            return NOT_LEGAL
        met = [pair for pair in ground.pairs if visited & pair[0] and visited & pair[1]]
        through = ground.transit.get((tip, end), 0) if ground.transit else 0
        sure = s + self.bonus * (n + min(free, len(top))) if bored else s
        if through and len(forced) == len(both):
            sure, through = sure + through, 0
        tips = (tip, end) if self.ends_count else ()
        if ground.plain:
            total = self._with_transit(visited, free, forced, top, tips, both, (tip, end), through)
        elif self.simple and len(met) < 2 and not through:
            total = self._with_pair(visited, free, forced, top, tips, met)
            met = []
        else:
            return NOT_KNOWN
        return sure + total + sum(pair[2] for pair in met) if total >= 0 else total

    def _with_transit(
        self, visited: int, free: int, forced: list[int], top: tuple[int, ...], tips: tuple[int, ...],
        both: list[int], ends: tuple[int, int], through: int,
    ) -> int:  # fmt: skip
        """The best sum, either with ``both`` ends counted and the bonus ``through`` earned for that, or without."""
        total = self._pick(visited, free, forced, top, tips)
        if not through or len(both) > free:
            return total
        with_both = self._pick(visited, free, both, top, ends)
        if with_both == NOT_KNOWN:
            return NOT_KNOWN
        return max(total, with_both + through) if with_both >= 0 and total >= NOT_LEGAL else total

    def _with_pair(
        self, visited: int, free: int, forced: list[int], top: tuple[int, ...], tips: tuple[int, ...],
        met: list[tuple[int, int, int, bool]],
    ) -> int:  # fmt: skip
        """The best sum, either with the stops of the pair that the route has ``met`` counted, or without."""
        total = self._pick(visited, free, forced, top, tips)
        if not met or total < NOT_LEGAL:
            return total
        p, q, amount, needs_both = met[0]
        at = [self.single[p], self.single[q]] if needs_both else [self.single[p]]
        with_at = [*forced, *(self.value[i] for i in at if not self.must[i] and i not in tips)]
        if len(with_at) > free:
            return total
        with_pair = self._pick(visited, free, with_at, top, (*tips, *at))
        if with_pair == NOT_KNOWN:
            return NOT_KNOWN
        return max(total, with_pair + amount) if with_pair >= 0 else total

    def _pick(self, visited: int, free: int, forced: list[int], top: tuple[int, ...], at: Sequence[int]) -> int:
        """The sum of ``forced``, the values of the stops ``at``, and of the best other values, ``free`` values in all.
        If an own marker must count, one of the stops has one."""
        place, must, value = self.place, self.must, self.value
        if not self.own_counts or any(visited & place[o] and (must[o] or o in at) for o in self.sure_own):
            return _best_of(top, free, forced)
        own = max((value[o] for o in self.sure_own if visited & place[o]), default=-1)
        others = _without(top, forced)
        room = free - len(forced)
        if room > 0 and own >= (others[room - 1] if len(others) >= room else 0):
            return _best_of(top, free, forced)
        if not self.all_sure or own < 0:
            return NOT_KNOWN
        return _best_of(top, free, [*forced, own]) if room > 0 else NOT_LEGAL


def _best_of(top: tuple[int, ...], free: int, forced: list[int]) -> int:
    """The sum of ``forced`` and of the best other values, ``free`` values in all."""
    if not forced or (len(forced) == 1 and (len(top) < free or forced[0] >= top[free - 1])):
        return sum(top[:free])
    return sum(forced) + sum(_without(top, forced)[: free - len(forced)])


def _without(top: tuple[int, ...], forced: list[int]) -> list[int]:
    """``top`` without the values ``forced``."""
    others = list(top)
    for v in forced:
        if v in others:
            others.remove(v)
    return others
