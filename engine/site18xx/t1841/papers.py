"""Certificates that change hands, in games written as records of 18xx.games: purchases and sales with the numbers of
the certificates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.acts.act import turn_in
from engine.core.events import Bought, Event, PriceSet, Sold
from engine.core.ids import POOL, Actor, CompanyId, Place
from engine.core.orders import Buy, BuyFrom, Order, Sell, SellGroup
from engine.core.state import State
from engine.site18xx.certificates import names
from engine.site18xx.shares import share_percent
from engine.site18xx.sheet import Action, Sheet
from engine.site18xx.t1841.certificates import SiteBooks
from engine.site18xx.t1841.shares import FROM_PLAYER
from engine.site18xx.t1841.turn import HALF_PRICE
from engine.titles.t1841.mergers.token_orders import TokenPurchase


@dataclass(slots=True)
class Papers:
    """``sheet``: the sheet on which the actions are written."""

    sheet: Sheet
    books: SiteBooks = field(init=False)

    def __post_init__(self) -> None:
        self.books = SiteBooks(self.sheet.game.title)

    def follow(self, events: Sequence[Event]) -> None:
        """Update the books after ``events``."""
        self.books.follow(events)

    def actions(self, order: Order, before: State, events: Sequence[Event]) -> list[Action] | None:
        """The actions of a purchase or sale; None for another order."""
        match order:
            case Buy() | BuyFrom():
                return [self._buy(order, before, events)]
            case Sell():
                return [self._sell(order.actor, order.company, order.count, before, events)]
            case SellGroup():
                return [self._sell(order.actor, company, count, before, events) for company, count in order.sales]
        return None

    def _buy(self, order: Buy | BuyFrom, before: State, events: Sequence[Event]) -> Action:
        company = order.company
        told = next(e for e in events if isinstance(e, Bought) and e.company == company)
        place = self._place(told.source)
        director = isinstance(order, Buy) and order.certificate == "director"
        numbers = self.books.given(company, place, told.count, "director" if director else None)
        self.books.name(company, numbers, place)
        percent = told.count * share_percent(self.sheet.game.title, before, company)
        more = {FROM_PLAYER: order.price} if isinstance(order, BuyFrom) else {}
        return self.sheet.by(order.actor, "buy_shares", shares=names(company, numbers), percent=percent, **more)

    def _place(self, source: str) -> str:
        unsold = self.sheet.game.title.unsold
        return {"treasury": unsold, "ipo": unsold, "pool": POOL}.get(source, source)

    def _sell(self, actor: Actor, company: CompanyId, count: int, before: State, events: Sequence[Event]) -> Action:
        """The action of a sale. In an emergency a share brings half its price, and the site names the operating company
        as the seller."""
        title = self.sheet.game.title
        place: Place = title.unsold if actor == company else actor
        numbers = self.books.given(company, place, count)
        self.books.name(company, numbers, place)
        told = next(e for e in events if isinstance(e, Sold) and e.company == company)
        half = _half_price(title.price(before, company), told, events)
        operating = _payer(before)
        seller = operating if half and operating is not None and actor not in self.sheet.players else actor
        percent = count * share_percent(title, before, company)
        return self.sheet.by(seller, "sell_shares", shares=names(company, numbers), percent=percent, **half)


def _payer(state: State) -> CompanyId | None:
    """The company that needs the money of a sale: the one that must pay for a token, or the one on turn."""
    if isinstance(state.top, TokenPurchase):
        return state.top.company
    turn = turn_in(state)
    return None if turn is None else turn.company


def _half_price(before: int, told: Sold, events: Sequence[Event]) -> dict[str, float]:
    """The part of an action for half the price of a share in an emergency: as the price was before the sale, or as it
    has fallen by it. Empty in a normal sale. ``before``: the price before the order, which may have moved it for
    another reason first."""
    at = events.index(told)
    moves = [(i, e.price) for i, e in enumerate(events) if isinstance(e, PriceSet) and e.company == told.company]
    before = next((price for i, price in reversed(moves) if i < at), before)
    if told.amount == before * told.count:
        return {}
    after = [price for i, price in moves if i > at]
    exact = (price for price in (before, *after) if price * told.count // 2 in (told.amount, told.amount - 1))
    return {HALF_PRICE: next(exact, 2 * told.amount // told.count) / 2}
