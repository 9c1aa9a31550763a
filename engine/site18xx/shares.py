"""Percentages of 18xx.games and numbers of shares."""

from __future__ import annotations

from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.site18xx.walk import Action


def share_percent(title: Title, state: State, company: CompanyId) -> int:
    """The percentage of one share of the company."""
    return min(kind.percent // kind.shares for kind, _ in charter_of(title, state, company).certificates.values())


def shares_in(title: Title, state: State, company: CompanyId, action: Action) -> int:
    """The number of shares that the percentage of an action stands for. ``ValueError`` if it is no whole number."""
    unit, percent = share_percent(title, state, company), int(action["percent"])
    if percent % unit or percent <= 0:
        raise ValueError(f"{percent} % are no whole number of shares of {company}")
    return percent // unit
