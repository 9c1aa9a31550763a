"""Answers that 18xx.games does not record, what is the same in every title: a company that does nothing in its turn."""

from __future__ import annotations

from engine.core.agenda import Ask
from engine.core.checks import Refused
from engine.core.game import Game
from engine.core.ids import CompanyId
from engine.core.orders import Done, Order, Run


def end_of_turn(ask: Ask) -> Order | None:
    """``done`` for a company's turn."""
    return Done(CompanyId(ask.actor)) if ask.what == "company.turn" else None


def empty_turn(game: Game, company: CompanyId) -> Order:
    """The order of a company that does nothing more in its turn: a run of no trains first, where one must be
    declared."""
    checked = game.check(Done(company))
    runs = isinstance(checked, Refused) and any(f.check == "turn.run_first" for f in checked.failures)
    return Run(company, ()) if runs else Done(company)
