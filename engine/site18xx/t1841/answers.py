"""Answers that 18xx.games does not record: doing nothing, and ending a turn."""

from __future__ import annotations

from engine.core.agenda import Ask, Exact
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Done, Drop, Exchange, OfferAgain, Order, Pass, Take
from engine.site18xx.answers import empty_turn


def empty_answer(game: Game, ask: Ask) -> Order | None:
    """The answer of a player who does nothing; None if there is none."""
    match ask.what:
        case "company.turn":
            return empty_turn(game, CompanyId(ask.actor))
        case "stock.turn" | "concessions.open":
            return Pass(ask.actor)
        case "auction.bid":
            return Drop(PlayerId(ask.actor))
    return _from_menu(game, ask)


def _from_menu(game: Game, ask: Ask) -> Order | None:
    """The empty answer among the open ones, or the only one; None otherwise."""
    choices = [c.order for c in game.legal(ask.actor) if isinstance(c, Exact)]
    empty = [o for o in choices if _is_empty(o)]
    if len(empty) == 1:
        return empty[0]
    return choices[0] if len(choices) == 1 else None


def _is_empty(order: Order) -> bool:
    match order:
        case Take(count=0) | OfferAgain(yes=False) | Pass() | Done() | Exchange(into="cash"):
            return True
    return False
