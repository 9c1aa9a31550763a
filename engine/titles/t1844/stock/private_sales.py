"""Purchases of privates by companies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.acts.buy_private import owner_of
from engine.core.agenda import Choice, Range
from engine.core.checks import Failure
from engine.core.ids import CompanyId, PrivateId
from engine.core.orders import BuyPrivate
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.titles.t1844.names import (
    BOEDELI,
    BRIENZ,
    FURKA,
    GOTTHARD_MAIL,
    HISTORICAL,
    MONTREUX,
    PRIVATE_PHASES,
    REGIONAL,
)
from engine.titles.t1844.policies import director
from engine.titles.t1844.rulings import rulings_of

FOR_SALE: Final = frozenset({BRIENZ, BOEDELI, GOTTHARD_MAIL, FURKA, MONTREUX})
BUYERS: Final = frozenset({REGIONAL, HISTORICAL})
MOST_FACES: Final = 2
"""The highest price, as a multiple of the face value."""


def check_private(title: Title, state: State, order: BuyPrivate) -> list[Failure]:
    """Every reason to refuse the purchase of a private by a company."""  # rule 5.8, 5.9, 5.10
    company, private = order.actor, order.private
    if private not in title.privates:
        return [Failure("private.unknown", {"private": private})]
    failures = list[Failure]()
    if charter_of(title, state, company).kind not in BUYERS:
        failures.append(Failure("private.kind", {"company": company, "kind": charter_of(title, state, company).kind}))
    if private not in FOR_SALE:
        return [*failures, Failure("private.not_sellable", {"private": private})]
    if state.phase not in PRIVATE_PHASES:
        facts = {"phase": state.phase, "from": PRIVATE_PHASES[0], "to": PRIVATE_PHASES[-1]}
        failures.append(Failure("private.phase", facts))
    owner = owner_of(state, private)
    if owner is None:
        failures.append(Failure("private.not_with_player", {"private": private, "owner": state.privates.get(private)}))
    elif rulings_of(title).private_owner == "own_director" and owner != director(title, state, company):
        failures.append(Failure("private.other_owner", {"private": private, "owner": owner, "company": company}))
    most, cash = MOST_FACES * title.privates[private].face, state.money(company)
    if not 1 <= order.price <= most:
        failures.append(Failure("private.price", {"private": private, "price": order.price, "face": most}))
    if order.price > cash:
        failures.append(Failure("private.money", {"price": order.price, "cash": cash}))
    return failures


def private_sales(title: Title, state: State, company: CompanyId) -> Iterator[Choice]:
    """Every private that the company may buy, with the range of prices."""
    cash = state.money(company)
    for private in sorted(FOR_SALE.intersection(state.privates)):
        order = BuyPrivate(company, PrivateId(private), 1)
        if not check_private(title, state, order):
            yield Range(order, "price", 1, min(cash, MOST_FACES * title.privates[private].face))
