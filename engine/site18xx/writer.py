"""Games as records of 18xx.games: the actions that are written alike in every title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from engine.core.events import Event, Ran
from engine.core.game import Game
from engine.core.ids import BANK, PlayerId
from engine.core.orders import (
    BuyPrivate,
    Discard,
    Done,
    Drop,
    Lay,
    Order,
    Pass,
    Pay,
    Run,
    RunBest,
    Token,
    Train,
)
from engine.core.state import State
from engine.core.title import Title
from engine.site18xx.roster import Roster
from engine.site18xx.sheet import Action, NotForTheSite, Sheet
from engine.site18xx.steps import SiteTurns


@dataclass(slots=True)
class SiteWriter:
    """Writes the actions of ``game`` on ``sheet``. The writer of a title adds what is its own.

    ``PAYMENTS``: the site's word for a dividend -> ours. ``OPTIONAL_RULES``: the site's rule -> option and value, None
    for a rule that is an edition. ``SHOWS_SIDE``: the site names the side of a train that is bought second-hand, too.
    """

    PAYMENTS: ClassVar[Mapping[str, str]] = {}
    OPTIONAL_RULES: ClassVar[Mapping[str, tuple[str, str] | None]] = {}
    SHOWS_SIDE: ClassVar[bool] = True

    game: Game
    players: Mapping[PlayerId, int]
    sheet: Sheet = field(init=False)
    _trains: Roster = field(init=False)
    _turns: SiteTurns = field(init=False)

    @classmethod
    def rules(cls, title: Title, usual: Mapping[str, str]) -> list[str]:
        """The site's optional rules that the game uses. ``usual``: the options of the edition."""
        options = {rule: option for rule, option in cls.OPTIONAL_RULES.items() if option is not None}
        return [rule for rule, (name, value) in options.items() if usual[name] != value == title.options[name]]

    @staticmethod
    def seed(game: Game) -> int:
        """A game number by which the site draws lots. Where a title draws none, any number will do."""
        return 1

    def _usual(self, order: Order, before: State, events: Sequence[Event]) -> list[Action]:
        """The actions for an order that is written alike in every title. Raises ``NotForTheSite`` for another."""
        by, actor = self.sheet.by, order.actor
        match order:
            case Drop() | Pass():
                return [by(actor, "pass")]
            case Lay():
                return [self.sheet.lay(order.using or actor, order.tile, order.hex, order.rotation)]
            case Token():
                return [self.sheet.place(actor, order.space, before)]
            case Run() | RunBest():
                ran = next((e for e in events if isinstance(e, Ran)), None)
                run = self.sheet.runs(ran, before, self._trains.of(actor))
                return [] if run is None else [run]
            case Pay():
                return [by(actor, "dividend", kind=next(w for w, ours in self.PAYMENTS.items() if ours == order.kind))]
            case BuyPrivate():
                return [by(actor, "buy_company", company=order.private, price=order.price)]
            case Train():
                return [self._train(order)]
            case Discard():
                return [by(actor, "discard_train", train=self._trains.like(actor, order.train))]
            case Done():
                return []
        raise NotForTheSite(f"18xx.games has no action for {order}")

    def _train(self, order: Train) -> Action:
        source = order.source or BANK
        price = order.price if order.price is not None else self.game.title.trains[order.train].cost
        side = {"variant": order.train} if self.SHOWS_SIDE or source == BANK else {}
        number = self._trains.like(source, order.train)
        return self.sheet.by(order.actor, "buy_train", train=number, price=price, **side)
