"""Games of the edition 18xx.games as records of the site: conversion of our orders to its actions. ``site`` reads such
records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from engine.acts.act import turn_in
from engine.core.events import CertificatesMoved, DebtChanged, DestinationReached, Event, Marked, Sold
from engine.core.ids import BANK, POOL
from engine.core.orders import (
    Bankrupt,
    Bid,
    Buy,
    BuyMountain,
    BuyTunnel,
    Discard,
    Keep,
    Order,
    Repay,
    Sell,
    Start,
    Tunnel,
    UsePrivate,
)
from engine.core.state import State
from engine.holders.charters import charter_of
from engine.site18xx.certificates import names
from engine.site18xx.roster import Roster
from engine.site18xx.shares import share_percent
from engine.site18xx.sheet import Action, NotForTheSite, Sheet, carried_out
from engine.site18xx.steps import SiteTurns
from engine.site18xx.t1844.certificates import SiteBooks
from engine.site18xx.t1844.converter import BENDS, PAYMENTS, SET_ASIDE
from engine.site18xx.t1844.steps import STEPS
from engine.site18xx.writer import SiteWriter
from engine.titles.t1844.names import OERLIKON, TUNNELS
from engine.titles.t1844.turn.company_turn import TURNS

EDITIONS = ("18xx.games",)
"""Editions that the site also plays."""
SHOWN = ("destination_from", "shared_mouths", "sales_in_turn")
"""Options that have no setting on the site, but that the record itself shows."""
CARDS = {"8H": "8E"}
"""Type of the card by its side, where it is not the name without the H."""
TRACK = "Place tile"
"""The choice that lays the fixed track of a private."""


def card_of(side: str) -> str:
    """Return the type of card that has this side."""
    return CARDS.get(side, side.removesuffix("H"))


@dataclass(slots=True)
class Writer(SiteWriter):
    """Writes the actions of a game of 1844."""

    PAYMENTS: ClassVar[Mapping[str, str]] = PAYMENTS

    _books: SiteBooks = field(init=False)

    def __post_init__(self) -> None:
        self.sheet = Sheet(self.game, self.players)
        self._trains = Roster(card_of, SET_ASIDE)
        self._books = SiteBooks(self.game.title)
        self._turns = SiteTurns(self.sheet, TURNS, STEPS)

    def write(self) -> list[Action]:
        """Return all actions in order. Raises ``NotForTheSite`` for an order for which the site has no action."""
        for order, before, events, after in self.sheet.steps():
            self._turns.go_on_to(order, before, events)
            order = carried_out(order, events)
            if order is not None:
                self.sheet.emit(self._actions(order, before, events))
            self._follow(order, events, after)
        self._turns.come_to(self.game.state)
        return self.sheet.actions

    def _follow(self, order: Order | None, events: Sequence[Event], after: State) -> None:
        """Follow the events, and write actions for trains lost without a choice and for destinations reached."""
        moved = self._trains.follow(events)
        if not isinstance(order, Discard):
            gone = [(number, source) for number, source, to in moved if to in ("", POOL) and source not in ("", BANK)]
            self.sheet.emit(self.sheet.by(source, "discard_train", train=number) for number, source in gone)
        self._books.follow(events)
        self.sheet.slots.follow(events, after)
        reached = [e.company for e in events if isinstance(e, DestinationReached)]
        if reached and order is not None and order.actor not in self.players and self.sheet.actions:
            turn = turn_in(after)
            operator = order.actor if turn is None else turn.company
            self.sheet.nest([self.sheet.by(operator, "destination_connection", corporations=reached)])

    # ---- actions --------------------------------------------------------------------------------------------------

    def _actions(self, order: Order, before: State, events: Sequence[Event]) -> list[Action]:
        by = self.sheet.by
        match order:
            case Bid():
                return [by(order.actor, "bid", company=before.top.item, price=order.amount)]  # type: ignore[attr-defined]
            case Start():
                return self._start(order, events)
            case Buy():
                return [self._buy(order, before, events)]
            case Sell():
                return [self._sell(order, before, events)]
            case Repay():
                return [by(order.actor, "payoff_player_debt")]
            case BuyMountain():
                bought = by(order.actor, "buy_company", company=order.mountain, price=self._face(order.mountain))
                panel = f"{order.panel}-{self.sheet.piles.take(order.panel)}"
                return [bought, by(order.mountain, "lay_tile", hex=order.hex, tile=panel, rotation=0)]
            case BuyTunnel():
                return [by(order.actor, "buy_company", company=order.tunnel, price=self._face(order.tunnel))]
            case UsePrivate(private=private) if private == OERLIKON:
                return [by(private, "choose_ability", choice=order.company)]
            case UsePrivate():
                self._check_moment(order, before)
                return [by(order.private, "choose_ability", choice=TRACK)]
            case _:
                return self._in_turn(order, before, events)

    def _in_turn(self, order: Order, before: State, events: Sequence[Event]) -> list[Action]:
        """The actions for an order in a company's turn and for a few other orders of companies."""
        by, actor = self.sheet.by, order.actor
        match order:
            case Tunnel():
                return [self._tunnel(order, before, events)]
            case Keep():
                return self.sheet.removed(actor, events)
            case Bankrupt():
                return [by(actor, "bankrupt")]
        return self._usual(order, before, events)

    def _check_moment(self, order: UsePrivate, before: State) -> None:
        """Raise ``NotForTheSite`` for a company's Furka-Oberalp at a moment that only we allow: on the site a company
        lays its track only in its own turn."""
        owner, turn = before.privates[order.private], turn_in(before)
        if owner in before.companies and (turn is None or turn.company != owner):
            raise NotForTheSite(
                f"18xx.games lets {owner} lay the track of its Furka-Oberalp only in its own turn, and here it did so"
                " at another moment"
            )

    def _start(self, order: Start, events: Iterable[Event]) -> list[Action]:
        """The action for a par and, for a debtor, the repayment that follows it."""
        chart = self.game.title.chart
        row, column = next(c for c in chart.cells_marked("par") if chart.price(c) == order.price)
        price = f"{order.price},{row},{column}"
        par = self.sheet.by(order.actor, "par", corporation=order.company, share_price=price)
        repaid = any(isinstance(e, DebtChanged) and e.player == order.actor and e.change < 0 for e in events)
        return [par, self.sheet.by(order.actor, "payoff_player_debt")] if repaid else [par]

    def _buy(self, order: Buy, before: State, events: Iterable[Event]) -> Action:
        moved = next(e for e in events if isinstance(e, CertificatesMoved) and e.target == order.actor)
        bought = self._books.given(moved.company, moved.source, 1, moved.kind)
        self._books.name(moved.company, bought)
        percent = charter_of(self.game.title, before, order.company).certificates[moved.kind][0].percent
        return self.sheet.by(order.actor, "buy_shares", shares=names(order.company, bought), percent=percent)

    def _sell(self, order: Sell, before: State, events: Sequence[Event]) -> Action:
        """The action for a sale. The director is the seller in a sale to pay for a company's train. The site names the
        price of a share of a company that has not operated, which falls before the sale."""
        title, seller = self.game.title, order.actor
        if seller not in self.players:
            director = title.policies.director(title, before, order.actor)  # type: ignore[arg-type]
            assert director is not None
            seller = director
        sold = self._books.sold(order.company, seller, events)
        self._books.name(order.company, sold)
        percent = order.count * share_percent(title, before, order.company)
        told = next(e for e in events if isinstance(e, Sold))
        turn = turn_in(before)
        operated = before.companies[order.company].operated or (turn is not None and turn.company == order.company)
        price = {} if operated else {"share_price": told.amount // told.count}
        return self.sheet.by(seller, "sell_shares", shares=names(order.company, sold), percent=percent, **price)

    def _face(self, paper: str) -> int:
        return next(p.face for p in self.game.title.privates.values() if p.id == paper)

    def _tunnel(self, order: Tunnel, before: State, events: Iterable[Event]) -> Action:
        used = next(e.value for e in events if isinstance(e, Marked) and e.key == TUNNELS)
        certificate = next(c for c in used if c not in before.marks.get(TUNNELS, {}))
        low, high = sorted(order.edges)
        tile = next((tile for tile, bend in BENDS.items() if bend == high - low), None)
        turned = low if tile is not None else high
        number = f"{tile or next(iter(BENDS))}-0"  # the site puts it back beside the map
        return self.sheet.by(certificate, "lay_tile", hex=order.hex, tile=number, rotation=turned)
