"""Trains as 18xx.games numbers them, for records that are read: ``3-1`` is the second card of the 3-trains, whichever
side is up.

A record names cards, and an order names the side that is up. So every card that has been sold is tracked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.core.events import Event, TrainMoved, TrainsFlipped, TrainsRusted
from engine.core.ids import BANK, POOL, CompanyId, TrainName


@dataclass(slots=True)
class Card:
    """``owner``: a company, the pool, or ``""`` once the train has left the game. ``side``: the side that is up."""

    owner: str
    side: TrainName


@dataclass(slots=True)
class Cards:
    """Tracks every card that has been sold. ``aside``: side -> the number of a card that is never for sale. ``latest``:
    of several that are alike the one goes that its owner got last, not the one that he has had longest."""

    aside: Mapping[str, str] = field(default_factory=dict)
    latest: bool = False
    _cards: dict[str, Card] = field(default_factory=dict)
    """By number, in the order in which their owners got them."""
    _given_up: dict[str, list[str]] = field(default_factory=dict)
    """Cards given up without a choice, by company, until the record names the card among equal ones."""

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
            self._cards[self.aside[event.train]] = Card(event.target, event.train)
        elif event.source == BANK:
            if number and number not in self._cards:
                self._cards[number] = Card(event.target, event.train)
        else:
            named = self._cards.get(number)
            chosen = named is not None and (named.owner, named.side) == (event.source, event.train)
            found = number if chosen else self._like(event.source, event.train)
            if found is None:
                return
            del self._cards[found]
            self._cards[found] = Card(event.target, event.train)
            if not chosen and event.target in ("", POOL):
                self._given_up.setdefault(event.source, []).append(found)

    def _like(self, owner: str, side: TrainName) -> str | None:
        alike = [number for number, card in self._cards.items() if (card.owner, card.side) == (owner, side)]
        return alike[-1 if self.latest else 0] if alike else None

    def owner(self, number: str, not_of: str | None = None) -> str:
        """The owner of the card: a company, the pool, ``""`` for nobody, or the bank while the train is new.
        ``not_of``: somebody else is known to own it. If the books name this owner, it was taken for an equal card, and
        the two are exchanged."""
        owner = self._owner(number)
        if owner != not_of:
            return owner
        others = (n for n, card in self._cards.items() if card.side == self.side(number) and card.owner != owner)
        if (other := next(others, None)) is not None:
            self._exchange(number, other)
        return self._owner(number)

    def _owner(self, number: str) -> str:
        card = self._cards.get(number)
        return BANK if card is None else card.owner

    def side(self, number: str) -> TrainName:
        """The side that is up; for a new train the normal side."""
        card = self._cards.get(number)
        return train_type(number) if card is None else card.side

    def waits(self, company: CompanyId) -> bool:
        """True if the company has given up a train without a choice and the record has yet to name it."""
        return bool(self._given_up.get(company))

    def named(self, company: CompanyId, number: str) -> bool:
        """Note that the record gives up card ``number``. Returns True if this is one of the trains that went without a
        choice, or an equal one."""
        gone = self._given_up.get(company, [])
        like = next((n for n in (number, *gone) if n in gone and self.side(n) == self.side(number)), None)
        if like is None:
            return False
        gone.remove(like)
        if like != number:
            self._exchange(like, number)
        return True

    def _exchange(self, number: str, other: str) -> None:
        self._cards[number], self._cards[other] = self._cards[other], self._cards[number]


def train_type(number: str) -> TrainName:
    """The type of a train from its number: ``5+5E-1`` is a ``5+5E``."""
    return TrainName(number.rsplit("-", 1)[0])
