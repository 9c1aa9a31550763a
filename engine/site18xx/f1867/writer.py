"""Games of 1861 and its cousins as records of 18xx.games: conversion of our orders to the site's actions.
``converter`` reads such records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from engine.acts.act import turn_in
from engine.acts.lay_track import Laid
from engine.acts.turns import Turns
from engine.core import decide
from engine.core.agenda import Range
from engine.core.events import Event, Restored
from engine.core.game import Game
from engine.core.ids import BANK, POOL, TREASURY, CompanyId, HexId, PlayerId
from engine.core.orders import (
    Bid,
    Buy,
    Convert,
    Decline,
    Discard,
    Keep,
    Lay,
    Merge,
    Nationalise,
    Open,
    Order,
    Redeem,
    Sell,
    Settle,
    Start,
    Take,
    Train,
)
from engine.core.state import State
from engine.families.f1867.stock.share_offers import OpenOffers, ShareOffers
from engine.families.f1867.stock.starts import PUBLIC_START_MARKS
from engine.families.f1867.turn.company_turn import TURNS
from engine.site18xx.certificates import names
from engine.site18xx.f1867.auction import asked_there
from engine.site18xx.f1867.certificates import SiteBooks
from engine.site18xx.f1867.converter import PAYMENTS
from engine.site18xx.f1867.formation import given_up
from engine.site18xx.f1867.mergers import left_out, more_could_join
from engine.site18xx.f1867.privates import drawn
from engine.site18xx.f1867.steps import STEPS, lays_there
from engine.site18xx.roster import Roster
from engine.site18xx.sheet import Action, NotForTheSite, Sheet, carried_out
from engine.site18xx.slots import Slots
from engine.site18xx.steps import SiteStep, SiteTurns
from engine.site18xx.writer import SiteWriter
from engine.steps.auction import Auction

MOST_SEEDS = 10_000
"""Upper end of the search for a number by which the site removes the right privates. One in ten does."""


@dataclass(slots=True)
class FamilyWriter(SiteWriter):
    """Writes the actions of a game of 1861 or a cousin.

    ``PRIVATES``: in the order in which the site draws lots for them. ``TURNS``: of companies,
    ours.
    ``PRINTED``: the site's numbers of printed hexes, where it does not count them in the order of their names.
    """

    PAYMENTS: ClassVar[Mapping[str, str]] = PAYMENTS
    PRIVATES: ClassVar[Sequence[str]]
    TURNS: ClassVar[Turns] = TURNS
    PRINTED: ClassVar[Mapping[HexId, int]] = {}

    _books: SiteBooks = field(init=False)
    _late: list[Action] = field(default_factory=list)
    """Actions that discard trains of a new company. The site asks for them after its shares have been offered."""
    _before_merger: tuple[int, SiteBooks, Roster, Slots] | None = None
    """Number of actions before the last merger or conversion, and the state of certificates, trains and slots then."""

    def __post_init__(self) -> None:
        self.sheet = Sheet(self.game, self.players, slots=Slots(first_free=True), printed=self.PRINTED)
        self.sheet.slots.begin(self.game.at(0))
        self._trains, self._books = Roster(), SiteBooks(self.game.title)
        self._turns = SiteTurns(self.sheet, self.TURNS, self._steps())

    @classmethod
    def seed(cls, game: Game) -> int:
        """A game number by which the site removes the privates that are not in this game; 1 if all are in play."""
        stay = game.setup.privates or tuple(p for p in cls.PRIVATES if p in game.at(0).privates)
        if len(stay) == len(cls.PRIVATES):
            return 1
        return next(seed for seed in range(1, MOST_SEEDS) if set(drawn(cls.PRIVATES, seed)) == set(stay))

    def _steps(self) -> Sequence[SiteStep]:
        """The site's steps in a company's turn."""
        return STEPS

    def write(self) -> list[Action]:
        """Return all actions in order. Raises ``NotForTheSite`` for an order for which the site has no action."""
        title = self.game.title
        for order, before, events, after in self.sheet.steps():
            self._turns.go_on_to(order, before, events)
            order = carried_out(order, events)
            if order is not None:
                self.sheet.emit(self._actions(order, before, events))
            self._follow(order, before, events, after)
            asked = (*left_out(title, order, before, events), *asked_there(title, before, events))
            self.sheet.emit(self.sheet.by(actor, "pass") for actor in asked)
        return self.sheet.actions

    def _follow(self, order: Order | None, before: State, events: Sequence[Event], after: State) -> None:
        if any(isinstance(e, Restored) for e in events) and self._before_merger is not None:
            number, self._books, self._trains, self.sheet.slots = self._before_merger
            del self.sheet.actions[number:]  # on the site the players have to take such a merger back
            self._late = []
            return
        offering = _offering(after)
        forming = offering or isinstance(order, Merge | Convert | Keep)
        given_up = [
            self.sheet.by(source, "discard_train", train=number)
            for number, source, target in self._trains.follow(events)
            if target == POOL and source != BANK and not (isinstance(order, Discard | Train) and not forming)
        ]
        (self._late.extend if forming else self.sheet.emit)(given_up)
        if not offering and self._late:
            late, self._late = self._late, []
            self.sheet.emit(late)
        self._books.follow(events)
        self.sheet.slots.follow(events, after)

    # ---- actions --------------------------------------------------------------------------------------------------

    def _actions(self, order: Order, before: State, events: Sequence[Event]) -> list[Action]:
        by = self.sheet.by
        match order:
            case Open():
                return self._open(order, before)
            case Bid():
                return [self._bid(order, before)]
            case Discard() if _offering(before):
                return []  # the site asks for it after the shares have been offered
            case Settle() | Decline():
                return [by(order.actor, "pass")]
            case Sell():
                sold = self._given(order.company, order.actor, order.count)
                return [by(order.actor, "sell_shares", shares=sold, percent=10 * order.count)]
            case Buy():
                in_treasury = order.source != "pool" and bool(self._books.given(order.company, TREASURY, 1, "ordinary"))
                place = TREASURY if in_treasury else POOL
                bought = self._given(order.company, place, 1)
                return [by(order.actor, "buy_shares", shares=bought, percent=10)]
            case Redeem():
                own = self._given(CompanyId(order.actor), POOL, order.count)
                return [by(order.actor, "buy_shares", shares=own, percent=10 * order.count)]
            case Start():
                return self._start(order, before)
            case Take():
                return self._take(order, before)
            case Convert() | Merge():
                return self._merge(order, before)
            case Keep():
                return [
                    by(order.actor, "remove_token", city=self.sheet.piles.city(e.hex, e.city), slot=slot)
                    for e, slot in given_up(self.sheet.slots, events)
                ]
            case _:
                return self._in_turn(order, before, events)

    def _given(self, company: CompanyId, place: str, count: int) -> list[str]:
        """The certificates that a place gives for so many shares; they are noted in the books."""
        given = self._books.given(company, place, count)
        self._books.name(company, given)
        return names(company, given)

    def _in_turn(self, order: Order, before: State, events: Sequence[Event]) -> list[Action]:
        """The actions for an order in a company's turn and for a few other orders of companies."""
        by, actor = self.sheet.by, order.actor
        match order:
            case Lay():
                turn = turn_in(before)
                laid = 0 if turn is None else len(turn.note(Laid).hexes)
                if not lays_there(self.game.title, before, CompanyId(actor), laid):
                    raise NotForTheSite(f"18xx.games lets {actor} lay no tile: it has more loans than its limit")
            case Nationalise():
                return [by(actor, "choose", choice="nationalize") if order.yes else by(actor, "pass")]
        return self._usual(order, before, events)

    def _open(self, order: Open, before: State) -> list[Action]:
        """The actions for the bid that opens an auction."""
        return [self._bid(order, before)]

    def _bid(self, order: Open | Bid, before: State) -> Action:
        item, price = order.item, order.amount
        if isinstance(before.top, Auction):
            item = CompanyId(before.top.item)
        elif item is None or price is None:
            ask = decide.asked(self.game.title, before)[0]
            item, price = CompanyId(ask.about[0]), price or int(ask.about[1])
        if item in self.game.title.privates:
            return self.sheet.by(order.actor, "bid", company=item, price=price)
        return self.sheet.by(order.actor, "bid", corporation=self.sheet.company(str(item)), price=price)

    def _start(self, order: Start, before: State) -> list[Action]:
        cell = self.game.title.chart.start_cell(order.price, *PUBLIC_START_MARKS)
        if cell is None or order.space is None:
            raise NotForTheSite(f"18xx.games cannot start {order.company} so")
        price = f"{order.price},{cell[0]},{cell[1]}"
        par = self.sheet.by(order.actor, "par", corporation=self.sheet.company(order.company), share_price=price)
        return [par, self.sheet.place(order.company, order.space, before)]

    def _take(self, order: Take, before: State) -> list[Action]:
        """A purchase for each share, then a pass if the player could take more."""
        frame, player = before.top, PlayerId(order.actor)
        ask = decide.ask_for(self.game.title, before, player)
        assert isinstance(frame, ShareOffers | OpenOffers) and ask is not None
        most = max(c.high if isinstance(c, Range) else 0 for c in decide.menu(self.game.title, before, ask))
        numbers = self._books.given_one_by_one(frame.company, TREASURY, player, order.count)
        self._books.name(frame.company, numbers)
        taken = [self.sheet.by(player, "buy_shares", shares=[n], percent=10) for n in names(frame.company, numbers)]
        over = isinstance(frame, OpenOffers) or order.count == most or (order.count and not frame.holders)
        return taken if over else [*taken, self.sheet.by(player, "pass")]

    def _merge(self, order: Merge | Convert, before: State) -> list[Action]:
        """The actions of a conversion or merger: the minors one by one, then the new company."""
        actor, into = order.actor, self.sheet.company(order.into)
        kept = self._books.copy(), self._trains.copy(), self.sheet.slots.copy()
        self._before_merger = (len(self.sheet.actions), *kept)
        last = self.sheet.by(actor, "merge", corporation=into)
        if isinstance(order, Convert):
            return [self.sheet.by(actor, "convert"), last]
        title = self.game.title
        others = [self.sheet.by(actor, "merge", corporation=self.sheet.company(minor)) for minor in order.minors]
        more = [self.sheet.by(actor, "pass")] if more_could_join(title, before, (actor, *order.minors)) else []
        return [*others, *more, last]


def _offering(state: State) -> bool:
    """True while the shares of a new company are being offered, or will be as soon as it has its markers and trains."""
    return any(isinstance(frame, ShareOffers | OpenOffers) for frame in state.agenda)
