"""Bounds for the search of routes: the most that an unfinished route can still earn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.routes.ground import Ground


class Bound:
    """Bounds for the routes of one train. Values are before the multiplier.

    Of an unfinished route, ``n`` stops always count and are worth ``s`` together; ``top`` are the values of the others,
    best first. ``bored``: the route uses a tunnel. ``ahead``: the stops that it may still touch. ``entries``: by place,
    the least price of its track that a route pays to come there. Each stop is entered by track of its own.
    """

    __slots__ = ("bonus", "counting", "ground", "limit", "pairs", "passable", "ranking", "start", "tunnel_ends")

    def __init__(self, ground: Ground, entries: Mapping[int, int]) -> None:
        self.ground = ground
        self.limit = ground.reach.stops
        self.bonus, self.tunnel_ends = ground.bonus, ground.tunnel_ends
        self.ranking = ground.ranking
        if entries:
            self.ranking = sorted(((v - entries.get(p, 0), p, is_end) for v, p, is_end in ground.ranking), reverse=True)
        self.pairs = ground.pairs
        self.passable = ground.passable
        self.counting = sum(1 << i for i, always in enumerate(ground.counts) if always)
        self.start = 0
        """The stop from which both arms of a route start."""

    def hopeless(
        self, ahead: int, visited: int, n: int, s: int, top: tuple[int, ...], ends: int, more: int, bored: bool,
        tip: int, end: int | None, floor: int,
    ) -> bool:  # fmt: skip
        """True if the route can earn no more than ``floor`` with the stops ``ahead`` of ``tip``, of which at most
        ``more`` can be added, and at most ``ends`` that end a route. ``end``: the other end of the route, if it is
        known."""
        s, touched = s + self.ground.loose, visited | ahead
        for one, other, amount, _ in self.pairs:
            if touched & one and touched & other:
                s += amount
        bored = bored or bool(ahead & self.tunnel_ends)
        free = self.limit - n
        if self.ground.has_free:
            s += self.tails(free, more, ends, tip, end)
        if self.ceiling(ahead, free, s, top, ends, more, bored) > floor:
            return False
        if not self.ground.transits:
            return True
        gain, count = self.ground.transit_ahead(tip, end, ahead)
        if not gain or free < count:
            return True
        return self.ceiling(ahead, free - count, s + gain, top, 0, more - count, bored) <= floor

    def tails(self, rest: int, more: int, ends: int, tip: int, end: int | None) -> int:
        """The most that free stops can earn after the last stop that counts, on all arms that can be extended."""
        ground = self.ground
        if rest > 0 and more > 0:
            return ends * ground.tail
        here = 0 if ground.ends_here[tip] else ground.beside[tip]
        return here if end is not None else here + ground.beside[self.start]

    def ceiling(self, ahead: int, rest: int, s: int, top: tuple[int, ...], ends: int, more: int, bored: bool) -> int:
        """An upper bound of the value if up to ``rest`` more stops count. All others of the limit are in ``s``."""
        total = s
        k, size = 0, len(top)
        for v, p, is_end in self.ranking:
            if rest <= 0 or more <= 0 or v < 0:
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
        return total + self.bonus * (self.limit - rest) if bored else total

    def outlook(self, beside: Sequence[int], tips: int, visited: int, levels: int) -> int:
        """The stops that can still be reached from ``tips`` with ``levels`` more stops that always count. ``beside``:
        by stop, the bits of the stops next to it."""
        passable, counting = self.passable, self.counting
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
