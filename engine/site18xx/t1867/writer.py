"""Games of 1867 as records of 18xx.games, where they differ from those of its cousins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from engine.acts.turns import Turns
from engine.core.events import Event, TrainMoved, TrainsRusted
from engine.core.ids import BANK, CompanyId, HexId, TrainName
from engine.core.orders import Open, Order, Train
from engine.core.state import State
from engine.families.f1867.names import PUBLIC
from engine.holders.charters import charter_of
from engine.site18xx.f1867.writer import FamilyWriter
from engine.site18xx.sheet import Action
from engine.site18xx.steps import SiteStep
from engine.site18xx.t1867.converter import EDITION, OPTIONAL_RULES, PRIVATES
from engine.site18xx.t1867.steps import steps_with
from engine.titles.t1867.trade_in import TURNS, worth

EDITIONS = (EDITION,)
"""Editions that the site also plays."""
SHOWN = ("merger_fails",)
"""Options that have no setting on the site, but that the record itself shows."""
ALIKE = ("D8 F8 E13 E15 C17 I15 N12", "E17 D16 O7", "D2", "F16", "G15", "J12", "L12", "M9")
"""Cities that the site prints alike, in its order."""


@dataclass(slots=True)
class Writer(FamilyWriter):
    """Writes the actions of a game of 1867."""

    OPTIONAL_RULES: ClassVar[Mapping[str, tuple[str, str] | None]] = OPTIONAL_RULES
    PRIVATES: ClassVar[Sequence[str]] = PRIVATES
    TURNS: ClassVar[Turns] = TURNS
    PRINTED: ClassVar[Mapping[HexId, int]] = {HexId(hex): n for row in ALIKE for n, hex in enumerate(row.split())}

    _stranded: list[TrainName] = field(default_factory=list)
    """Trains of nationalised public companies. On the site they are still for sale until they rust."""

    def _steps(self) -> Sequence[SiteStep]:
        return steps_with(self._stranded)

    def _follow(self, order: Order | None, before: State, events: Sequence[Event], after: State) -> None:
        for event in events:
            if isinstance(event, TrainMoved) and not event.target and event.source != BANK:
                if charter_of(self.game.title, before, CompanyId(event.source)).kind == PUBLIC:
                    self._stranded.append(event.train)
            elif isinstance(event, TrainsRusted):
                self._stranded[:] = [train for train in self._stranded if train != event.train]
        FamilyWriter._follow(self, order, before, events, after)

    def _open(self, order: Open, before: State) -> list[Action]:
        """The bid and, for a minor, its home."""
        bid = self._bid(order, before)
        return [bid] if order.space is None else [bid, self.sheet.place(bid["corporation"], order.space, before)]

    def _train(self, order: Train) -> Action:
        """A purchase of a train, with the one that is given in part payment."""
        bought = FamilyWriter._train(self, order)
        if order.trade is None:
            return bought
        off = 0 if order.price is not None else worth(self.game.title, order.train, order.trade)
        given = self._trains.like(order.actor, order.trade)
        return {**bought, "price": bought["price"] - off, "exchange": given}
