"""The certificates of 18xx.games: which of them each holder has, for records that are read and for games written as
such.

A certificate has a number: ``SFTG_3`` is one of SFTG, 0 the director's. An action names the certificates that are
bought and sold, but not those that move by themselves. For those the site takes the ones that have lain longest in
their place. ``Books`` knows both: ``given`` chooses the certificates for an action, ``name`` notes those that an action
names, and ``follow`` carries out what happened, in the site's order.

Our engine moves no more certificates than it must when a director changes. The site moves the certificates of the
purchase or sale first. Then the new director gives his first ones for the director's certificate: to the former
director or, if that certificate was sold itself, to the buyer. If only half of it was sold, the buyer gives one back.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from typing import Final, Self, TypeAlias

from engine.core.events import (
    Bought,
    CertificatesMoved,
    CertificatesSet,
    CompanyLeft,
    CompanyOpened,
    DirectorChanged,
    Divided,
    Event,
    Exchanged,
    Merged,
    Sold,
)
from engine.core.ids import POOL, CompanyId, Place
from engine.core.title import Title

DIRECTOR: Final = 0
PLACES: Final = ("ipo", "treasury")
"""The words for the place of unsold certificates in a report of a purchase."""
MOST: Final = 100
"""More certificates than any company has."""
Told: TypeAlias = Bought | Sold | Exchanged
"""Events that report certificates that have moved."""


def index_of(number: str) -> int:
    """The index of a certificate: the last part of its number."""
    return int(number.rsplit("_", 1)[1])


def company_of(numbers: Sequence[str]) -> str:
    """The company whose certificates these are, as the site calls it."""
    return numbers[0].rsplit("_", 1)[0]


@dataclass(slots=True)
class Deal:
    """Certificates of one company that moved together. ``told``: the event that reports them; ``named``: the indices
    that the action names."""

    company: CompanyId
    moves: list[CertificatesMoved] = field(default_factory=list)
    told: Told | None = None
    named: list[int] = field(default_factory=list)
    changes: list[int] = field(default_factory=list)
    """After how many of the moves a new director is reported."""

    @property
    def director(self) -> tuple[Place, Place] | None:
        """Places of the director's certificate before and afterwards; None if it stayed."""
        moved = [move for move in self.moves if move.kind == "director"]
        return (moved[0].source, moved[-1].target) if moved and moved[0].source != moved[-1].target else None


Noted: TypeAlias = CertificatesSet | CompanyLeft | CompanyOpened | Divided | Merged
Item: TypeAlias = Deal | Noted


@dataclass(slots=True)
class Books:
    """The indices of the certificates by company and place, in the order in which they came there."""

    title: Title
    _at: dict[CompanyId, dict[str, list[int]]] = field(default_factory=dict)
    _named: dict[CompanyId, list[int]] = field(default_factory=dict)
    """The certificates that the present action names."""
    strangers: list[str] = field(default_factory=list)
    """Certificates that an action named where the books had others."""

    # ---- what is where --------------------------------------------------------------------------------------------

    def copy(self) -> Self:
        """A copy of the books, to go back to."""
        own = (one.name for one in fields(self) if one.name.startswith("_"))
        return replace(self, **{name: deepcopy(getattr(self, name)) for name in own})

    def place_of(self, company: CompanyId, number: str) -> str:
        """The place of a certificate."""
        index = index_of(number)
        return next((p for p, found in self._places(company).items() if index in found), self.title.unsold)

    def lying(self, company: CompanyId, place: str) -> list[int]:
        """The indices of the certificates of a company in a place, in the order in which they came."""
        return list(self._places(company).get(place, ()))

    def hands(self) -> dict[CompanyId, dict[str, list[int]]]:
        """Every certificate: company -> place -> indices."""
        return {company: {p: list(i) for p, i in self._places(company).items() if i} for company in self._companies()}

    def given(self, company: CompanyId, place: str, count: int, kind: str | None = None) -> list[int]:
        """The certificates that a place gives for ``count`` shares: the first ordinary ones, and the director's if they
        do not suffice. ``kind``: the first of that kind alone."""
        if kind is not None:
            return [i for i in self.lying(company, place) if self.kind(company, i) == kind][:1]
        ordinary = self._ordinary(company, place)
        return ordinary[:count] if len(ordinary) >= count else [*ordinary, DIRECTOR]

    def given_one_by_one(self, company: CompanyId, place: str, buyer: str, count: int) -> list[int]:
        """The certificates of purchases of one share each, one after the other, by which the buyer may become the first
        director."""
        trial, found = self.copy(), list[int]()
        for _ in range(count):
            found.append(trial._ordinary(company, place)[0])
            trial._first_director(company, found[-1:], buyer)
        return found

    def kind(self, company: CompanyId, index: int) -> str:
        """The kind of a certificate. They are numbered in the order of the charter's kinds."""
        for kind, (_, count) in self.title.companies[company].charter.certificates.items():
            if index < count:
                return kind
            index -= count
        return "ordinary"  # of a minor that has become a major

    def worth(self, company: CompanyId, index: int) -> int:
        """The number of shares of a certificate."""
        kinds = self.title.companies[company].charter.certificates
        return kinds[self.kind(company, index)][0].shares

    def name(self, company: CompanyId, indices: Sequence[int], place: str | None = None) -> None:
        """Note that the action moves these certificates. ``place``: where they lie according to the order; if the books
        have them elsewhere, they change places with equal ones."""
        if place is not None:
            for index in indices:
                self._lies(company, index, place)
        self._named.setdefault(company, []).extend(indices)

    # ---- what happens ---------------------------------------------------------------------------------------------

    def follow(self, events: Sequence[Event]) -> None:
        """Carry out ``events``, which follow from one order."""
        if not events:
            return
        items = self._arranged(_items(events))
        for number, item in enumerate(items):
            if isinstance(item, Deal):
                item.named = self._named.pop(item.company, [])
                self._carry_out(item)
            else:
                self._happens(item, items[number + 1 :])
        self._named.clear()

    def _arranged(self, items: list[Item]) -> list[Item]:
        """The events of the trade, in the order of the site."""
        return items

    def _happens(self, event: Noted, later: Sequence[Item]) -> None:
        """Note an event that is no deal. ``later``: what follows."""
        if isinstance(event, CertificatesSet) and event.holdings:
            self._set(event)

    def _set(self, event: CertificatesSet) -> None:
        """Deal the certificates of a company anew."""
        self._at[event.company] = {}
        for place, kind, count in event.holdings:
            free = (i for i in range(MOST) if self.kind(event.company, i) == kind)
            new = [i for i in free if all(i not in there for there in self._at[event.company].values())]
            self._carry(event.company, new[:count], place)

    # ---- one deal -------------------------------------------------------------------------------------------------

    def _carry_out(self, deal: Deal) -> None:
        """Move the certificates of a deal as the site does."""
        trade = self._trade(deal)
        if deal.director is None or trade is None:
            for move in deal.moves:
                self._move(move, deal.named)
        else:
            self._succeed(deal, *trade)

    def _trade(self, deal: Deal) -> tuple[str, str, int] | None:
        """Source, target and number of shares of a purchase, sale or exchange; None if there was none."""
        told = deal.told
        match told:
            case Bought():
                place = self.title.unsold if told.source in PLACES else POOL if told.source == "pool" else told.source
                return place, str(told.player), told.count
            case Sold():
                place = self.title.unsold if told.player == told.company else str(told.player)
                return place, POOL, told.count
        return None

    def _succeed(self, deal: Deal, source: str, target: str, count: int) -> None:
        """A purchase or sale by which the director's certificate changes hands."""
        assert deal.director is not None
        company, (old, new) = deal.company, deal.director
        starts = old == source == self.title.unsold  # the director's certificate itself is bought, if none is named
        named = deal.named or ([DIRECTOR] if starts else self.given(company, source, count))
        sold = DIRECTOR in named
        if old == self.title.unsold and not sold:
            self._first_director(company, named, new)
            return
        self._carry(company, named, target)
        back = sum(self.worth(company, i) for i in named) - count
        if new != POOL and not (sold and new == target and (not back or old == POOL)):
            self._carry(company, self._price_of_office(company, new, deal), target if sold else old)
        self._carry(company, self._ordinary(company, target)[:back], source)
        self._carry(company, [DIRECTOR], new)

    def _first_director(self, company: CompanyId, named: Sequence[int], buyer: str) -> None:
        """A purchase of unsold certificates, one after the other, by which the buyer becomes the first director."""
        for index in named:
            self._carry(company, [index], buyer)
            if len(own := self._ordinary(company, buyer)) >= self.worth(company, DIRECTOR) and DIRECTOR in self.lying(
                company, self.title.unsold
            ):
                self._carry(company, own[: self.worth(company, DIRECTOR)], self.title.unsold)
                self._carry(company, [DIRECTOR], buyer)

    def _price_of_office(self, company: CompanyId, heir: str, deal: Deal) -> list[int]:
        """The certificates that a new director gives for the director's."""
        return self._ordinary(company, heir)[: self.worth(company, DIRECTOR)]

    def _move(self, move: CertificatesMoved, named: Sequence[int]) -> None:
        """Move certificates of one kind: those that the action names, or else those that have lain longest."""
        there = self._places(move.company).get(move.source, [])
        fitting = [i for i in there if self.kind(move.company, i) == move.kind]
        fitting.sort(key=lambda i: named.index(i) if i in named else len(named))
        self._carry(move.company, fitting[: move.count], move.target)

    # ---- the books ------------------------------------------------------------------------------------------------

    def _companies(self) -> list[CompanyId]:
        return [company for company, data in self.title.companies.items() if data.charter.certificates]

    def _places(self, company: CompanyId) -> dict[str, list[int]]:
        if company not in self._at:
            certificates = self.title.companies[company].charter.certificates
            number = sum(count for _, count in certificates.values())
            self._at[company] = {self.title.unsold: list(range(number))}
        return self._at[company]

    def _ordinary(self, company: CompanyId, place: str) -> list[int]:
        return [i for i in self._places(company).get(place, ()) if self.kind(company, i) == "ordinary"]

    def _carry(self, company: CompanyId, indices: Sequence[int], target: str) -> None:
        places = self._places(company)
        for index in indices:
            for there in places.values():
                if index in there:
                    there.remove(index)
            places.setdefault(target, []).append(index)

    def _lies(self, company: CompanyId, index: int, place: str) -> None:
        places = self._places(company)
        thought = self.place_of(company, f"{company}_{index}")
        there, kind = places.get(place, []), self.kind(company, index)
        if thought == place:
            return
        other = next((i for i in there if self.kind(company, i) == kind), None)
        self.strangers.append(f"{company}_{index}")
        if other is not None and index in places.get(thought, ()):
            there[there.index(other)] = index
            places[thought][places[thought].index(index)] = other


def _items(events: Sequence[Event]) -> list[Item]:
    """The deals among the events, and the other events."""
    items: list[Item] = []
    deal: Deal | None = None
    for event in events:
        if isinstance(event, CertificatesMoved | DirectorChanged | Bought | Sold | Exchanged):
            if deal is None or not _belongs(deal, event):
                deal = Deal(event.company)
                items.append(deal)
            _add(deal, event)
        elif isinstance(event, Noted):
            items.append(event)
            deal = None
    return items


def _belongs(deal: Deal, event: CertificatesMoved | DirectorChanged | Told) -> bool:
    """True if the event belongs to the deal: a sale or an exchange is reported at its end, a purchase before it or in
    the middle."""
    if event.company != deal.company or isinstance(deal.told, Sold | Exchanged):
        return False
    return not (deal.told is not None and isinstance(event, Bought | Sold | Exchanged))


def _add(deal: Deal, event: CertificatesMoved | DirectorChanged | Told) -> None:
    if isinstance(event, CertificatesMoved):
        deal.moves.append(event)
    elif isinstance(event, DirectorChanged):
        deal.changes.append(len(deal.moves))
    else:
        deal.told = event


def names(company: str, indices: Sequence[int]) -> list[str]:
    """The site's numbers of certificates."""
    return [f"{company}_{index}" for index in indices]
