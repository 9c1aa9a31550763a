"""Trains by the numbers that 18xx.games gives them, for games that are written as its records: who has each of them.

``3-1`` is the second card of the 3-trains, whichever side it shows. New ones are sold in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field

from engine.core.events import Event, TrainMoved, TrainsFlipped, TrainsRusted
from engine.core.ids import BANK, TrainName

Card = tuple[str, TrainName]
"""The number of a card, and the side that lies up."""


@dataclass(slots=True)
class Roster:
    """``card_of``: side -> type of its card. ``aside``: side -> the number of a card that is never for sale.
    ``latest``: of several that are alike the one goes that its owner got last, not the one that he has had longest."""

    card_of: Callable[[str], str] = str
    aside: Mapping[str, str] = field(default_factory=dict)
    latest: bool = False
    _owners: dict[str, list[Card]] = field(default_factory=dict)
    _sold: dict[str, int] = field(default_factory=dict)

    def of(self, owner: str) -> list[Card]:
        """The trains of an owner, in the order in which he got them."""
        return self._owners.setdefault(owner, [])

    def copy(self) -> Roster:
        """All of it, to go back to."""
        return deepcopy(self)

    def like(self, owner: str, side: str) -> str:
        """The number of a train of ``owner`` that shows ``side``; of a new one from the bank."""
        if owner == BANK:
            return self._new(side)
        alike = [number for number, shown in self.of(owner) if shown == side]
        return alike[-1 if self.latest else 0]

    def follow(self, events: Iterable[Event]) -> list[tuple[str, str, str]]:
        """Keep up with what has happened: the trains that have moved between owners as (number, source, target)."""
        moved = []
        for event in events:
            if isinstance(event, TrainsFlipped):
                self._turn(event.train, event.into)
            elif isinstance(event, TrainsRusted):
                for owner, cards in self._owners.items():
                    self._owners[owner] = [card for card in cards if card[1] != event.train]
            elif isinstance(event, TrainMoved):
                number = self._moved(event)
                moved.append((number, event.source, event.target))
        return moved

    def _moved(self, event: TrainMoved) -> str:
        number = self.like(event.source, event.train) if event.source else self.aside[event.train]
        if event.source == BANK:
            card = self.card_of(event.train)
            self._sold[card] = self._next(card) + 1
        elif event.source:
            self.of(event.source).remove((number, event.train))
        if event.target:
            self.of(event.target).append((number, event.train))
        return number

    def _new(self, side: str) -> str:
        card = self.card_of(side)
        return f"{card}-{self._next(card)}"

    def _next(self, card: str) -> int:
        number = self._sold.get(card, 0)
        while f"{card}-{number}" in self.aside.values():
            number += 1
        return number

    def _turn(self, side: TrainName, into: TrainName) -> None:
        for owner, cards in self._owners.items():
            self._owners[owner] = [(number, into if shown == side else shown) for number, shown in cards]
