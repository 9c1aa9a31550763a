"""Certificates as 18xx.games numbers them, used to write games as its records.

``MOB_3`` is a certificate of MOB; number 0 is the director's. The doubles of the SBB are 11 to 14. An action names the
certificates that it moves. Certificates that move without an action go in order of arrival.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.core.events import CertificatesMoved, CertificatesSet, Event
from engine.core.ids import IPO, POOL, CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of, director_kind, double_kind, ordinary_kind
from engine.titles.t1844.names import SBB
from engine.titles.t1844.site_shares import DIRECTOR, DOUBLES, index_of

Pile = tuple[str, str, str]
"""Place, company and kind of certificate."""


@dataclass(slots=True)
class Numbers:
    """Tracks the place of every certificate. ``start``: the position at the start of the game."""

    title: Title
    start: State
    _at: dict[Pile, list[str]] = field(default_factory=dict)
    _withdrawn: dict[CompanyId, dict[Pile, list[str]]] = field(default_factory=dict)
    """Certificates withdrawn from companies that have become the SBB."""

    def __post_init__(self) -> None:
        holdings = sorted(self.start.holdings.items(), key=lambda held: held[0][0] == IPO)
        first: dict[tuple[str, str], int] = {}
        for (place, company, kind), number in holdings:  # the lowest numbers are not in the IPO
            low = first.get((company, kind), self._lowest(company, kind))
            self._at[place, company, kind] = [f"{company}_{low + n}" for n in range(number)]
            first[company, kind] = low + number

    def _lowest(self, company: CompanyId, kind: str) -> int:
        if kind == director_kind(self.title, self.start, company):
            return DIRECTOR
        return DOUBLES[0] if kind == double_kind(self.title, self.start, company) else DIRECTOR + 1

    def of(self, place: str, company: CompanyId, kind: str) -> list[str]:
        """The numbers of the company's certificates of one kind in a place."""
        return self._at.setdefault((place, company, kind), [])

    def sold(self, before: State, seller: str, company: CompanyId, events: Iterable[Event]) -> list[str]:
        """Numbers of the certificates that go from ``seller`` to the pool; the director's if one of its shares is
        sold."""
        kinds = charter_of(self.title, before, company).certificates
        left = {kind: list(self.of(seller, company, kind)) for kind in kinds}
        director, numbers = director_kind(self.title, before, company), list[str]()
        for move in events:
            if isinstance(move, CertificatesMoved) and (move.source, move.target) == (seller, POOL):
                for _ in range(move.count):
                    own = left[move.kind] or left[director] or numbers[:1]
                    numbers.append(own.pop(0))
        return list(dict.fromkeys(numbers))

    def follow(self, events: Sequence[Event]) -> None:
        """Update the places of certificates from ``events``."""
        for event in events:
            if isinstance(event, CertificatesMoved):
                moved = self.of(event.source, event.company, event.kind)
                self.of(event.target, event.company, event.kind).extend(moved[: event.count])
                del moved[: event.count]
            elif isinstance(event, CertificatesSet):
                self._set(event)

    def _set(self, event: CertificatesSet) -> None:
        """Withdraw the certificates of a company, or deal out those of the SBB. In the order of the companies, each
        pre-SBB company gets two of the single ones and one of the doubles. The new director exchanges his for the
        director's."""
        if event.company != SBB:
            self._withdrawn[event.company] = {
                pile: numbers for pile, numbers in self._at.items() if pile[1] == event.company and numbers
            }
            self._at = {pile: numbers for pile, numbers in self._at.items() if pile[1] != event.company}
            return
        names = {kind: sorted(self._all(SBB, kind), key=index_of) for kind in {kind for _, kind, _ in event.holdings}}
        wanted = {(place, kind): number for place, kind, number in event.holdings}
        self._at = {pile: numbers for pile, numbers in self._at.items() if pile[1] != SBB}
        for place, kind in self._heirs():
            if wanted.get((place, kind)) and names[kind]:
                self.of(place, SBB, kind).append(names[kind].pop(0))
                wanted[place, kind] -= 1
        for (place, kind), number in wanted.items():
            self.of(place, SBB, kind).extend(names[kind][:number])
            del names[kind][:number]

    def _heirs(self) -> Iterator[tuple[str, str]]:
        """Place and kind of each SBB certificate, in the order of the pre-SBB certificates that it replaces."""
        charter = self.title.companies[SBB].charter
        single, double = ordinary_kind(self.title, self.start, SBB), double_kind(self.title, self.start, SBB)
        assert double is not None and double in charter.certificates
        for company in self.title.companies:
            director = director_kind(self.title, self.start, company)
            withdrawn = self._withdrawn.get(company, {})
            for (place, _, kind), numbers in sorted(withdrawn.items(), key=lambda pile: self._rank(pile[0][0])):
                for _ in numbers:
                    yield POOL if place == IPO else place, double if kind == director else single

    def _rank(self, place: str) -> int:
        """Sort key of places: players in their order, then the pool, then the IPO."""
        players = self.start.players
        return players.index(PlayerId(place)) if place in players else len(players) + (place == IPO)

    def _all(self, company: CompanyId, kind: str) -> list[str]:
        return [number for (_, c, k), numbers in self._at.items() if (c, k) == (company, kind) for number in numbers]
