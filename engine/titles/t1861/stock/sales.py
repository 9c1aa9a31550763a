"""Sales of shares in a stock turn: the checks, the payment, the change of director and the fall of the price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

from engine.core.agenda import Choice, Exact, Range
from engine.core.checks import Failure
from engine.core.events import CertificatesMoved, Sold
from engine.core.ids import BANK, POOL, Actor, CompanyId
from engine.core.orders import Sell
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import all_shares, charter_of, directors_worth, ordinary_kind
from engine.holders.control import owner_of
from engine.holders.ledger import shares
from engine.holders.succession import hand_over, successor
from engine.steps.trade_shares import move_price
from engine.titles.t1861.rulings import rulings_of

POOL_PERCENT: Final = 50
"""The most of a company that may lie in the pool."""  # rule 3.4


def trading(title: Title, state: State) -> Iterator[CompanyId]:
    """Yield the companies in play whose shares are traded one by one."""
    for company, now in state.companies.items():
        if now.status == "open" and len(charter_of(title, state, company).certificates) > 1:
            yield company


def check_sale(title: Title, state: State, seller: Actor, order: Sell) -> list[Failure]:
    """Return every reason why ``seller`` may not sell this number of shares of the company."""
    company, failures = order.company, list[Failure]()
    if company not in state.companies or len(charter_of(title, state, company).certificates) < 2:
        return [Failure("sell.not_for_sale", {"company": company})]
    held = shares(title, state, seller, company)
    if order.doubles is not None:
        failures.append(Failure("order.no_such_part", {"part": "doubles"}))
    if order.count < 1:
        failures.append(Failure("sell.none", {"company": company}))
    if order.count > held:
        return [*failures, Failure("sell.not_held", {"company": company, "count": order.count, "held": held})]
    if not state.companies[company].operated:
        failures.append(Failure("sell.not_operated", {"company": company}))
    pool, total = shares(title, state, POOL, company), all_shares(title, state, company)
    room = total * POOL_PERCENT // 100 - pool
    if order.count > room:
        failures.append(Failure("sell.pool_full", {"company": company, "count": order.count, "room": max(0, room)}))
    if owner_of(title, state, company) == seller:
        worth = directors_worth(title, state, company)
        left = held - order.count
        if left < worth and successor(title, state, company, seller, left) is None:
            failures.append(
                Failure("sell.director", {"company": company, "count": order.count, "most": max(0, held - worth)})
            )
    return failures


def sales(title: Title, state: State, seller: Actor) -> Iterator[Sell]:
    """Every legal sale, by company and number of shares."""
    for company in trading(title, state):
        for number in range(1, shares(title, state, seller, company) + 1):
            if not check_sale(title, state, seller, order := Sell(seller, company, number)):
                yield order


def offered_sales(title: Title, state: State, seller: Actor) -> Iterator[Choice]:
    """Every legal sale as a choice of the menu: the numbers of shares of a company are one range if they have no
    gaps."""
    for _, of_company in groupby(sales(title, state, seller), lambda order: order.company):
        orders = list(of_company)
        low, high = orders[0].count, orders[-1].count
        if 1 < len(orders) == high - low + 1:
            yield Range(orders[0], "count", low, high)
        else:
            yield from map(Exact, orders)


def sell(play: Play, seller: Actor, order: Sell, sold: Mapping[CompanyId, int]) -> int:
    """Carry out a sale that has been checked and return the price per share. ``sold``: companies sold earlier in this
    turn, with the price at that time. By the ruling ``director_sale``, a director's sales of a company in a turn are
    one sale, at the first price and with one fall of the price, or each order is a sale of its own."""
    title, company = play.title, order.company
    price = title.price(play.state, company)
    first = not (rulings_of(title).director_sale == "turn" and company in sold)
    if not first:
        price = sold[company]
    directing = owner_of(title, play.state, company) == seller
    if directing:
        left = shares(title, play.state, seller, company) - order.count
        heir = successor(title, play.state, company, seller, left)
        if heir is not None:
            hand_over(play, company, seller, heir)
    play.emit(CertificatesMoved(company, ordinary_kind(title, play.state, company), order.count, seller, POOL))
    play.pay(BANK, seller, price * order.count, "sale", company)
    play.emit(Sold(seller, company, order.count, price * order.count))
    if directing and first:
        move_price(play, company, "down", 1, "sale")
    return price
