"""Buying shares from another player at an agreed price. This is not a sale: the price does not fall, stock without
history may be bought, and the seller may buy it again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.agenda import Choice, Range
from engine.core.checks import Fact, Failure
from engine.core.events import Bought
from engine.core.ids import CompanyId, Place, PlayerId
from engine.core.orders import BuyFrom
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import directors_worth, ordinary_kind
from engine.holders.control import count, owner_of
from engine.holders.ledger import holders, shares
from engine.shares.purchase import SoldBefore, check_sold_before
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.circles import forbidden_circle, may_leave
from engine.titles.t1841.stock.limits import check_certificates, check_sixty, check_sixty_then, player_of
from engine.titles.t1841.stock.presidency import bound, next_owner, transfer


def check_buy_from(title: Title, state: State, order: BuyFrom, sold: SoldBefore = ()) -> list[Failure]:
    """Every reason why the player may not buy these shares from the other, consent aside."""
    # rule 3.11, 3.13
    company, buyer, seller, number = order.company, order.actor, order.seller, order.count
    if company not in state.companies or state.companies[company].status != "open":
        return [Failure("buy.not_for_sale", {"company": company})]
    if not rulings_of(title).player_trades:
        return [Failure("buy.no_trades", {"seller": seller})]
    if player_of(state, seller) is None or seller == buyer:
        return [Failure("buy.no_seller", {"seller": seller})]
    held, failures = shares(title, state, seller, company), list[Failure]()
    if number < 1:
        failures.append(Failure("buy.no_number", {"company": company}))
    if number > held:
        facts: dict[str, Fact] = {"company": company, "seller": seller, "count": number, "held": held}
        return [*failures, Failure("buy.seller_has_less", facts)]
    failures.extend(_check_certificate(title, state, order))
    cash = state.money(buyer)
    if order.price < 1:
        failures.append(Failure("buy.price_from_one", {"price": order.price}))
    if order.price > cash:
        failures.append(Failure("buy.money", {"company": company, "price": order.price, "cash": cash}))
    failures += check_sold_before(buyer, company, sold)
    failures += check_certificates(title, state, buyer)
    failures += check_sixty(title, state, buyer, company, number)
    move = partial(transfer, company=company, number=number, source=seller, target=buyer)
    if not failures:
        failures += check_sixty_then(title, state, buyer, company, move)
    leaves = may_leave(title, state, seller, (company,))
    if not failures and leaves and (circle := forbidden_circle(title, state, move)):
        failures.append(Failure("buy.circle", {"company": company, "circle": circle}))
    return failures


def _check_certificate(title: Title, state: State, order: BuyFrom) -> Iterator[Failure]:
    """Every reason why these shares cannot change hands. Unless bundles are allowed, they must be one certificate. The
    president's certificate, or half of it, goes only if somebody is president afterwards."""
    company, seller, number = order.company, order.seller, order.count
    ordinary = count(state, seller, company, ordinary_kind(title, state, company))
    worth = directors_worth(title, state, company)
    takes_president = number > ordinary or (number == worth and owner_of(title, state, company) == seller)
    if rulings_of(title).bundles == "certificate" and number > 1 and not (number == worth and takes_president):
        yield Failure("buy.one_certificate", {"company": company, "count": number})
    if number <= ordinary:
        return
    if concession := bound(title, state, company):
        yield Failure("buy.concession", {"company": company, "concession": concession})
        return
    after: dict[Place, int] = {
        seller: shares(title, state, seller, company) - number,
        order.actor: shares(title, state, order.actor, company) + number,
    }
    if next_owner(title, state, company, after) is None:  # rule 3.14
        others = tuple((h, shares(title, state, h, company)) for h in holders(state, company) if h != seller)
        yield Failure("buy.no_president", {"company": company, "seller": seller, "others": others})


def buy_from(play: Play, order: BuyFrom) -> None:
    """Carry out a checked and agreed purchase."""  # rule 3.11, 3.13
    play.pay(order.actor, order.seller, order.price, "share", order.company)
    play.emit(Bought(order.actor, order.company, order.count, order.price, order.seller))
    transfer(play, order.company, order.count, order.seller, order.actor)


def list_buys_from(title: Title, state: State, buyer: PlayerId, sold: SoldBefore = ()) -> Iterator[Choice]:
    """Every legal purchase from another player, at any price that the buyer can pay."""
    if not rulings_of(title).player_trades:
        return
    for company, now in state.companies.items():
        if now.status != "open":
            continue
        for seller in state.players:
            yield from _from_one(title, state, buyer, CompanyId(company), seller, sold)


def _from_one(
    title: Title, state: State, buyer: PlayerId, company: CompanyId, seller: PlayerId, sold: SoldBefore
) -> Iterator[Choice]:
    if seller == buyer:
        return
    for number in range(1, shares(title, state, seller, company) + 1):
        order = BuyFrom(buyer, company, number, seller, 1)
        if not check_buy_from(title, state, order, sold):
            yield Range(order, "price", 1, state.money(buyer))
