"""Places for markers in cities, as 18xx.games numbers them: who stands in each of them.

A marker takes the first free place unless the record names another. When a tile is laid, the site places all markers of
the hex again, each in the first place that is free.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from engine.core.events import Event, MarkerPlaced, MarkerRemoved, MarkerReplaced, TileLaid
from engine.core.ids import CompanyId, HexId
from engine.core.state import State

City: TypeAlias = tuple[HexId, int]


@dataclass(slots=True)
class Slots:
    """City -> the companies in its places, None where one is free. ``first_free``: in this title a marker that takes
    another's place goes to the first free one; elsewhere it takes this very one."""

    first_free: bool = False
    _there: dict[City, list[CompanyId | None]] = field(default_factory=dict)

    def begin(self, state: State) -> None:
        """Note the markers that stand on the map before the first order."""
        for hex in state.board.map.hexes:
            for index, there in enumerate(state.board.circles(hex)):
                for company in there:
                    self._place((hex, index), company, None)

    def follow(self, events: Iterable[Event], state: State, slot: int | None = None) -> None:
        """Keep up with ``events``, after which the position is ``state``. ``slot``: where the action at hand puts a
        marker."""
        for event in events:
            if isinstance(event, MarkerPlaced):
                self._place((event.hex, event.city), event.company, slot)
            elif isinstance(event, MarkerRemoved):
                self._replace((event.hex, event.city), event.company, None)
            elif isinstance(event, MarkerReplaced):
                self._replace((event.hex, event.city), event.old, event.company)
            elif isinstance(event, TileLaid):
                self._place_again(event.hex, state)

    def copy(self) -> Slots:
        """All of it, to go back to."""
        return replace(self, _there=deepcopy(self._there))

    def at(self, city: City, slot: int) -> CompanyId | None:
        """The company in the place."""
        there = self._there.get(city, [])
        return there[slot] if slot < len(there) else None

    def free(self, city: City) -> int:
        """The first place of the city in which nobody stands."""
        there = self._there.get(city, [])
        return next((i for i, other in enumerate(there) if other is None), len(there))

    def open_to(self, city: City, company: CompanyId, state: State, kept: int) -> int:
        """The first place that ``company`` may take. The ``kept`` ones come first."""
        return self.free(city) + kept

    def of(self, city: City, company: CompanyId) -> int:
        """The place of the company's marker."""
        there = self._there.get(city, [])
        return there.index(company) if company in there else 0

    def exchanged(self, city: City, minors: Sequence[CompanyId]) -> dict[CompanyId, int]:
        """Where the markers stand that one company puts, in this order, for those of ``minors`` in the city: each takes
        the first place that is free once the old one has gone."""
        there, at = list(self._there.get(city, [])), dict[CompanyId, int]()
        for minor in minors:
            if minor in there:
                there[there.index(minor)] = None
            at[minor] = there.index(None) if None in there else len(there)
            there[at[minor] : at[minor] + 1] = [CompanyId("")]
        return at

    def _place(self, city: City, company: CompanyId, slot: int | None) -> None:
        there = self._there.setdefault(city, [])
        at = self.free(city) if slot is None or (slot < len(there) and there[slot] is not None) else slot
        there.extend([None] * (at + 1 - len(there)))
        there[at] = company

    def _replace(self, city: City, old: CompanyId, new: CompanyId | None) -> None:
        there = self._there.get(city, [])
        if old not in there:
            return
        at = there.index(old)
        there[at] = None
        if new is not None and self.first_free:
            self._settle(city, new)
        else:
            there[at] = new

    def _place_again(self, hex: HexId, state: State) -> None:
        """Place the markers of a hex again, whose tile may have joined its cities, in the order of their places."""
        cities = sorted(city for city in self._there if city[0] == hex)
        before = [c for city in cities for c in self._there.pop(city) if c is not None]
        for index, there in enumerate(state.board.circles(hex)):
            kept = self._kept((hex, index), state)
            for company in before:
                if company in there:
                    self._settle((hex, index), company, kept)

    def _settle(self, city: City, company: CompanyId, kept: Sequence[int] = ()) -> None:
        """Put a marker in the first place that is free and not ``kept``."""
        there = self._there.setdefault(city, [])
        at = next(n for n in range(len(there) + len(kept) + 1) if n not in kept and there[n : n + 1] in ([], [None]))
        there.extend([None] * (at + 1 - len(there)))
        there[at] = company

    def _kept(self, city: City, state: State) -> Sequence[int]:
        """Places that no marker takes when a tile is laid."""
        return ()
