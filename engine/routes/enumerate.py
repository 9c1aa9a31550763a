"""Every route of one train that could matter, found depth first with its value carried along.

A route has two arms that start from its own marker with the lowest number. Work is counted in steps, never in time, so
that the same question always has the same answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from engine.routes.found import SCALE, Arm, Budget, Found, LimitReachedError, TooManyError
from engine.routes.graph import Graph
from engine.routes.ground import Ground
from engine.routes.reach import RunTraits, TrainReach
from engine.routes.value import worth

_EXACT_COST = 20
"""Steps that the exact value of one route counts for."""

_SIGHT = 3
"""A train that may not skip cities looks at what it can still reach when it has room for this many more: before, it is
seldom worth the while."""
_NOT_KNOWN = -2
_NOT_LEGAL = -1


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
        """Every route that earns more than ``floor`` and more than each part of it, best first; one for each track.
        With ``prices`` the floor is in ``SCALE`` parts and what must exceed it is the value less the price of the
        track. ``TooManyError`` if there are more than ``most``."""
        by_mask: dict[int, Found] = {}

        def keep(found: Found) -> bool:
            there = by_mask.get(found.mask)
            if there is None or there.value < found.value:
                by_mask[found.mask] = found
                if most is not None and len(by_mask) > most:
                    raise TooManyError
            return False

        self._explore(budget, 0, floor if prices else floor * SCALE, keep, prices)
        return sorted(by_mask.values(), key=lambda f: (-f.value, f.mask))

    def _explore(
        self, budget: Budget, taken: int, floor: int, keep: Callable[[Found], bool], prices: Sequence[int] = ()
    ) -> None:
        """Call ``keep`` with each route above ``floor``, in ``SCALE`` parts and less the price of its track; where it
        answers True, the route is the floor from then on."""
        ground = self.ground
        limit, times, ends_count = self.reach.stops, self.reach.multiplier, self.reach.ends_count
        place, must, value, ends_here = ground.place, ground.must, ground.value, ground.ends_here
        masks, length, bores = [s.mask for s in self.graph.stretches], ground.length, ground.bores
        ranking, pairs, loose, plain, bonus = ground.ranking, ground.pairs, ground.loose, ground.plain, ground.bonus
        transit, refused, tunnel_ends = ground.transit, ground.refused, ground.tunnel_ends
        transits = ground.transits
        most_hexes, shortest = ground.most_hexes, ground.shortest
        own_counts = self.reach.own_marker_counts
        alone = Counter(place)
        single = {place[i]: i for i in range(len(place))}
        simple = loose == 0 and all(alone[p] == 1 == alone[q] for p, q, _, _ in pairs)
        sure_own = [o for o in self.own if alone[place[o]] == 1]
        all_sure = len(sure_own) == len(self.own)
        extra = loose + sum(pair[2] for pair in pairs)
        sight = limit if "city" not in self.reach.must_count else _SIGHT
        least, unit = floor, SCALE * times
        tolls = [sum(price for b, price in enumerate(prices) if mask >> b & 1) for mask in masks]
        left = budget.left
        exits: list[list[tuple[int, int]]] = []
        beside: list[int] = []
        start = 0

        def hopeless(
            ahead: int, n: int, s: int, top: tuple[int, ...], ends: int, more: int, bored: bool, tip: int,
            end: int | None, floor: int,
        ) -> bool:  # fmt: skip
            """Whether no more than ``floor`` is earned with the stops ``ahead`` of ``tip``, of which ``more`` can be
            reached and ``ends`` end a route."""
            bored = bored or bool(ahead & tunnel_ends)
            if ceiling(ahead, limit - n, s, top, ends, more, bored) > floor:
                return False
            if not transits:
                return True
            gain, count = ground.transit_ahead(tip, end, ahead)
            if not gain or limit - n < count:
                return True
            return ceiling(ahead, limit - n - count, s + gain, top, 0, more - count, bored) <= floor

        def ceiling(ahead: int, rest: int, s: int, top: tuple[int, ...], ends: int, more: int, bored: bool) -> int:
            """A bound with ``rest`` more stops counted; all others of ``limit`` are in ``s``."""
            total = s + extra
            k, size = 0, len(top)
            for v, p, is_end in ranking:
                if rest <= 0 or more <= 0:
                    break
                if not p & ahead or (is_end and not ends):
                    continue
                while k < size and rest > 0 and top[k] >= v:
                    total += top[k]
                    k += 1
                    rest -= 1
                if rest > 0:
                    total += v
                    rest -= 1
                    more -= 1
                    ends -= is_end
            if rest > 0 and k < size:
                others = top[k : k + rest]
                total += sum(others)
                rest -= len(others)
            return total + bonus * (limit - rest) if bored else total

        def outlook(tips: int, visited: int, levels: int) -> int:
            """The stops that can still be reached from ``tips``: with ``levels`` more stops that always count."""
            seen = 0
            frontier = tips
            while frontier and levels:
                levels -= 1
                beyond = 0
                while frontier:
                    low = frontier & -frontier
                    frontier ^= low
                    new = beside[low.bit_length() - 1] & ~visited & ~seen
                    seen |= new
                    new &= passable
                    beyond |= new & counting
                    frontier |= new & ~counting
                frontier = beyond
            return seen

        def insert(top: tuple[int, ...], v: int) -> tuple[int, ...]:
            if not top or v <= top[-1]:
                return (*top, v) if len(top) < limit else top
            i = 0
            while top[i] >= v:
                i += 1
            return (*top[:i], v, *top[i : limit - 1])

        def earned(
            tip: int, end: int, visited: int, n: int, s: int, top: tuple[int, ...], bored: bool, a: Arm, b: Arm
        ) -> int:
            """Value of the route that ends at ``tip`` and ``end``; -1 where it is not legal."""
            nonlocal left
            free = limit - n
            if refused and (tip, end) in refused:
                return _NOT_LEGAL
            both = [value[i] for i in (tip, end) if not must[i]]
            forced = both if ends_count else []
            if len(forced) > free:
                return _NOT_LEGAL
            met = [pair for pair in pairs if visited & pair[0] and visited & pair[1]]
            through = transit.get((tip, end), 0) if transit else 0
            sure = s + bonus * (n + min(free, len(top))) if bored else s
            if through and len(forced) == len(both):
                sure, through = sure + through, 0
            tips = (tip, end) if ends_count else ()
            if plain:
                total = pick(visited, free, forced, top, tips)
                if through and len(both) <= free:
                    with_both = pick(visited, free, both, top, (tip, end))
                    if with_both >= 0 and total >= _NOT_LEGAL:
                        total = max(total, with_both + through)
                    elif with_both == _NOT_KNOWN:
                        total = _NOT_KNOWN
            elif simple and len(met) < 2 and not through:
                total = pick(visited, free, forced, top, tips)
                if met and total >= _NOT_LEGAL:
                    p, q, amount, needs_both = met[0]
                    at = [single[p], single[q]] if needs_both else [single[p]]
                    with_at = [*forced, *(value[i] for i in at if not must[i] and i not in tips)]
                    met = []
                    if len(with_at) <= free:
                        with_pair = pick(visited, free, with_at, top, (*tips, *at))
                        if with_pair >= 0:
                            total = max(total, with_pair + amount)
                        elif with_pair == _NOT_KNOWN:
                            total = _NOT_KNOWN
            else:
                total = _NOT_KNOWN
            if total == _NOT_KNOWN:
                left -= _EXACT_COST
                track = Found(0, 0, start, a, b).track(self.graph)
                result = worth(self.graph, self.traits, self.reach, own_set, track)
                return _NOT_LEGAL if result is None else result.value // times
            return sure + total + sum(pair[2] for pair in met) if total >= 0 else total

        def pick(visited: int, free: int, forced: list[int], top: tuple[int, ...], at: Sequence[int]) -> int:
            """The sum of ``forced``, the values of the stops ``at``, and of the best others, ``free`` in all, one of
            them with an own marker if that is needed."""
            if not own_counts or any(visited & place[o] and (must[o] or o in at) for o in sure_own):
                return best_of(top, free, forced)
            own = max((value[o] for o in sure_own if visited & place[o]), default=-1)
            others = list(top)
            for v in forced:
                if v in others:
                    others.remove(v)
            room = free - len(forced)
            if room > 0 and own >= (others[room - 1] if len(others) >= room else 0):
                return best_of(top, free, forced)
            if not all_sure or own < 0:
                return _NOT_KNOWN
            return best_of(top, free, [*forced, own]) if room > 0 else _NOT_LEGAL

        def best_of(top: tuple[int, ...], free: int, forced: list[int]) -> int:
            """The sum of ``forced`` and of the best others, ``free`` in all."""
            if not forced or (len(forced) == 1 and (len(top) < free or forced[0] >= top[free - 1])):
                return sum(top[:free])
            others = list(top)
            for v in forced:
                if v in others:
                    others.remove(v)
            return sum(forced) + sum(others[: free - len(forced)])

        def arm(
            node: int, end: int, visited: int, mask: int, n: int, s: int, top: tuple[int, ...], h: int, bored: bool,
            paid: int, a: Arm, b: Arm, bar: int, first: int,
        ) -> None:  # fmt: skip
            """Lengthen the arm that has reached ``node``; ``first`` is -1 on the second arm, otherwise the exit that
            the first arm left by."""
            nonlocal left, least
            for at, (k, other) in enumerate(exits[node]):
                side, there = masks[k], place[other]
                h2 = h + length[k]
                if side & mask or there & visited or h2 > most_hexes:
                    continue
                left -= 1
                if left < 0:
                    raise LimitReachedError
                if must[other]:
                    if n == limit:
                        continue
                    n2, s2, top2 = n + 1, s + value[other], top
                else:
                    n2, s2, top2 = n, s, insert(top, value[other])
                visited2, mask2 = visited | there, mask | side
                bored2 = bored or bores[k]
                first2 = at if first >= 0 and node == start else first
                a2: Arm = (a, k) if first >= 0 else a
                b2: Arm = b if first >= 0 else (b, k)
                paid2 = paid + tolls[k]
                floor = max(bar, (least + paid2) // unit)
                ends = (first >= 0) + (not ends_here[other])
                more = (most_hexes - h2) // shortest if shortest else limit
                far = None if first >= 0 else end
                if hopeless(~visited2, n2, s2, top2, ends, more, bored2, other, far, floor):
                    continue
                if limit - n2 <= sight:
                    tips = (0 if ends_here[other] else 1 << other) | (1 << start if first >= 0 else 0)
                    ahead = outlook(tips, visited2, limit - n2)
                    if hopeless(ahead, n2, s2, top2, ends, more, bored2, other, far, floor):
                        continue
                worthy = earned(other, end, visited2, n2, s2, top2, bored2, a2, b2)
                bar2 = bar
                if worthy > bar:
                    bar2 = worthy
                    net = worthy * unit - paid2
                    if net > least and keep(Found(worthy * times, mask2, start, a2, b2)):
                        least = net
                if n2 == limit:
                    continue
                if not ends_here[other]:
                    arm(other, end, visited2, mask2, n2, s2, top2, h2, bored2, paid2, a2, b2, bar2, first2)
                if first >= 0:
                    turn(other, visited2, mask2, n2, s2, top2, h2, bored2, paid2, a2, bar2, first2)

        def turn(
            tip: int, visited: int, mask: int, n: int, s: int, top: tuple[int, ...], h: int, bored: bool,
            paid: int, a: Arm, bar: int, first: int,
        ) -> None:  # fmt: skip
            """Begin the second arm, by an exit after the one of the first."""
            whole = exits[start]
            exits[start] = whole[first + 1 :]
            try:
                arm(start, tip, visited, mask, n, s, top, h, bored, paid, a, None, bar, -1)
            finally:
                exits[start] = whole

        own_set = frozenset(self.own)
        passable = ground.passable
        counting = sum(1 << i for i, m in enumerate(must) if m)
        done: set[int] = set()
        try:
            for start in self.own:
                exits = [
                    sorted(((k, o) for k, o in out if o not in done), key=lambda e: (-value[e[1]], e[0]))
                    for out in ground.exits
                ]
                beside = [sum({1 << o for _, o in out}) for out in exits]
                n, s, top = (1, value[start], ()) if must[start] else (0, 0, (value[start],))
                arm(start, start, place[start], taken, n, s, top, 0, False, 0, None, None, -1, 0)
                done.add(start)
        finally:
            budget.left = left
