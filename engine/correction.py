"""Corrections of a position by a game master: money or certificates that lie with the wrong holder.

A correction is no order. Money and certificates only change their place, so that their sums stay; a correction that
would leave somebody with less than nothing, or a company with another director, is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.core.ids import CompanyId, Owner, Place
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import ordinary_kind
from engine.holders.control import count, owner_of
from engine.holders.ledger import holders, shares


@dataclass(frozen=True, slots=True)
class Payment:
    """``amount`` from one purse to another."""

    amount: int
    source: Owner
    target: Owner


@dataclass(frozen=True, slots=True)
class Transfer:
    """``number`` ordinary certificates of ``company`` from one place to another."""

    number: int
    company: CompanyId
    source: Place
    target: Place


Correction: TypeAlias = Payment | Transfer


def corrected(title: Title, state: State, correction: Correction) -> State:
    """The position after ``correction``. ``ValueError`` says why it does not hold together."""
    if correction.source == correction.target:
        raise ValueError("both are the same")
    if isinstance(correction, Payment):
        return _paid(state, correction)
    return _moved(title, state, correction)


def _paid(state: State, payment: Payment) -> State:
    amount, source, target = payment.amount, payment.source, payment.target
    if amount <= 0:
        raise ValueError("an amount is at least 1")
    for owner in (source, target):
        if owner in state.companies and state.companies[CompanyId(owner)].status != "open":
            raise ValueError(f"{owner} is not in play")
    has = state.money(source)
    if has < amount:
        raise ValueError(f"{source} has {has} and cannot pay {amount}")
    return replace(state, cash={**state.cash, source: has - amount, target: state.money(target) + amount})


def _moved(title: Title, state: State, transfer: Transfer) -> State:
    number, company, source, target = transfer.number, transfer.company, transfer.source, transfer.target
    if number <= 0:
        raise ValueError("a number of certificates is at least 1")
    if state.companies[company].status != "open":
        raise ValueError(f"{company} is not in play")
    kind = ordinary_kind(title, state, company)
    there = count(state, source, company, kind)
    if there < number:
        raise ValueError(f"{source} has {there} ordinary certificates of {company}, not {number}")
    after = {(source, company, kind): there - number}
    after[target, company, kind] = count(state, target, company, kind) + number
    found = replace(state, holdings={**state.holdings, **after})
    _same_director(title, found, company)
    return found


def _same_director(title: Title, state: State, company: CompanyId) -> None:
    """``ValueError`` if somebody has more shares of ``company`` than its director."""
    director = owner_of(title, state, company)
    if director is None:
        return
    most = shares(title, state, director, company)
    for other in holders(state, company):
        if other != director and shares(title, state, other, company) > most:
            raise ValueError(f"{other} would have more shares of {company} than its director {director}")
