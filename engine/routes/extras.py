"""The bonuses and claims of a whole run in terms of the bits of stops: their exact amounts and upper bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.core.ids import HexId
from engine.routes.bonuses import AllBonus, EndsBonus, RingBonus, earned
from engine.routes.candidates import Found
from engine.routes.graph import Graph
from engine.routes.reach import RunTraits


def claim_bits(graph: Graph, traits: RunTraits) -> dict[str, int]:
    """By hex that can be claimed, the bit for the claim in a run's mask. These bits follow those of track."""
    hexes = sorted({hex for claim in traits.claims for hex in claim.hexes})
    return {hex: 1 << len(graph.side_hexes) + at for at, hex in enumerate(hexes)}


class Extras:
    """The bonuses and claims of whole runs, in terms of the bits of stops."""

    def __init__(self, graph: Graph, traits: RunTraits) -> None:
        self.graph = graph
        self.ends: list[tuple[int, int, int]] = []
        self.alls: list[tuple[tuple[int, ...], int]] = []
        self.rings: list[tuple[int, RingBonus]] = []
        for bonus in traits.route_bonuses:
            match bonus:
                case EndsBonus():
                    self.ends.append((self._at(bonus.one), self._at(bonus.other), bonus.amount))
                case AllBonus():
                    self.alls.append((tuple(map(self._at, bonus.groups)), bonus.amount))
                case RingBonus():
                    self.rings.append((self._at(bonus.ring), bonus))
        marks = claim_bits(graph, traits)
        self.claims: list[tuple[tuple[int, ...], int, int]] = []
        """Claims as (bits of the stops in each hex, bits of the hexes in a run's mask, amount)."""
        for claim in traits.claims:
            there = tuple(self._at((hex,)) for hex in claim.hexes)
            if all(there):
                self.claims.append((there, sum(marks[hex] for hex in claim.hexes), claim.amount))
        self.most = max((b.amount for b in traits.route_bonuses), default=0)
        self.most += max((amount for _, _, amount in self.claims), default=0)
        """The most that a run can earn by its best bonus and its best claim."""

    def _at(self, hexes: Iterable[HexId]) -> int:
        """The bits of the stops in the hexes."""
        return sum(1 << i for hex in hexes for i in self.graph.at.get(hex, ()))

    def at_most(self, touched: int, one: int, other: int, closed: bool) -> int:
        """An upper bound of the bonus and the claim of a run that touches no stops except ``touched``, and has one end
        among ``one`` and the other among ``other``. ``closed``: the run may be closed."""
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
        """The best bonus of a run between the stops ``a`` and ``b`` that touches the stops ``touched``. ``track``:
        returns the run, if its track must be known."""
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
