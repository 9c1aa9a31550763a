"""The certificates of 1844 on 18xx.games: the pool at the start, and the SBB.

Certificates of FNM lie in the pool as soon as it starts. When the SBB is formed, each certificate of a pre-SBB company
becomes one of the SBB: company by company, holder by holder in the order in which they first had any, the IPO before
all. The first company's director gets the director's certificate, the others' a double each. Then the director of the
SBB exchanges a double for it or, without one, two single certificates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core.events import CertificatesMoved, CertificatesSet, CompanyOpened, Event
from engine.core.ids import IPO, POOL, CompanyId
from engine.site18xx.certificates import DIRECTOR, Books, Deal, Item, Noted
from engine.titles.t1844.names import FNM, SBB
from engine.titles.t1844.sequence import FNM_IN_POOL

DOUBLE = "double"


@dataclass(slots=True)
class SiteBooks(Books):
    """The certificates of each holder; the IPO is the place of unsold ones."""

    _withdrawn: list[CompanyId] = field(default_factory=list)
    """Pre-SBB companies that become the SBB."""

    def sold(self, company: CompanyId, seller: str, events: Sequence[Event]) -> list[int]:
        """The certificates that a sale with these ``events`` names: the seller's first of each kind that goes to the
        pool, and the director's if they do not suffice."""
        found, short = list[int](), False
        moves = (e for e in events if isinstance(e, CertificatesMoved) and e.company == company)
        for move in moves:
            if (move.source, move.target) == (seller, POOL):
                own = [i for i in self.lying(company, seller) if self.kind(company, i) == move.kind]
                found += own[: move.count]
                short = short or len(own) < move.count
        return [*found, DIRECTOR] if short else found

    def _happens(self, event: Noted, later: Sequence[Item]) -> None:
        if isinstance(event, CompanyOpened) and event.company == FNM:
            self._carry(FNM, self._ordinary(FNM, IPO)[:FNM_IN_POOL], POOL)
        elif isinstance(event, CertificatesSet) and event.company == SBB:
            self._form(event)
        elif isinstance(event, CertificatesSet) and not event.holdings:
            self._withdrawn.append(event.company)
        else:
            Books._happens(self, event, later)

    def _form(self, event: CertificatesSet) -> None:
        """Exchange the certificates of the pre-SBB companies for those of the SBB."""
        places = self._places(SBB)
        new = {kind: [i for i in places[IPO] if self.kind(SBB, i) == kind] for kind in ("ordinary", DOUBLE)}
        doubles, singles = iter([DIRECTOR, *new[DOUBLE]]), iter(new["ordinary"])
        for company in self._withdrawn:
            for holder, there in self._places(company).items():
                for index in there:
                    number = next(doubles if index == DIRECTOR else singles)
                    self._carry(SBB, [number], POOL if holder == IPO else holder)
            self._at[company] = {}
        director = next(place for place, kind, _ in event.holdings if kind == "director")
        before = self.place_of(SBB, f"{SBB}_{DIRECTOR}")
        if director != before:
            self._carry(SBB, self._price_of_office(SBB, director, Deal(SBB)), before)
            self._carry(SBB, [DIRECTOR], director)

    def _price_of_office(self, company: CompanyId, heir: str, deal: Deal) -> list[int]:
        """A double, if the new director has one, or else two single certificates."""
        doubles = [i for i in self.lying(company, heir) if self.kind(company, i) == DOUBLE]
        return doubles[:1] or Books._price_of_office(self, company, heir, deal)
