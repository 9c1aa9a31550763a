"""Tell a company that may take loans what one brings and costs, and what follows if its interest is not paid."""

from __future__ import annotations

from engine.core import orders as o
from engine.core.agenda import Ask, Menu
from engine.core.decide import cost
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title
from moderator.words.position import views
from moderator.words.texts import Words


def loan_terms(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> str:
    """A sentence on loans, for a company that has some or that could not pay what its turn offers without them; "" for
    any other, and in titles where loans have orders of their own."""
    if not ask.what.startswith("company.") or ask.actor not in title.companies:
        return ""
    company = CompanyId(ask.actor)
    if not state.companies[company].loans and not _needs_loans(title, state, company, menu):
        return ""
    return own.say("words", "loan_terms", title=title)


def _needs_loans(title: Title, state: State, company: CompanyId, menu: Menu) -> bool:
    cash = state.money(company)
    if not title.policies.credit(title, state, company):
        return False
    trains = [price for line in views.trains(title, state) if line.now for _, price in line.faces]
    if not state.companies[company].trains and trains and cash < min(trains):
        return True
    orders = (choice.order for choice in menu)
    return any((cost(title, state, order) or 0) > cash for order in orders if isinstance(order, o.Lay | o.Token))
