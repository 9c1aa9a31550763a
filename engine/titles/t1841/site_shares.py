"""Certificates as 18xx.games numbers them: where each of them lies, and so where a purchase comes from.

``SFTG_3`` is a certificate of SFTG, 0 the director's. A record names the certificates that are bought and sold; those
that move by themselves (exchanges for the director's, mergers) it does not name. Then the site takes the one that has
lain longest in its place, and so do we; where a later action shows that it took another one, the two change places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.core.events import CertificatesMoved, CertificatesSet, CompanyLeft, Event, Exchanged, Merged
from engine.core.ids import POOL, Actor, CompanyId, PlayerId
from engine.core.orders import Buy, BuyFrom, Sell
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.titles.t1841.names import MAJOR

DIRECTOR: Final = 0
DIRECTOR_KIND: Final = "director"
FROM_PLAYER: Final = "total_price"
"""What only a purchase from a player has: the price that the two agreed on."""


@dataclass(slots=True)
class Certificates:
    """Company -> place -> the numbers of its certificates there, in the order in which they came."""

    title: Title
    _at: dict[CompanyId, dict[str, list[int]]] = field(default_factory=dict)
    _named: tuple[CompanyId, tuple[int, ...]] = (CompanyId(""), ())
    """Those that the action at hand names; they move before others."""
    _pairs: set[CompanyId] = field(default_factory=set)
    """Companies formed by majors."""

    def follow(self, events: Sequence[Event]) -> None:
        """Keep up with what has happened."""
        for number, event in enumerate(events):
            if isinstance(event, Merged):
                self._formed_by_pairs(event)
            elif isinstance(event, CertificatesMoved):
                self._turn_pairs(event, events[number:])
                self._move(event.company, event.kind, event.count, event.source, event.target)
            elif isinstance(event, CertificatesSet):
                self._set(event)
            elif isinstance(event, CompanyLeft):
                self._at.pop(event.company, None)
        self._named = (CompanyId(""), ())

    def name(self, company: CompanyId, numbers: Sequence[str], place: str) -> None:
        """The action moves these certificates, which lie in ``place``."""
        wanted = tuple(index_of(number) for number in numbers)
        for index in wanted:
            self._lies(company, index, place)
        self._named = (company, wanted)

    def place_of(self, company: CompanyId, number: str) -> str:
        """Where a certificate lies, as far as the record has shown."""
        index = index_of(number)
        return next((p for p, found in self._places(company).items() if index in found), self.title.unsold)

    # ---- purchases and sales --------------------------------------------------------------------------------------

    def purchase(self, state: State, buyer: Actor, company: CompanyId, action: Mapping[str, Any]) -> Buy | BuyFrom:
        """The purchase that an action makes."""
        numbers = action["shares"]
        place, count = self.place_of(company, numbers[0]), shares_in(self.title, state, company, action)
        if action.get(FROM_PLAYER) is not None:
            self.name(company, numbers, place)
            return BuyFrom(PlayerId(buyer), company, count, PlayerId(place), int(action[FROM_PLAYER]))
        if place not in self._sources(state, company, numbers):
            place = next(iter(self._sources(state, company, numbers)), place)
        self.name(company, numbers, place)
        director = DIRECTOR in map(index_of, numbers)
        return Buy(buyer, company, "pool" if place == POOL else "treasury", "director" if director else None)

    def sale(self, state: State, seller: Actor, company: CompanyId, action: Mapping[str, Any]) -> Sell:
        """The sale that an action makes: of the last certificate perhaps only a part."""
        self.name(company, action["shares"], self.title.unsold if seller == company else seller)
        return Sell(seller, company, shares_in(self.title, state, company, action))

    def _sources(self, state: State, company: CompanyId, numbers: Sequence[str]) -> list[str]:
        """Where such a certificate can be bought."""
        director = DIRECTOR in map(index_of, numbers)
        kinds = [k for (p, c, k), n in state.holdings.items() if p == POOL and c == company and n]
        found = [POOL] if (DIRECTOR_KIND in kinds if director else any(k != DIRECTOR_KIND for k in kinds)) else []
        unsold = any(n for (p, c, k), n in state.holdings.items() if p == self.title.unsold and c == company)
        return [*found, self.title.unsold] if unsold else found

    # ---- keeping the books ----------------------------------------------------------------------------------------

    def _places(self, company: CompanyId) -> dict[str, list[int]]:
        if company not in self._at:
            certificates = self.title.companies[company].charter.certificates
            number = sum(count for _, count in certificates.values())
            self._at[company] = {self.title.unsold: list(range(number))}
        return self._at[company]

    def _lies(self, company: CompanyId, index: int, place: str) -> None:
        """Certificate ``index`` turns out to lie in ``place``, another one where it was thought to be."""
        places = self._places(company)
        thought = self.place_of(company, f"{company}_{index}")
        there = places.setdefault(place, [])
        if thought == place or index == DIRECTOR:
            return
        other = next((i for i in there if i != DIRECTOR), None)
        if other is not None:
            there[there.index(other)] = index
            places[thought][places[thought].index(index)] = other

    def _move(self, company: CompanyId, kind: str, count: int, source: str, target: str) -> None:
        places = self._places(company)
        there = places.setdefault(source, [])
        fitting = [i for i in there if (i == DIRECTOR) == (kind == DIRECTOR_KIND)]
        if self._named[0] == company:
            fitting.sort(key=lambda i: i not in self._named[1])
        for index in fitting[:count]:
            there.remove(index)
            places.setdefault(target, []).append(index)

    def _formed_by_pairs(self, event: Merged) -> None:
        """Note whether old shares are exchanged in pairs: in mergers of majors."""
        kinds = {self.title.companies[part].charter.kind for part in event.companies}
        self._pairs.discard(event.company)
        if len(event.companies) > 1 and kinds == {MAJOR}:
            self._pairs.add(event.company)

    def _turn_pairs(self, event: CertificatesMoved, following: Sequence[Event]) -> None:
        """Whoever comes to the director's certificate by pairs gets two ordinary ones first on the site, and changes
        them for it; they come last in what is unsold. Who pays for it gets it at once."""
        company, unsold = event.company, self.title.unsold
        if company not in self._pairs or event.kind != DIRECTOR_KIND or event.source != unsold:
            return
        told = next((e for e in following if isinstance(e, Exchanged) and e.company == company), None)
        if told is not None and told.money >= 0:
            there = self._places(company).setdefault(unsold, [])
            turned = [i for i in there if i != DIRECTOR][:2]
            there[:] = [i for i in there if i not in turned] + turned

    def _set(self, event: CertificatesSet) -> None:
        """Deal the certificates out anew."""
        ordinary = iter(range(DIRECTOR + 1, 1000))
        places: dict[str, list[int]] = {}
        for place, kind, count in event.holdings:
            indices = [DIRECTOR] if kind == DIRECTOR_KIND else [next(ordinary) for _ in range(count)]
            places.setdefault(place, []).extend(indices)
        self._at[event.company] = places


def shares_in(title: Title, state: State, company: CompanyId, action: Mapping[str, Any]) -> int:
    """How many shares the percentage of an action is."""
    unit = min(kind.percent // kind.shares for kind, _ in charter_of(title, state, company).certificates.values())
    percent = int(action["percent"])
    if percent % unit or percent <= 0:
        raise ValueError(f"{percent} % are no whole number of shares of {company}")
    return percent // unit


def index_of(number: str) -> int:
    return int(number.rsplit("_", 1)[1])


def company_of(numbers: Iterable[str]) -> str:
    """The company whose certificates these are, as the site calls it."""
    return next(iter(numbers)).rsplit("_", 1)[0]
