"""Answers that 18xx.games does not record: nothing done, a turn ended."""

from __future__ import annotations

from engine.core.agenda import Ask
from engine.core.checks import Refused
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Done, Drop, Order, Pass, Run


def end_of_turn(ask: Ask) -> Order | None:
    """``done`` for a company's turn."""
    return Done(CompanyId(ask.actor)) if ask.what == "company.turn" else None


def empty_answer(game: Game, ask: Ask) -> Order | None:
    """The answer of someone who does nothing."""
    match ask.what:
        case "company.turn":
            company = CompanyId(ask.actor)
            checked = game.check(Done(company))
            runs = isinstance(checked, Refused) and any(f.check == "turn.run_first" for f in checked.failures)
            return Run(company, ()) if runs else Done(company)
        case "stock.turn":
            return Pass(ask.actor)
        case "auction.first" | "auction.bid":
            return Drop(PlayerId(ask.actor))
    return None
