"""The runs of a train that counts every station it touches.

A run has two arms that start from its own marker with the lowest number: the first is made as long as it can be, and at
each of its tips the second is begun.
"""

from __future__ import annotations

from engine.routes.legs import near
from engine.routes.stations import NEVER, StationSearch, Ways


class CountedSearch(StationSearch):
    """Runs of a train that counts every station."""

    def adds(self, station: int) -> int:
        return self.unit * (self.network.value[station] - self.network.toll[station])

    def _search(self) -> None:
        self.limit = self.reach.stops
        if self.limit < 2:
            return
        network = self.network
        done: set[int] = set()
        for start in network.own:
            if start not in self.exits:
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
        """``ahead[k][v][u]``: the most that up to ``k`` legs add beyond ``v``, when the run came there from ``u``, not
        at once back to it; ``fresh[k]``: beyond the start, wherever it came from."""
        ends_here, most = self.network.ends_here, self.limit - 1
        best: dict[int, dict[int, int]] = {}
        self.closing = dict.fromkeys(self.exits, NEVER)
        for i, out in self.exits.items():
            best[i] = {}
            for other, _, _, _, gain, bare, _ in out:
                best[i][other] = max(best[i].get(other, NEVER), gain)
                self.closing[other] = max(self.closing[other], bare)
        own = set(self.network.own)
        passes = {i: i in own or not ends_here[i] for i in self.exits}
        flat = dict.fromkeys(best, dict.fromkeys(best, 0))
        self.ahead = [flat]
        for _ in range(most):
            last, level = self.ahead[-1], {}
            for v, gains in best.items():
                if not passes[v] or not gains:
                    level[v] = flat[v]
                    continue
                order = sorted(((g + last[w][v], w) for w, g in gains.items()), reverse=True)
                first = max(0, order[0][0])
                second = max(0, order[1][0]) if len(order) > 1 else 0
                level[v] = dict.fromkeys(best, first)
                level[v][order[0][1]] = second
            self.ahead.append(level)
        self.fresh = [max([0, *level[self.start].values()]) if self.both else 0 for level in self.ahead]
        stops = [c for i, c in self.closing.items() if i == self.start or ends_here[i]]
        self.close = max([0, *stops]) if self.loops else 0
        self.near = near({i: sum(1 << o for o in best[i]) if passes[i] else 0 for i in best}, most)

    def _hopeless(
        self, v: int, came: int, end: int, touched: int, n: int, total: int, leading: bool
    ) -> bool:  # fmt: skip
        """True if a run that has come to ``v`` can no more earn enough."""
        rest, network = self.limit - n, self.network
        ahead = self.ahead
        if leading:
            most = max(ahead[j][v][came] + self.fresh[rest - j] for j in range(rest + 1)) + self.close
        else:
            most = ahead[rest][v][came]
            if self.loops and network.ends_here[end]:
                most += max(0, self.closing[end])
        most += total
        if most > self.least:
            return False
        if most + self.extras.most * self.unit <= self.least:
            return True
        here = self.near[v][rest]
        there = self.near[self.start][rest] if leading else 1 << end
        closed = self.loops and (leading or network.ends_here[end])
        most += self.unit * self.extras.at_most(touched | here | there | ~network.stations, here, there, closed)
        return most <= self.least

    def _extend(
        self, node: int, came: int, end: int, touched: int, places: int, mask: int, n: int, total: int, a: Ways,
        b: Ways, first: int, leading: bool = True,
    ) -> None:  # fmt: skip
        """Lengthen the arm that has reached ``node``."""
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
        """True if the leg to ``v``, which the run has touched, makes it a closed one that is not found otherwise."""
        if not self.loops or self.network.graph.nodes[v].terminal:
            return False
        if not leading:
            return v == end and self.network.ends_here[v]
        if v != self.start or node == self.start:
            return False
        back = next(at for at, e in enumerate(self.exits[v]) if e[0] == node and e[6] == way[::-1])
        return back > first
