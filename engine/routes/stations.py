"""The search for the runs of one train where every run begins and ends at a station, depth first over legs.

Two kinds of train are known. One counts every station that it touches (``CountedSearch``). Its run has two arms that
start from its own marker with the lowest number. The other runs any length between two ends that its company holds, and
chooses what it counts between them (``HeldSearch``). Both know from tables how much the legs ahead can add at most,
less the prices of their track.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from engine.routes.bonuses import AllBonus, EndsBonus, RingBonus, earned
from engine.routes.found import SCALE, Arm, Budget, Found, LimitReachedError
from engine.routes.graph import Graph
from engine.routes.legs import Network, near
from engine.routes.reach import RunTraits, TrainReach

_Ways: TypeAlias = "tuple[_Ways, tuple[int, ...]] | None"
"""The legs of an arm, last one first, each as its stretches."""
_NEVER = -(1 << 60)


def claim_bits(graph: Graph, traits: RunTraits) -> dict[str, int]:
    """By hex that can be claimed, the bit in a run's mask that says so, beyond those of track."""
    hexes = sorted({hex for claim in traits.claims for hex in claim.hexes})
    return {hex: 1 << len(graph.side_hexes) + at for at, hex in enumerate(hexes)}


class Extras:
    """Bonuses and claims of whole runs, in terms of the bits of stops."""

    def __init__(self, graph: Graph, traits: RunTraits) -> None:
        self.graph = graph
        bits = {hex: sum(1 << i for i in stops) for hex, stops in graph.at.items()}
        self.ends: list[tuple[int, int, int]] = []
        self.alls: list[tuple[tuple[int, ...], int]] = []
        self.rings: list[tuple[int, RingBonus]] = []
        for bonus in traits.route_bonuses:
            match bonus:
                case EndsBonus():
                    one, other = (sum(bits.get(hex, 0) for hex in side) for side in (bonus.one, bonus.other))
                    self.ends.append((one, other, bonus.amount))
                case AllBonus():
                    groups = tuple(sum(bits.get(hex, 0) for hex in group) for group in bonus.groups)
                    self.alls.append((groups, bonus.amount))
                case RingBonus():
                    self.rings.append((sum(bits.get(hex, 0) for hex in bonus.ring), bonus))
        marks = claim_bits(graph, traits)
        self.claims: list[tuple[tuple[int, ...], int, int]] = []
        """(bits of the stops in each of its hexes, its bits in a mask, amount)."""
        for claim in traits.claims:
            there = tuple(bits.get(hex, 0) for hex in claim.hexes)
            if all(there):
                self.claims.append((there, sum(marks[hex] for hex in claim.hexes), claim.amount))
        self.most = max((b.amount for b in traits.route_bonuses), default=0)
        self.most += max((amount for _, _, amount in self.claims), default=0)
        """No run earns more by them."""

    def at_most(self, touched: int, one: int, other: int, closed: bool) -> int:
        """No run earns more by them that touches none but the stops ``touched``, with an end among ``one`` and its
        other end among ``other``; ``closed``: it may be a closed one."""
        most = 0
        for a, b, amount in self.ends:
            if amount > most and ((one & a and other & b) or (one & b and other & a)):
                most = amount
        for groups, amount in self.alls:
            if amount > most and all(touched & group for group in groups):
                most = amount
        if closed:
            most = max([most, *(ring.amount for _, ring in self.rings)])
        best = 0
        for there, _, amount in self.claims:
            if amount > best and all(touched & stops for stops in there):
                best = amount
        return most + best

    def bonus(self, touched: int, a: int, b: int, track: Callable[[], Found]) -> int:
        """The best bonus of the run between ``a`` and ``b``."""
        most = 0
        for one, other, amount in self.ends:
            if amount > most and ((one >> a & 1 and other >> b & 1) or (one >> b & 1 and other >> a & 1)):
                most = amount
        for groups, amount in self.alls:
            if amount > most and all(touched & group for group in groups):
                most = amount
        if a == b:
            for stops, ring in self.rings:
                if ring.amount > most and not touched & ~stops:
                    found = track().track(self.graph)
                    at = tuple(self.graph.nodes[i].hex for i in found.stops)
                    if earned(ring, at, found.hexes(self.graph)):
                        most = ring.amount
        return most


class StationSearch:
    """What both searches share: ``keep``, ``least`` and ``prices`` as in ``Search``."""

    def __init__(
        self, network: Network, traits: RunTraits, reach: TrainReach, floor: int, keep: Callable[[Found], bool],
        prices: Sequence[int],
    ) -> None:  # fmt: skip
        self.network, self.reach, self.keep, self.least = network, reach, keep, floor
        self.extras = Extras(network.graph, traits)
        self.loops = traits.loops
        self.unit, self.times = SCALE * reach.multiplier, reach.multiplier
        self.prices = prices
        self.left = 0
        self.taken = 0
        self.exits: dict[int, list[tuple[int, int, int, int, int, int, tuple[int, ...]]]] = {}
        """By station, (other station, mask, places, stops between, what it adds with the other station, what it adds
        without, stretches), best first."""

    def run(self, budget: Budget, taken: int) -> None:
        """All runs without the track ``taken``. ``LimitReachedError`` when the budget is spent."""
        self.left, self.taken = budget.left, taken
        try:
            self._prepare()
            self._search()
        finally:
            budget.left = self.left

    def _prepare(self) -> None:
        network, unit, prices = self.network, self.unit, self.prices
        tolls: dict[int, int] = {}
        self.exits = {i: [] for i in network.reached}
        for a, legs in network.legs.items():
            for b, leg, way in legs:
                if leg.mask & self.taken:
                    continue
                toll = tolls.get(id(leg), -1)
                if toll < 0:
                    toll, mask = 0, leg.mask if prices else 0
                    while mask:
                        low = mask & -mask
                        toll += prices[low.bit_length() - 1]
                        mask ^= low
                    tolls[id(leg)] = toll
                bare = unit * leg.value - toll
                self.exits[a].append((b, leg.mask, leg.places, leg.stops, bare + self.adds(b), bare, way))
        self.left -= len(network.all) >> 2
        for out in self.exits.values():
            out.sort(key=lambda e: (-e[4], e[0]))

    def adds(self, station: int) -> int:
        """The gain of a run by touching the station."""
        raise NotImplementedError

    def _search(self) -> None:
        raise NotImplementedError

    def offer(self, total: int, mask: int, touched: int, ends: tuple[int, int], start: int, a: _Ways, b: _Ways) -> None:
        """Keep the run, and what it is with each claim, if they earn enough. ``total``: its value less the price of its
        track, without bonuses."""
        if total + self.extras.most * self.unit <= self.least:
            return

        def made() -> Found:
            return Found(0, mask, start, _arm(a), _arm(b), touched)

        total += self.unit * self.extras.bonus(touched, *ends, made)
        variants = [(total, mask)]
        for there, bits, amount in self.extras.claims:
            if not bits & self.taken and all(touched & stops for stops in there):
                variants.append((total + self.unit * amount - self.price(bits), mask | bits))
        for net, marked in variants:
            if net > self.least:
                value = (net + self.price(marked)) // SCALE
                if self.keep(Found(value, marked, start, _arm(a), _arm(b), touched)):
                    self.least = net

    def price(self, mask: int) -> int:
        """The price of all in the mask."""
        return sum(price for bit, price in enumerate(self.prices) if mask >> bit & 1)

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise LimitReachedError


def _arm(ways: _Ways) -> Arm:
    legs: list[tuple[int, ...]] = []
    while ways is not None:
        ways, way = ways
        legs.append(way)
    arm: Arm = None
    for way in reversed(legs):
        for s in way:
            arm = arm, s
    return arm


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
            """Whether a run may go through the start."""
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
        self.closing = {i: _NEVER for i in self.exits}
        for i, out in self.exits.items():
            best[i] = {}
            for other, _, _, _, gain, bare, _ in out:
                best[i][other] = max(best[i].get(other, _NEVER), gain)
                self.closing[other] = max(self.closing[other], bare)
        own = set(self.network.own)
        passes = {i: i in own or not ends_here[i] for i in self.exits}
        flat = {i: dict.fromkeys(best, 0) for i in best}
        self.ahead = [flat]
        for _ in range(most):
            last, level = self.ahead[-1], {}
            for v in best:
                if not passes[v] or not best[v]:
                    level[v] = flat[v]
                    continue
                order = sorted(((g + last[w][v], w) for w, g in best[v].items()), reverse=True)
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
        """Whether a run that has come to ``v`` can no more earn enough."""
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
        self, node: int, came: int, end: int, touched: int, places: int, mask: int, n: int, total: int, a: _Ways,
        b: _Ways, first: int, leading: bool = True,
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
        """Whether the leg to ``v``, which the run has touched, makes it a closed one that is not found otherwise."""
        if not self.loops or self.network.graph.nodes[v].terminal:
            return False
        if not leading:
            return v == end and self.network.ends_here[v]
        if v != self.start or node == self.start:
            return False
        back = next(at for at, e in enumerate(self.exits[v]) if e[0] == node and e[6] == way[::-1])
        return back > first


class HeldSearch(StationSearch):
    """Runs of a train between two ends that its company holds, with a choice of what it counts between them."""

    def adds(self, station: int) -> int:
        return -self.unit * self.network.toll[station]

    def _search(self) -> None:
        network, nodes = self.network, self.network.graph.nodes
        self.most = self.reach.stops - 2
        own = set(network.own)
        held = [i for i in network.reached if i in own or nodes[i].kind in self.reach.open_ends]
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
        """``ahead[c][v]``: the most that a run adds beyond ``v``, its ends included, if it counts up to ``c`` stations
        there; a station may be counted again and again."""
        best: dict[tuple[int, int], int] = {}
        for i, out in self.exits.items():
            for e in out:
                best[e[0], i] = max(best.get((e[0], i), _NEVER), e[4])
        into: dict[int, list[tuple[int, int]]] = {i: [] for i in self.exits}
        for (v, u), gain in best.items():
            into[v].append((u, gain))
        self.ahead: list[dict[int, int]] = []
        passing, value, unit = self.passing, self.network.value, self.unit
        for _ in range(self.most + 1):
            below = self.ahead[-1] if self.ahead else None
            known = dict.fromkeys(self.exits, _NEVER)

            def arrival(v: int, known: dict[int, int] = known, below: dict[int, int] | None = below) -> int:
                found = self.gains.get(v, _NEVER)
                if passing >> v & 1:
                    found = max(found, known[v])
                    if below is not None:
                        found = max(found, below[v] + unit * value[v])
                return found

            queue = list(self.exits)
            while queue:
                v = queue.pop()
                there = arrival(v)
                if there <= _NEVER >> 1:
                    continue
                for u, gain in into[v]:
                    if gain + there > known[u]:
                        known[u] = gain + there
                        if passing >> u & 1 and u not in queue:
                            queue.append(u)
            self.ahead.append(known)

    def _extend(
        self, node: int, touched: int, places: int, mask: int, total: int, top: tuple[int, ...], a: _Ways
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
