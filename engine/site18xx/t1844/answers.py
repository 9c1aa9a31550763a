"""Answers that 18xx.games does not record: doing nothing, and ending a turn."""

from __future__ import annotations

from engine.core.agenda import Ask
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Drop, Order, Pass
from engine.site18xx.answers import empty_turn


def empty_answer(game: Game, ask: Ask) -> Order | None:
    """The answer to ``ask`` that does nothing; None if there is none."""
    match ask.what:
        case "company.turn":
            return empty_turn(game, CompanyId(ask.actor))
        case "stock.turn":
            return Pass(ask.actor)
        case "auction.first" | "auction.bid":
            return Drop(PlayerId(ask.actor))
    return None
