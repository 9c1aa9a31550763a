"""The certificates of 1841 on 18xx.games: mergers, transformations and the Secession.

In a merger of two majors a holder gives his directors' certificates first, and then the others from the last on: those
of the company that merges count before those of the other. He gets those of the new company one by one, and exchanges
them for the director's as soon as he has enough. The stock of the IRSFF is dealt out from the last on, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core.events import CertificatesMoved, CompanyLeft, Divided, Exchanged, Merged
from engine.core.ids import POOL, CompanyId, Place
from engine.site18xx.certificates import DIRECTOR, Books, Deal, Item, Noted


@dataclass(slots=True)
class GivenUp(Deal):
    """Old certificates that a holder gives in a merger of ``parts`` for ``shares`` shares."""

    holder: Place = POOL
    parts: tuple[CompanyId, ...] = ()
    shares: int = 0


@dataclass(slots=True)
class Dealt(Deal):
    """The certificates of one company that ``owner``, which is divided, deals to its parts."""

    owner: Place = POOL


@dataclass(slots=True)
class SiteBooks(Books):
    """The certificates of each holder."""

    _merging: dict[CompanyId, tuple[CompanyId, ...]] = field(default_factory=dict)
    """Majors that are merging -> both, the one first that had the turn."""
    _formed: set[CompanyId] = field(default_factory=set)
    """Companies formed by mergers of majors."""

    # ---- the order of what happens --------------------------------------------------------------------------------

    def _arranged(self, items: list[Item]) -> list[Item]:
        found: list[Item] = []
        merging = dict(self._merging)
        at = 0
        while at < len(items):
            item, at = items[at], at + 1
            if isinstance(item, Deal) and item.company in merging:
                self._give(item, merging[item.company], found)
                continue
            found.append(item)
            if isinstance(item, Divided):
                at += (dealt := _stock(item, items[at:]))
                found += _by_company(item.company, items[at - dealt : at])
            elif isinstance(item, Merged) and len(item.companies) == 1:
                items[at:] = self._transformed(item.company, items[at:])
            elif isinstance(item, Merged):
                merging |= dict.fromkeys(item.companies, item.companies)
            elif isinstance(item, CompanyLeft):
                merging.pop(item.company, None)
        return found

    def _give(self, deal: Deal, parts: tuple[CompanyId, ...], found: list[Item]) -> None:
        """Add the old certificates that holders give in a merger to what they give of the other company."""
        for move in deal.moves:
            number = self._shares(move)
            holder, last = move.source, found[-1] if found else None
            if isinstance(last, GivenUp) and (last.holder, last.parts) == (holder, parts):
                last.shares += number
            else:
                found.append(GivenUp(deal.company, holder=holder, parts=parts, shares=number))

    def _transformed(self, company: CompanyId, items: Sequence[Item]) -> list[Item]:
        """The moves of a transformation in the site's order: the director's certificate, then what players get,
        companies in the title's order, and the pool."""
        companies = list(self.title.companies)

        def rank(deal: Deal) -> int:
            move = deal.moves[0]
            if move.target == POOL:
                return len(companies)
            players = move.kind == "director" or move.target not in companies
            return -(move.kind == "director") if players else companies.index(CompanyId(move.target)) + 1

        own = [one for one in items if isinstance(one, Deal) and one.company == company]
        moves = sorted((Deal(company, [move]) for one in own for move in one.moves), key=rank)
        return [*moves, *(one for one in items if one not in own)]

    # ---- what happens ---------------------------------------------------------------------------------------------

    def _happens(self, event: Noted, later: Sequence[Item]) -> None:
        if isinstance(event, Merged):
            self._formed.discard(event.company)
            if len(event.companies) > 1 and any(self._outside(part) for part in event.companies):
                self._formed.add(event.company)
                self._merging |= dict.fromkeys(event.companies, event.companies)
        elif isinstance(event, CompanyLeft):
            self._merging.pop(event.company, None)
        Books._happens(self, event, later)

    def _outside(self, company: CompanyId) -> bool:
        """True if somebody has certificates of the company."""
        return any(there for place, there in self._places(company).items() if place != self.title.unsold)

    def _carry_out(self, deal: Deal) -> None:
        match deal:
            case GivenUp():
                self._give_up(deal)
            case Dealt():
                self._deal_out(deal)
            case Deal(told=Exchanged() | None) if deal.director is not None and deal.director[1] != POOL:
                self._exchange(deal)
            case _:
                Books._carry_out(self, deal)

    def _give_up(self, deal: GivenUp) -> None:
        left = deal.shares
        for part in deal.parts:
            if left > 1 and DIRECTOR in self.lying(part, deal.holder):
                self._carry(part, [DIRECTOR], self.title.unsold)
                left -= self.worth(part, DIRECTOR)
        rest = [(part, i) for part in deal.parts for i in self._ordinary(part, deal.holder)]
        for part, index in rest[::-1][:left]:
            self._carry(part, [index], self.title.unsold)

    def _exchange(self, deal: Deal) -> None:
        """A holder becomes director, perhaps by an exchange."""
        assert deal.director is not None
        company, unsold, (old, new) = deal.company, self.title.unsold, deal.director
        ordinary = self._ordinary(company, unsold)
        taken = sum(move.count for move in deal.moves if move.source == unsold and move.kind != "director")
        if old != unsold and taken:  # he has more than the director now
            self._carry(company, ordinary[:taken], new)
            self._carry(company, self._price_of_office(company, new, deal), old)
            self._carry(company, [DIRECTOR], new)
            return
        back = sum(move.count for move in deal.moves if (move.source, move.target) == (new, unsold))
        number = self.worth(company, DIRECTOR) + taken - back
        bought = isinstance(deal.told, Exchanged) and deal.told.money < 0 and not back
        if old == unsold and company in self._formed and not bought and len(ordinary) >= number:
            self._first_director(company, ordinary[:number], new)
            return
        for move in deal.moves:
            self._move(move, deal.named)

    def _deal_out(self, deal: Dealt) -> None:
        """Each part gets its certificates directly. Whoever is director in the end exchanges his for the director's."""
        company, begun = deal.company, 0
        while begun < len(deal.moves):
            changed = deal.moves[begun].kind == "director"
            end = next((n for n in deal.changes if n > begun), len(deal.moves)) if changed else begun + 1
            change = Counter[Place]()
            for move in deal.moves[begun:end]:
                change[move.source] -= self._shares(move)
                change[move.target] += self._shares(move)
            for part in (place for place, number in change.items() if number > 0):
                self._deal_one(company, deal.owner, part, change[part])
            begun = end
        last = next((move.target for move in reversed(deal.moves) if move.kind == "director"), None)
        old = self.place_of(company, f"{company}_{DIRECTOR}")
        if last is not None and last != old:
            self._carry(company, self._price_of_office(company, last, deal), old)
            self._carry(company, [DIRECTOR], last)

    def _shares(self, move: CertificatesMoved) -> int:
        return move.count * (self.worth(move.company, DIRECTOR) if move.kind == "director" else 1)

    def _deal_one(self, company: CompanyId, owner: Place, part: Place, number: int) -> None:
        if number == self.worth(company, DIRECTOR) and DIRECTOR in self.lying(company, owner):
            self._carry(company, [DIRECTOR], part)
        else:
            self._carry(company, self._ordinary(company, owner)[::-1][:number], part)


def _stock(divided: Divided, items: Sequence[Item]) -> int:
    """The number of items that deal out the stock of the company that is divided."""
    for number, item in enumerate(items):
        if not isinstance(item, Deal) or item.company in (divided.company, *divided.parts):
            return number
    return len(items)


def _by_company(owner: Place, items: Sequence[Item]) -> list[Item]:
    found: dict[CompanyId, Dealt] = {}
    for item in items:
        assert isinstance(item, Deal)
        dealt = found.setdefault(item.company, Dealt(item.company, owner=owner))
        dealt.changes += [len(dealt.moves) + n for n in item.changes]
        dealt.moves += item.moves
    return list(found.values())
