"""Purchases of privates by a company, in its turn, from the player who controls it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.acts.buy_private import BuyPrivates
from engine.core.agenda import Choice, Range
from engine.core.checks import Fact, Failure
from engine.core.ids import CompanyId, PrivateId
from engine.core.orders import BuyPrivate
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1863.names import CLINK
from engine.titles.t1863.policies import director
from engine.titles.t1863.rulings import rulings_of

LEAST: Final = 1


def most_price(title: Title, private: PrivateId) -> int:
    """The highest price that a company may pay for the private: twice its face value, or by a ruling its face value."""
    # rule 9.14, 12.49
    return title.privates[private].face * (2 if rulings_of(title).private_price == "double" else 1)


def check_purchase(title: Title, state: State, order: BuyPrivate) -> list[Failure]:
    """Every reason why the company may not buy the private as ordered."""  # rule 9.14, 9.16
    company, private = order.actor, order.private
    if private not in title.privates:
        return [Failure("private.unknown", {"private": private})]
    failures, owner = list[Failure](), state.privates.get(private)
    if private == CLINK:  # rule 9.13
        failures.append(Failure("private.clink", {"private": private}))
    if owner is None or owner != director(title, state, company):
        failures.append(Failure("private.owner", {"private": private, "owner": owner, "company": company}))
    most, cash = most_price(title, private), state.money(company)
    if not LEAST <= order.price <= most:
        facts: dict[str, Fact] = {"private": private, "price": order.price, "least": LEAST, "most": most}
        failures.append(Failure("private.price", facts))
    if order.price > cash:
        failures.append(Failure("private.money", {"price": order.price, "cash": cash}))
    return failures


def list_purchases(title: Title, state: State, company: CompanyId) -> Iterator[Choice]:
    """Every private that the company may buy, with the range of prices."""
    cash = state.money(company)
    for private in state.privates:
        order = BuyPrivate(company, private, LEAST)
        if not check_purchase(title, state, order):
            yield Range(order, "price", LEAST, min(cash, most_price(title, private)))


BUY_PRIVATES: Final = BuyPrivates(check_purchase, list_purchases)
"""The act of buying privates in a company's turn."""
