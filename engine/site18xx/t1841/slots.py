"""Places for tokens in the cities of 1841, as 18xx.games numbers them.

A token that takes the place of one that was bought goes to the first place that is free and not kept for the home of
another company, as after a new tile. After a merger or a secession it stays in the place of the old one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.core.events import Event, MarkerReplaced, Paid
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.site18xx.slots import City, Slots


@dataclass(slots=True, kw_only=True)
class SettlingSlots(Slots):
    """City -> the companies in its places, None where one is free."""

    title: Title

    def follow(self, events: Iterable[Event], state: State, slot: int | None = None) -> None:
        """Keep up with ``events``, after which the position is ``state``. ``slot``: the place that the action names."""
        paid: Event | None = None
        for event in events:
            if isinstance(event, MarkerReplaced) and _bought(event, paid):
                city = event.hex, event.city
                self._replace(city, event.old, None)
                self._settle(city, event.company, self._kept(city, state))
            else:
                Slots.follow(self, (event,), state, slot)
            paid = event

    def _kept(self, city: City, state: State) -> tuple[int, ...]:
        """The places of the city that are kept for companies not yet started: of cities that a tile has joined, each
        keeps the place with its own number."""
        hex, index = city
        board, title = state.board, self.title
        claims = {company for company, at in title.policies.reserved(title, state, hex, CompanyId("")) if at == index}
        printed = [n for n in range(len(title.map.hexes[hex].face.cities)) if board.home_city(hex, n) == index]
        homes = [home for company in claims for home in charter_of(title, state, company).homes]
        return tuple(printed.index(n) for at, n in homes if at == hex and n in printed)


def _bought(replaced: MarkerReplaced, before: Event | None) -> bool:
    """True if the token was bought: the payment comes right before."""
    return isinstance(before, Paid) and (before.payer, before.payee) == (replaced.company, replaced.old)
