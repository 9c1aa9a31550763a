"""The search for the runs of a train that counts every station that it touches.

A run has two arms. Both start at the lowest-numbered own marker on the run. The first arm is extended as far as it can
be, and at each of its tips the second arm is begun.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.routes.legs import near
from engine.routes.stations import NEVER, StationSearch, Ways


class CountedSearch(StationSearch):
    """The search for the runs of a train that counts every station."""

    def adds(self, station: int) -> int:
        return self.unit * (self.network.value[station] - self.network.toll[station])

    def _search(self) -> None:
        self.limit = self.reach.stops
        if self.limit < 2:
            return
        network = self.network
        self.goes_on = {i: i in network.own or not network.ends_here[i] for i in self.exits}
        """By station, True if a run may continue from it."""
        done: set[int] = set()
        for start in network.own:
            if not self.exits.get(start):
                continue
            self.start = start
            self.both = not network.graph.nodes[start].terminal
            """True if a run may go through the start."""
            self._tables()
            here = 1 << start
            self._extend(
                start, start, start, here, network.graph.nodes[start].place, self.taken, 1, self.adds(start), None,
                None, 0,
            )  # fmt: skip
            done.add(start)
            for i in self.exits:
                self.exits[i] = [] if i in done else [e for e in self.exits[i] if e[0] not in done]

    def _tables(self) -> None:
        """Set ``ahead[k][v]``: the most that up to ``k`` legs add beyond ``v``, the first station to which they go, and
        the most that legs to another first station add, since a run does not return at once to the station from which
        it came. Set ``fresh[k]``: the most that up to ``k`` legs add beyond the start."""
        ends_here, most = self.network.ends_here, self.limit - 1
        best: dict[int, dict[int, int]] = {}
        self.closing: dict[int, int] = {}
        for i, out in self.exits.items():
            best[i] = {e[0]: e[4] for e in reversed(out)}  # the first leg to each station is the best
            self.closing[i] = max([e[5] for e in out], default=NEVER)
        self.ahead = [dict.fromkeys(best, (0, -1, 0))]
        for _ in range(most):
            last, level = self.ahead[-1], {}
            for v, gains in best.items():
                first, second, to = 0, 0, -1
                for w, gain in gains.items() if self.goes_on[v] else ():
                    beyond, back, otherwise = last[w]
                    total = gain + (otherwise if back == v else beyond)
                    if total > first:
                        first, second, to = total, first, w
                    elif total > second:
                        second = total
                level[v] = first, to, second
            self.ahead.append(level)
        self.fresh = [level[self.start][0] if self.both else 0 for level in self.ahead]
        stops = [c for i, c in self.closing.items() if i == self.start or ends_here[i]]
        self.close = max([0, *stops]) if self.loops else 0
        self.nearby: Mapping[int, list[int]] = {}

    def _near(self, v: int, legs: int) -> int:
        """The bits of the stations within ``legs`` legs of ``v``."""
        if not self.nearby:
            beside = {i: sum({1 << e[0] for e in out}) if self.goes_on[i] else 0 for i, out in self.exits.items()}
            self.nearby = near(beside, self.limit - 1)
        return self.nearby[v][legs]

    def _hopeless(
        self, v: int, came: int, end: int, touched: int, n: int, total: int, leading: bool
    ) -> bool:  # fmt: skip
        """True if a run that has reached ``v`` can no longer earn enough."""
        rest, network = self.limit - n, self.network
        if leading:
            most = max([self._beyond(v, came, k) + self.fresh[rest - k] for k in range(rest + 1)]) + self.close
        else:
            most = self._beyond(v, came, rest)
            if self.loops and network.ends_here[end]:
                most += max(0, self.closing[end])
        most += total
        if most > self.least:
            return False
        if most + self.extras.most * self.unit <= self.least:
            return True
        here = self._near(v, rest)
        there = self._near(self.start, rest) if leading else 1 << end
        closed = self.loops and (leading or network.ends_here[end])
        most += self.unit * self.extras.at_most(touched | here | there | ~network.stations, here, there, closed)
        return most <= self.least

    def _beyond(self, v: int, came: int, legs: int) -> int:
        """The most that up to ``legs`` legs add beyond ``v`` to a run that came from ``came``, in ``SCALE`` parts."""
        first, to, second = self.ahead[legs][v]
        return second if to == came else first

    def _extend(
        self, node: int, came: int, end: int, touched: int, places: int, mask: int, n: int, total: int, a: Ways,
        b: Ways, first: int, leading: bool = True,
    ) -> None:  # fmt: skip
        """Extend the arm that has reached ``node``. ``leading``: the arm is the first of the run."""
        network, limit, start = self.network, self.limit, self.start
        ends_here = network.ends_here
        for at, (v, side, between, stops, gain, bare, way) in enumerate(self.exits[node]):
            if leading and node == start:
                first = at
            elif node == start and at <= first:
                continue
            if side & mask or between & places:
                continue
            self.spend()
            touched2 = touched | stops | 1 << v
            a2, b2 = ((a, way), b) if leading else (a, (b, way))
            if touched >> v & 1:
                if self._closes(v, end, node, way, first, leading):
                    self.offer(total + bare, mask & ~self.taken | side, touched2, (v, v), start, a2, b2)
                continue
            there = network.graph.nodes[v].place
            if n == limit or there & places:
                continue
            total2 = total + gain
            if self._hopeless(v, node, end, touched2, n + 1, total2, leading):
                continue
            mask2, places2 = mask | side, places | between | there
            self.offer(total2, mask2 & ~self.taken, touched2, (v, end), start, a2, b2)
            if not ends_here[v]:
                self._extend(v, node, end, touched2, places2, mask2, n + 1, total2, a2, b2, first, leading)
            if leading and self.both:
                self._extend(start, start, v, touched2, places2, mask2, n + 1, total2, a2, None, first, False)

    def _closes(self, v: int, end: int, node: int, way: tuple[int, ...], first: int, leading: bool) -> bool:
        """True if the leg to ``v``, which the run has touched already, makes it a closed run that is not found in
        another way."""
        if not self.loops or self.network.graph.nodes[v].terminal:
            return False
        if not leading:
            return v == end and self.network.ends_here[v]
        if v != self.start or node == self.start:
            return False
        back = next(at for at, e in enumerate(self.exits[v]) if e[0] == node and e[6] == way[::-1])
        return back > first
