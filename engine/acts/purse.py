"""The means with which a company pays: its treasury, and in some titles more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.core.events import Reason
from engine.core.ids import CompanyId, Owner
from engine.core.state import State
from engine.core.title import Play, Title

Pay: TypeAlias = Callable[[Play, CompanyId, Owner, int, Reason, str], None]


@dataclass(frozen=True, slots=True)
class Purse:
    """``spendable`` returns the most that a company can pay now. ``pay`` makes the company pay an amount to a payee,
    with the reason and its subject; the caller has checked that it can."""

    spendable: Callable[[Title, State, CompanyId], int]
    pay: Pay


def treasury(title: Title, state: State, company: CompanyId) -> int:
    """The cash of a company."""
    return state.money(company)


def pay_cash(play: Play, company: CompanyId, payee: Owner, amount: int, reason: Reason, about: str) -> None:
    """Pay from the treasury."""
    play.pay(company, payee, amount, reason, about)


CASH: Final = Purse(treasury, pay_cash)
