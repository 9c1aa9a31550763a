"""Sales of shares in a stock turn: the checks, the payment, the change of director and the fall of the price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.core.checks import Failure
from engine.core.events import CertificatesMoved
from engine.core.ids import POOL, Actor, CompanyId
from engine.core.orders import Sell
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867.rulings import rulings_of
from engine.holders.charters import charter_of, ordinary_kind
from engine.holders.control import owner_of
from engine.holders.ledger import shares
from engine.holders.succession import hand_over, successor
from engine.shares import sale as shares_for_sale
from engine.shares.price import move_price
from engine.shares.sale import SaleTerms, list_sales, pay_for_sale


def trading(title: Title, state: State) -> Iterator[CompanyId]:
    """Yield the companies in play whose shares are traded one by one."""
    for company, now in state.companies.items():
        if now.status == "open" and len(charter_of(title, state, company).certificates) > 1:
            yield company


def _closed(title: Title, state: State, seller: Actor, company: CompanyId) -> Failure | None:
    if company in state.companies and len(charter_of(title, state, company).certificates) > 1:
        return None
    return Failure("sell.not_for_sale", {"company": company})


def _not_operated(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> Iterator[Failure]:
    if not state.companies[company].operated:
        yield Failure("sell.not_operated", {"company": company})


SALES: Final = SaleTerms(closed=_closed, bars=_not_operated)
"""The terms of every sale: at most half of a company may lie in the pool."""  # rule 3.4


def check_sale(title: Title, state: State, seller: Actor, order: Sell) -> list[Failure]:
    """Return every reason why ``seller`` may not sell this number of shares of the company."""
    return shares_for_sale.check_sale(SALES, title, state, seller, order.company, order.count)


def sales(title: Title, state: State, seller: Actor) -> Iterator[Sell]:
    """Every legal sale, by company and number of shares."""
    for company, number in list_sales(SALES, title, state, seller, trading(title, state)):
        yield Sell(seller, company, number)


def price_of_sale(title: Title, state: State, order: Sell, sold: Mapping[CompanyId, int]) -> int:
    """The price per share. ``sold``: companies sold earlier in this turn, with the price at that time. By the ruling
    ``director_sale``, a director's sales of a company in a turn are one sale at the first price."""
    again = rulings_of(title).director_sale == "turn" and order.company in sold
    return sold[order.company] if again else title.price(state, order.company)


def sell(play: Play, seller: Actor, order: Sell, sold: Mapping[CompanyId, int]) -> None:
    """Carry out a sale that has been checked. By the ruling ``director_sale``, a director's sales of a company in a
    turn are one sale, with one fall of the price, or each order is a sale of its own."""
    title, company = play.title, order.company
    price = price_of_sale(title, play.state, order, sold)
    directing = owner_of(title, play.state, company) == seller
    if directing:
        left = shares(title, play.state, seller, company) - order.count
        heir = successor(title, play.state, company, seller, left)
        if heir is not None:
            hand_over(play, company, seller, heir)
    play.emit(CertificatesMoved(company, ordinary_kind(title, play.state, company), order.count, seller, POOL))
    pay_for_sale(play, seller, company, order.count, price * order.count)
    if directing and not (rulings_of(title).director_sale == "turn" and company in sold):
        move_price(play, company, "down", 1, "sale")
