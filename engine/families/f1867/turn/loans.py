"""Loans of companies. They are taken when a payment needs them, never by an order of their own."""

from __future__ import annotations

from typing import Final

from engine.acts.purse import Purse
from engine.core.events import LoansChanged, Reason
from engine.core.ids import BANK, CompanyId, Owner
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867.names import MINOR, PUBLIC
from engine.families.f1867.policies import NO_LIMIT
from engine.holders.charters import charter_of

VALUE: Final = 50
"""Amount repaid for each loan."""
RECEIVED: Final = 45
"""Amount received for each loan: its value less the first interest."""
INTEREST: Final = 5


LIMITS: Final = {MINOR: 2, PUBLIC: 5}  # rule 6.7


def room(title: Title, state: State, company: CompanyId) -> int:
    """Number of loans that the company may still take."""
    return max(0, LIMITS.get(charter_of(title, state, company).kind, NO_LIMIT) - state.companies[company].loans)


def credit(title: Title, state: State, company: CompanyId) -> int:
    """Amount that the company can still borrow."""
    return RECEIVED * room(title, state, company)


def spendable(title: Title, state: State, company: CompanyId) -> int:
    """Cash of the company plus the amount that it can still borrow."""
    return state.money(company) + credit(title, state, company)


def needed(title: Title, state: State, company: CompanyId, amount: int) -> int:
    """Smallest number of loans with which the company can pay ``amount``."""
    missing = amount - state.money(company)
    return max(0, -(-missing // RECEIVED))


def pay_with_loans(play: Play, company: CompanyId, payee: Owner, amount: int, reason: Reason, about: str = "") -> None:
    """Pay ``amount`` with as few loans as possible. The caller has checked that they suffice."""
    take(play, company, needed(play.title, play.state, company, amount))
    play.pay(company, payee, amount, reason, about)


def take(play: Play, company: CompanyId, number: int) -> None:
    if number:
        play.emit(LoansChanged(company, number, "taken"))
        play.pay(BANK, company, number * RECEIVED, "loan")


def repay_all_possible(play: Play, company: CompanyId, kept: int = 0) -> None:
    """Repay as many loans as possible while at least ``kept`` stays in the treasury."""
    number = min(play.state.companies[company].loans, max(0, play.state.money(company) - kept) // VALUE)
    if number:
        play.pay(company, BANK, number * VALUE, "repayment")
        play.emit(LoansChanged(company, -number, "repaid"))


WITH_LOANS: Final = Purse(spendable, pay_with_loans)
"""A purse that pays from the treasury and takes loans for the rest."""
