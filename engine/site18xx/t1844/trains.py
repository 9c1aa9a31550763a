"""Trains as 18xx.games numbers them: ``3-1`` is the second card of the 3-trains, whichever side is up.

A record names cards, and an order names the side that is up. So every card that has been sold is tracked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from engine.core.events import Event, TrainMoved, TrainsFlipped, TrainsRusted
from engine.core.ids import BANK, POOL, CompanyId, TrainName
from engine.titles.t1844.names import OWN_5H

SET_ASIDE: Final = ("5-1", "5-2")
"""The cards that are not for sale: EVA and the SBB's own 5H."""


@dataclass(slots=True)
class Card:
    """``owner``: a company, the pool, or ``""`` once the train has left the game. ``side``: the side that is up."""

    owner: str
    side: TrainName


@dataclass(slots=True)
class Cards:
    """Tracks every card that has been sold."""

    _cards: dict[str, Card] = field(default_factory=dict)
    _given_up: dict[str, list[str]] = field(default_factory=dict)
    """Cards discarded without a choice, by company, until the record names the card among equal ones."""

    def follow(self, events: Iterable[Event], number: str = "") -> None:
        """Update the cards from ``events``. ``number``: the card that the record has just named, empty for none."""
        for event in events:
            if isinstance(event, TrainsFlipped):
                for card in self._cards.values():
                    card.side = event.into if card.side == event.train else card.side
            elif isinstance(event, TrainsRusted):
                self._cards = {n: card for n, card in self._cards.items() if card.side != event.train}
            elif isinstance(event, TrainMoved):
                self._moved(event, number)

    def _moved(self, event: TrainMoved, number: str) -> None:
        if not event.source:
            self._cards[SET_ASIDE[event.train == OWN_5H]] = Card(event.target, event.train)
        elif event.source == BANK:
            if number and number not in self._cards:
                self._cards[number] = Card(event.target, event.train)
        else:
            named = self._cards.get(number)
            chosen = named is not None and (named.owner, named.side) == (event.source, event.train)
            found = number if chosen else self._like(event.source, event.train)
            if found is not None:
                self._cards[found].owner = event.target
            if found is not None and not chosen and event.target in ("", POOL):
                self._given_up.setdefault(event.source, []).append(found)

    def _like(self, owner: str, side: TrainName) -> str | None:
        return next((n for n, card in self._cards.items() if (card.owner, card.side) == (owner, side)), None)

    def owner(self, number: str) -> str:
        """The owner of the card: a company, the pool, ``""`` for nobody, or the bank while the train is new."""
        card = self._cards.get(number)
        return BANK if card is None else card.owner

    def side(self, number: str) -> TrainName:
        """The side that is up; for a new train the normal side."""
        card = self._cards.get(number)
        return TrainName(number.rsplit("-", 1)[0]) if card is None else card.side

    def waits(self, company: CompanyId) -> bool:
        """True if the company has discarded a train without a choice and the record has yet to name it."""
        return bool(self._given_up.get(company))

    def named(self, company: CompanyId, number: str) -> bool:
        """Note that the record discards card ``number``. Returns True if this is one of the trains discarded without a
        choice, or an equal one."""
        gone = self._given_up.get(company, [])
        like = next((n for n in (number, *gone) if n in gone and self.side(n) == self.side(number)), None)
        if like is None:
            return False
        gone.remove(like)
        if like != number:
            self._cards[like], self._cards[number] = self._cards[number], self._cards[like]
        return True
