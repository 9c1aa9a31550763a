"""Certificates of public companies as 18xx.games numbers them, used to write games as its records.

``MK_3`` is an ordinary certificate; 0 is the director's. An action names the certificates that it moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

from engine.core.ids import POOL, TREASURY, CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import ordinary_kind
from engine.holders.control import count
from engine.titles.t1861.site_shares import ORDINARY

Places = dict[str, list[str]]


@dataclass(slots=True)
class Numbers:
    """Maps company and place to the numbers of ordinary certificates there, in order of arrival."""

    title: Title
    players: Sequence[PlayerId]
    _at: dict[CompanyId, Places] = field(default_factory=dict)

    def copy(self) -> Numbers:
        """Return a deep copy, so that a merger can be undone."""
        return replace(self, _at=deepcopy(self._at))

    def begin(self, company: CompanyId, owners: Sequence[str] = ()) -> None:
        """Note that the company is started, or formed from minors with these ``owners``, in operating order. Each owner
        gets the last certificate of the treasury. The first with two exchanges them for the director's certificate."""
        places: Places = {TREASURY: [f"{company}_{n}" for n in range(1, ORDINARY + 1)]}
        led = False
        for owner in owners:
            held = places.setdefault(owner, [])
            if not led and len(held) == 1:
                places[TREASURY].append(held.pop())
                led = True
            else:
                held.append(places[TREASURY].pop())
        self._at[company] = places

    def of(self, company: CompanyId, place: str) -> list[str]:
        """The numbers of the company's certificates in a place."""
        return self._at[company].setdefault(place, [])

    def move(self, company: CompanyId, number: int, source: str, target: str) -> list[str]:
        """Move the first ``number`` certificates and return their numbers. If one is missing, the share comes from the
        director's certificate, which is then named as well."""
        moved = self.of(company, source)[:number]
        del self.of(company, source)[:number]
        self.of(company, target).extend(moved)
        return moved if len(moved) == number else [*moved, f"{company}_0"]

    def take(self, company: CompanyId, player: PlayerId, led: bool) -> str:
        """Give the first certificate of the treasury to a player in an offer and return its number. If the company has
        no director, a player with two certificates exchanges them for the director's."""
        treasury, own = self.of(company, TREASURY), self.of(company, player)
        taken = treasury.pop(0)
        if not led and len(own) == 1:
            treasury += [own.pop(), taken]
        else:
            own.append(taken)
        return taken

    def follow(self, after: State) -> None:
        """Follow the other moves, which new directors cause: between players and pool, never with the treasury."""
        for company, places in self._at.items():
            if after.companies[company].status != "open":
                continue
            kind = ordinary_kind(self.title, after, company)
            wanted = {p: count(after, p, company, kind) for p in (*self.players, POOL, TREASURY)}
            spare: list[str] = []
            for place, number in wanted.items():
                there = places.setdefault(place, [])
                over = max(0, len(there) - number)
                spare += there[:over]
                del there[:over]
            for place, number in wanted.items():
                while len(places[place]) < number:
                    places[place].append(spare.pop(0))
