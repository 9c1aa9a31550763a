"""The places of certificates, by the numbers that 18xx.games gives them: ``SFTG_3`` is one of SFTG, 0 the director's.

A record names the certificates that are bought and sold, but not those that move by themselves (exchanges for the
director's certificate, mergers). For those, the site takes the one that has lain longest in its place, and so does this
module. If a later action shows that the site took another one, the two change places.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final, TypeAlias

from engine.core.events import (
    Bought,
    CertificatesMoved,
    CertificatesSet,
    CompanyLeft,
    Event,
    Exchanged,
    Merged,
    Sold,
)
from engine.core.ids import POOL, CompanyId
from engine.core.title import Title
from engine.titles.t1841.names import MAJOR

DIRECTOR: Final = 0
DIRECTOR_KIND: Final = "director"
WORTH: Final = 2
"""The number of ordinary certificates that are exchanged for the director's."""
Told: TypeAlias = Bought | Sold | Exchanged
"""Events that report certificates that have moved."""


def index_of(number: str) -> int:
    """The index of a certificate: the last part of its number."""
    return int(number.rsplit("_", 1)[1])


@dataclass(slots=True)
class Books:
    """The indices of the certificates by company and place, in the order in which they came there."""

    title: Title
    _at: dict[CompanyId, dict[str, list[int]]] = field(default_factory=dict)
    _named: tuple[CompanyId, tuple[int, ...]] = (CompanyId(""), ())
    """The certificates that the present action names; they move before others."""
    _pairs: set[CompanyId] = field(default_factory=set)
    """Companies formed by mergers of majors."""

    def copy(self) -> Books:
        """A copy of the books, to go back to."""
        return replace(self, _at=deepcopy(self._at), _pairs=set(self._pairs))

    def place_of(self, company: CompanyId, number: str) -> str:
        """The place of a certificate, as far as the record has shown."""
        index = index_of(number)
        return next((p for p, found in self._places(company).items() if index in found), self.title.unsold)

    def lying(self, company: CompanyId, place: str) -> list[str]:
        """The numbers of the certificates in a place, in the order in which they came."""
        return [f"{company}_{index}" for index in self._places(company).get(place, ())]

    def name(self, company: CompanyId, numbers: Sequence[str], place: str) -> None:
        """Note that the action moves these certificates, which lie in ``place``."""
        wanted = tuple(index_of(number) for number in numbers)
        for index in wanted:
            self._lies(company, index, place)
        self._named = (company, wanted)

    def follow(self, events: Sequence[Event]) -> None:
        """Update the books after ``events``."""
        at = 0
        while at < len(events):
            event = events[at]
            if isinstance(event, CertificatesMoved):
                moves = self._together(event.company, events[at:])
                at += len(moves)
                told = _told(event.company, events[at:]) or _told(event.company, events[: at - len(moves)][::-1])
                self._moved(event.company, moves, told)
                continue
            if isinstance(event, Merged):
                self._formed(event)
                if len(event.companies) == 1:
                    events = (*events[: at + 1], *self._listed(event.company, events[at + 1 :]))
            elif isinstance(event, CertificatesSet):
                self._set(event)
            elif isinstance(event, CompanyLeft):
                self._at.pop(event.company, None)
            at += 1
        self._named = (CompanyId(""), ())

    def _listed(self, company: CompanyId, events: Sequence[Event]) -> list[Event]:
        """The events of a transformation in the site's order: certificates go to players first, then to companies in
        the title's order, then to the pool."""
        companies = list(self.title.companies)

        def rank(event: CertificatesMoved) -> int:
            target = event.target
            return (
                -1
                if event.kind == DIRECTOR_KIND
                else companies.index(CompanyId(target)) + 1
                if target in companies
                else 0
            )

        moves = [e for e in events if isinstance(e, CertificatesMoved) and e.company == company]
        ordered = iter(sorted(moves, key=lambda e: len(companies) + 1 if e.target == POOL else rank(e)))
        return [next(ordered) if isinstance(e, CertificatesMoved) and e.company == company else e for e in events]

    def _together(self, company: CompanyId, events: Sequence[Event]) -> list[CertificatesMoved]:
        return [
            event
            for event in takewhile(lambda e: isinstance(e, CertificatesMoved) and e.company == company, events)
            if isinstance(event, CertificatesMoved)
        ]

    def _moved(self, company: CompanyId, moves: Sequence[CertificatesMoved], told: Told | None) -> None:
        """Record certificates of one company that have moved together. The site moves them one after the other."""
        director = next((m for m in moves if m.kind == DIRECTOR_KIND and m.source != self.title.unsold), None)
        named = [i for i in self._named[1] if i != DIRECTOR] if self._named[0] == company else []
        if director is not None and isinstance(told, Bought) and told.player == director.target:
            place = {"treasury": self.title.unsold, "pool": POOL}.get(told.source, told.source)
            self._bought(company, director, place, told.count, named)
        elif director is not None and isinstance(told, Exchanged) and told.holder == director.target:
            self._bought(company, director, self.title.unsold, 1, [])
        elif director is not None and isinstance(told, Sold) and self._names(company, told.player, director):
            self._sold(company, director, told, named)
        else:
            for move in moves:
                if move.kind == DIRECTOR_KIND and isinstance(told, Exchanged):
                    self._turn_pairs(move, told)
                self._move(move)

    def _names(self, company: CompanyId, seller: str, director: CertificatesMoved) -> bool:
        """True if the action names the certificates that the director sells."""
        return seller == director.source and self._named[0] == company and bool(self._named[1])

    def _bought(
        self, company: CompanyId, director: CertificatesMoved, place: str, count: int, named: list[int]
    ) -> None:
        """Record a purchase from ``place`` that makes the buyer director. He exchanges his first two certificates for
        the director's, unless he buys that one."""
        old, buyer = director.source, director.target
        if self._named[0] == company and DIRECTOR in self._named[1]:
            self._carry(company, named, buyer)
            back = len(named) + WORTH - count  # perhaps half of it was bought
            if back > 0 and old != POOL:  # the site changes the certificates of the buyer for themselves
                self._carry(company, self._ordinary(company, buyer)[:WORTH], buyer)
        else:
            self._carry(company, (named or self._ordinary(company, place))[:count], buyer)
            back = WORTH
        self._carry(company, self._ordinary(company, buyer)[: max(0, back)], old)
        self._carry(company, [DIRECTOR], buyer)

    def _sold(self, company: CompanyId, director: CertificatesMoved, told: Sold, named: list[int]) -> None:
        """Record a sale that makes another holder director. If the director's certificate was sold, the new director
        gives his first two certificates to the pool, and the pool gives its first to a seller who keeps half of it.
        Otherwise he gives them to the former director."""
        old, new, sells = director.source, director.target, DIRECTOR in self._named[1]
        self._carry(company, named, POOL)
        if new != POOL:
            self._carry(company, self._ordinary(company, new)[:WORTH], POOL if sells else old)
        back = len(named) + WORTH - told.count if sells else 0
        self._carry(company, self._ordinary(company, POOL)[: max(0, back)], old)
        self._carry(company, [DIRECTOR], new)

    # ---- the books ------------------------------------------------------------------------------------------------

    def _places(self, company: CompanyId) -> dict[str, list[int]]:
        if company not in self._at:
            certificates = self.title.companies[company].charter.certificates
            number = sum(count for _, count in certificates.values())
            self._at[company] = {self.title.unsold: list(range(number))}
        return self._at[company]

    def _ordinary(self, company: CompanyId, place: str) -> list[int]:
        return [i for i in self._places(company).get(place, ()) if i != DIRECTOR]

    def _carry(self, company: CompanyId, indices: Sequence[int], target: str) -> None:
        places = self._places(company)
        for index in indices:
            for there in places.values():
                if index in there:
                    there.remove(index)
            places.setdefault(target, []).append(index)

    def _lies(self, company: CompanyId, index: int, place: str) -> None:
        """Correct the books: certificate ``index`` lies in ``place``, and another one lies where it was thought to
        be."""
        places = self._places(company)
        thought = self.place_of(company, f"{company}_{index}")
        there = places.setdefault(place, [])
        if thought == place or index == DIRECTOR:
            return
        other = next((i for i in there if i != DIRECTOR), None)
        if other is not None:
            there[there.index(other)] = index
            places[thought][places[thought].index(index)] = other

    def _move(self, move: CertificatesMoved) -> None:
        there = self._places(move.company).get(move.source, [])
        fitting = [i for i in there if (i == DIRECTOR) == (move.kind == DIRECTOR_KIND)]
        if self._named[0] == move.company:
            fitting.sort(key=lambda i: i not in self._named[1])
        self._carry(move.company, fitting[: move.count], move.target)

    def _formed(self, event: Merged) -> None:
        """Note whether old shares are exchanged in pairs, as in mergers of majors."""
        kinds = {self.title.companies[part].charter.kind for part in event.companies}
        self._pairs.discard(event.company)
        if len(event.companies) > 1 and kinds == {MAJOR}:
            self._pairs.add(event.company)

    def _turn_pairs(self, move: CertificatesMoved, told: Exchanged) -> None:
        """Follow a holder who gets the director's certificate for pairs. On the site he first gets two ordinary ones
        and exchanges them for it, so that they come last among the unsold. A holder who pays for it gets it at once."""
        company, unsold = move.company, self.title.unsold
        if company in self._pairs and move.source == unsold and told.money >= 0:
            self._carry(company, self._ordinary(company, unsold)[:WORTH], unsold)

    def _set(self, event: CertificatesSet) -> None:
        """Deal the certificates of a company anew."""
        ordinary = iter(range(DIRECTOR + 1, 1000))
        places: dict[str, list[int]] = {}
        for place, kind, count in event.holdings:
            indices = [DIRECTOR] if kind == DIRECTOR_KIND else [next(ordinary) for _ in range(count)]
            places.setdefault(place, []).extend(indices)
        self._at[event.company] = places


def _told(company: CompanyId, events: Sequence[Event]) -> Told | None:
    """The first of ``events`` that reports certificates of the company; None if there is none."""
    return next((e for e in events if isinstance(e, Bought | Sold | Exchanged) and e.company == company), None)
