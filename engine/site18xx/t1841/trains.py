"""Trains by the numbers of 18xx.games, with their owners: ``3-1`` is the second of the 3-trains."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.core.events import Event, TrainMoved, TrainsRusted
from engine.core.ids import BANK, POOL, CompanyId, TrainName


@dataclass(slots=True)
class Trains:
    """The owners of all trains that have been sold, by number: a company or the pool."""

    _owners: dict[str, str] = field(default_factory=dict)
    _given_up: dict[str, list[str]] = field(default_factory=dict)
    """Trains that a company gave up because it had no choice. The record has yet to say which of equal ones they
    are."""

    def follow(self, events: Iterable[Event], number: str = "") -> None:
        """Update the owners after ``events``. ``number``: the train that has just been bought or given up."""
        for event in events:
            if isinstance(event, TrainsRusted):
                self._owners = {n: o for n, o in self._owners.items() if train_type(n) != event.train}
            elif isinstance(event, TrainMoved):
                self._moved(event, number)

    def _moved(self, event: TrainMoved, number: str) -> None:
        if event.source == BANK:
            if number and number not in self._owners:
                self._owners[number] = event.target
            return
        chosen = self._owners.get(number) == event.source and train_type(number) == event.train
        found = number if chosen else self.like(event.source, event.train)
        if found is None:
            return
        del self._owners[found]
        if event.target:
            self._owners[found] = event.target  # at the end of what its new owner has
        if not chosen and event.target == POOL:
            self._given_up.setdefault(event.source, []).append(found)

    def like(self, owner: str, train: TrainName) -> str | None:
        """The number of a train of this type that ``owner`` has: of several the last, as the site takes them; None if
        it has none."""
        return next((n for n, o in reversed(self._owners.items()) if o == owner and train_type(n) == train), None)

    def owner(self, number: str, not_of: str = "") -> str:
        """The owner of the train; the bank while it is new. ``not_of``: somebody else is known to own the train. If the
        books name this owner, it was taken for another train of its type, and the two are exchanged."""
        owner = self._owners.get(number, BANK)
        if owner != not_of:
            return owner
        others = [n for n, o in self._owners.items() if train_type(n) == train_type(number) and o != owner]
        if others:
            self._owners[number], self._owners[others[0]] = self._owners[others[0]], owner
        return self._owners[number]

    def waits(self, company: CompanyId) -> bool:
        """True if the company has given up a train without a choice, and the record has yet to name it."""
        return bool(self._given_up.get(company))

    def named(self, company: CompanyId, number: str) -> bool:
        """True if ``number``, which the record gives up, is a train that went without a choice, or one of the same
        type."""
        gone = self._given_up.get(company, [])
        like = next((n for n in (number, *gone) if n in gone and train_type(n) == train_type(number)), None)
        if like is None:
            return False
        gone.remove(like)
        if like != number:
            self._owners[like], self._owners[number] = self._owners[number], self._owners[like]
        return True


def train_type(number: str) -> TrainName:
    """The type of a train, from its number."""
    return TrainName(number.rsplit("-", 1)[0])
