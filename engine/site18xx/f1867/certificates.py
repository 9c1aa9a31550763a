"""The certificates of 1861 and its cousins on 18xx.games: the formation of public companies.

The owner of each minor gets the last certificate of the new company, in operating order. Whoever has two first
exchanges them for the director's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.events import CertificatesSet, CompanyLeft
from engine.core.ids import TREASURY, CompanyId
from engine.site18xx.certificates import DIRECTOR, Books, Item, Noted


@dataclass(slots=True)
class SiteBooks(Books):
    """The certificates of each holder; the treasury is the place of unsold ones."""

    def _happens(self, event: Noted, later: Sequence[Item]) -> None:
        if isinstance(event, CertificatesSet) and any(place != TREASURY for place, _, _ in event.holdings):
            gone = [item.company for item in later if isinstance(item, CertificatesSet)]
            owners = [self.place_of(minor, f"{minor}_{DIRECTOR}") for minor in gone]
            if len(owners) > 1:
                self._form(event.company, owners)
                return
        if isinstance(event, CompanyLeft):
            everything = [i for there in self._places(event.company).values() for i in there]
            self._carry(event.company, sorted(everything), self.title.unsold)
        Books._happens(self, event, later)

    def _form(self, company: CompanyId, owners: Sequence[str]) -> None:
        """Deal the certificates of a new company to the owners of the minors, in this order."""
        worth, director = self.worth(company, DIRECTOR), ""
        for owner in owners:
            self._carry(company, self._ordinary(company, TREASURY)[-1:], owner)
            if self._shares_of(company, owner) < max(worth, self._shares_of(company, director) + 1):
                continue
            if owner != director:
                self._carry(company, self._ordinary(company, owner)[:worth], director or TREASURY)
                self._carry(company, [DIRECTOR], owner)
                director = owner

    def _shares_of(self, company: CompanyId, place: str) -> int:
        return sum(self.worth(company, index) for index in self.lying(company, place))
