"""Purchases and sales of certificates in records of 18xx.games, as orders: the place, the kind and the number of
shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.core.ids import POOL, Actor, CompanyId, PlayerId
from engine.core.orders import Buy, BuyFrom, Sell
from engine.core.state import State
from engine.core.title import Title
from engine.holders.ledger import shares
from engine.site18xx.certificates import DIRECTOR, Books, index_of
from engine.site18xx.shares import shares_in

FROM_PLAYER: Final = "total_price"
"""The part of an action that only a purchase from a player has: the agreed price."""


@dataclass(slots=True)
class Certificates:
    """Converts purchases and sales to orders."""

    title: Title
    books: Books

    def purchase(self, state: State, buyer: Actor, company: CompanyId, action: Mapping[str, Any]) -> Buy | BuyFrom:
        """The purchase that an action makes."""
        numbers = action["shares"]
        place, count = self.books.place_of(company, numbers[0]), shares_in(self.title, state, company, action)
        if action.get(FROM_PLAYER) is not None:
            seller = self._seller(state, buyer, company, place, count)
            self.books.name(company, list(map(index_of, numbers)), seller)
            return BuyFrom(PlayerId(buyer), company, count, seller, int(action[FROM_PLAYER]))
        if place not in self._sources(state, company, numbers):
            place = next(iter(self._sources(state, company, numbers)), place)
        self.books.name(company, list(map(index_of, numbers)), place)
        director = DIRECTOR in map(index_of, numbers)
        return Buy(buyer, company, "pool" if place == POOL else "treasury", "director" if director else None)

    def sale(self, state: State, seller: Actor, company: CompanyId, action: Mapping[str, Any]) -> Sell:
        """The sale that an action makes. It may include only a part of the last certificate."""
        place = self.title.unsold if seller == company else seller
        self.books.name(company, list(map(index_of, action["shares"])), place)
        return Sell(seller, company, shares_in(self.title, state, company, action))

    def _seller(self, state: State, buyer: Actor, company: CompanyId, place: str, count: int) -> PlayerId:
        """The player who sells: the one who has the certificates as far as the record has shown, or another who has as
        many."""
        others = [p for p in state.players if p != buyer and shares(self.title, state, p, company) >= count]
        return next((p for p in others if p == place), others[0] if others else PlayerId(place))

    def _sources(self, state: State, company: CompanyId, numbers: Sequence[str]) -> list[str]:
        """The places where such a certificate can be bought."""
        director = DIRECTOR in map(index_of, numbers)
        kinds = [k for (p, c, k), n in state.holdings.items() if p == POOL and c == company and n]
        found = [POOL] if ("director" in kinds if director else any(k != "director" for k in kinds)) else []
        unsold = any(n for (p, c, k), n in state.holdings.items() if p == self.title.unsold and c == company)
        return [*found, self.title.unsold] if unsold else found
