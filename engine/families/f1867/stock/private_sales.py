"""Purchases of privates by companies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.acts.buy_private import owner_of
from engine.core.agenda import Choice, Range
from engine.core.checks import Failure
from engine.core.ids import CompanyId
from engine.core.orders import BuyPrivate
from engine.core.state import State
from engine.core.title import Title

PRIVATE_PHASES: Final = ("3", "4", "5")


def check_private(title: Title, state: State, order: BuyPrivate) -> list[Failure]:
    """Every reason to refuse a purchase, except for missing consent."""  # rule 2.12
    failures = list[Failure]()
    if order.private not in title.privates:
        return [Failure("private.unknown", {"private": order.private})]
    if state.phase not in PRIVATE_PHASES:
        failures.append(
            Failure("private.phase", {"phase": state.phase, "from": PRIVATE_PHASES[0], "to": PRIVATE_PHASES[-1]})
        )
    if owner_of(state, order.private) is None:
        failures.append(
            Failure("private.not_with_player", {"private": order.private, "owner": state.privates.get(order.private)})
        )
    face, cash = title.privates[order.private].face, state.money(order.actor)
    if not 1 <= order.price <= face:
        failures.append(Failure("private.price", {"private": order.private, "price": order.price, "face": face}))
    if order.price > cash:
        failures.append(Failure("private.money", {"price": order.price, "cash": cash}))
    return failures


def private_sales(title: Title, state: State, company: CompanyId) -> Iterator[Choice]:
    """Every private that the company may buy, with the range of prices."""
    if state.phase not in PRIVATE_PHASES:
        return
    for private in title.privates:
        most = min(title.privates[private].face, state.money(company))
        if owner_of(state, private) is not None and most >= 1:
            yield Range(BuyPrivate(company, private, 1), "price", 1, most)
