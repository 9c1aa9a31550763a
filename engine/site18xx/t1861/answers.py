"""Answers that 18xx.games does not record: doing nothing, and ending a turn."""

from __future__ import annotations

from engine.core.agenda import Ask
from engine.core.checks import Refused
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Decline, Done, Drop, Nationalise, Order, Pass, Run, Take
from engine.site18xx.t1861.formation import kept_markers


def empty_answer(game: Game, ask: Ask) -> Order | None:
    """The answer to ``ask`` that does nothing; None if there is none."""
    company = CompanyId(ask.actor)
    match ask.what:
        case "company.turn":
            cannot = isinstance(game.check(Done(company)), Refused)
            return Run(company, ()) if cannot else Done(company)
        case "merger.turn":
            return Decline(company)
        case "offer.shares":
            return Take(PlayerId(ask.actor), 0)
        case "stock.turn" | "auction.open":
            return Pass(ask.actor)
        case "auction.bid":
            return Drop(PlayerId(ask.actor))
        case "nationalise":
            return Nationalise(company, False)
        case "state_railway.run":
            return Run(company, ())
        case "merger.keep":
            return kept_markers(game, company, ())
    return None
