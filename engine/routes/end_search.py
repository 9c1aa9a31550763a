"""The search for the runs of a train between two ends that its company holds. The runs may be of any length; the train
chooses the stations that it counts between the ends."""

from __future__ import annotations

from engine.routes.stations import NEVER, StationSearch, Ways


class HeldSearch(StationSearch):
    """The search for the runs of a train between two ends that its company holds, with a choice of the stations that it
    counts between them."""

    def adds(self, station: int) -> int:
        return -self.unit * self.network.toll[station]

    def _search(self) -> None:
        network, nodes = self.network, self.network.graph.nodes
        self.most = self.reach.stops - 2
        own = set(network.own)
        free = {i for i in network.reached if nodes[i].kind in self.reach.open_ends and i not in network.blocked}
        held = [i for i in network.reached if i in own or i in free]
        self.own = sum(1 << i for i in own)
        self.ranking = sorted(((network.value[i], i) for i in network.reached), reverse=True)
        self.beside = {i: sum({1 << e[0] for e in out}) for i, out in self.exits.items()}
        self.passing = sum(1 << i for i in network.reached if not network.ends_here[i])
        for at, start in enumerate(held):
            self.start = start
            self.gains = {i: self._ends(start, i) for i in held[at + 1 :]}
            self.goals = sum(1 << i for i in self.gains)
            if self.goals and self.most >= 0:
                self._tables()
                place = nodes[start].place
                self._extend(start, 1 << start, place, self.taken, self.adds(start), (), None)

    def _ends(self, a: int, b: int) -> int:
        one, other = self.network.value[a], self.network.value[b]
        return self.unit * (one + other + (max(one, other) if self.reach.double_end else 0))

    def _tables(self) -> None:
        """Set ``ahead[c][v]``: the most that a run adds beyond ``v``, its ends included, if it counts up to ``c``
        stations there. Since this is a bound, the same station may be counted more than once."""
        best: dict[tuple[int, int], int] = {}
        for i, out in self.exits.items():
            for e in out:
                best[e[0], i] = max(best.get((e[0], i), NEVER), e[4])
        into: dict[int, list[tuple[int, int]]] = {i: [] for i in self.exits}
        for (v, u), gain in best.items():
            into[v].append((u, gain))
        self.ahead: list[dict[int, int]] = []
        passing, value, unit = self.passing, self.network.value, self.unit
        for _ in range(self.most + 1):
            below = self.ahead[-1] if self.ahead else None
            known = dict.fromkeys(self.exits, NEVER)

            def arrival(v: int, known: dict[int, int] = known, below: dict[int, int] | None = below) -> int:
                found = self.gains.get(v, NEVER)
                if passing >> v & 1:
                    found = max(found, known[v])
                    if below is not None:
                        found = max(found, below[v] + unit * value[v])
                return found

            queue = list(self.exits)
            while queue:
                v = queue.pop()
                there = arrival(v)
                if there <= NEVER >> 1:
                    continue
                for u, gain in into[v]:
                    if gain + there > known[u]:
                        known[u] = gain + there
                        if passing >> u & 1 and u not in queue:
                            queue.append(u)
            self.ahead.append(known)

    def _extend(
        self, node: int, touched: int, places: int, mask: int, total: int, top: tuple[int, ...], a: Ways
    ) -> None:
        network, most = self.network, self.most
        for v, side, between, stops, gain, _, way in self.exits[node]:
            there = network.graph.nodes[v].place
            if side & mask or (between | there) & places:
                continue
            self.spend()
            total2, touched2, mask2 = total + gain, touched | stops | 1 << v, mask | side
            a2 = a, way
            if v in self.gains and touched2 & self.own:
                sure = total2 + self.gains[v] + self.unit * sum(top)
                self.offer(sure, mask2 & ~self.taken, touched2, (self.start, v), self.start, a2, None)
            if network.ends_here[v]:
                continue
            top2 = tuple(sorted((*top, network.value[v]), reverse=True)[:most])
            if not self._hopeless(v, touched2, total2, top2):
                self._extend(v, touched2, places | between | there, mask2, total2, top2, a2)

    def _hopeless(self, v: int, touched: int, total: int, top: tuple[int, ...]) -> bool:
        seen, frontier = 0, 1 << v
        while frontier:
            low = frontier & -frontier
            frontier ^= low
            new = self.beside[low.bit_length() - 1] & ~touched & ~seen
            seen |= new
            frontier |= new & self.passing
        ends = [gain for i, gain in self.gains.items() if seen >> i & 1]
        if not ends:
            return True
        unit, most = self.unit, self.most
        rest, k, size, counted = most, 0, len(top), 0
        for value, i in self.ranking:
            if rest <= 0:
                break
            if not seen >> i & 1:
                continue
            while k < size and rest and top[k] >= value:
                counted, k, rest = counted + top[k], k + 1, rest - 1
            if rest:
                counted, rest = counted + value, rest - 1
        if rest:
            counted += sum(top[k : k + rest])
        distinct = max(ends) + unit * counted
        kept = max(unit * sum(top[:j]) + self.ahead[most - j][v] for j in range(min(size, most) + 1))
        bound = total + min(distinct, kept)
        if bound > self.least:
            return False
        if bound + self.extras.most * unit <= self.least:
            return True
        others = ~self.network.stations
        bound += unit * self.extras.at_most(touched | seen | others, 1 << self.start, seen, False)
        return bound <= self.least
