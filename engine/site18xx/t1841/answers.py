"""Answers of 1841 that 18xx.games does not record."""

from __future__ import annotations

from typing import Final

from engine.core.agenda import Ask, Exact
from engine.core.game import Game
from engine.core.orders import Done, Exchange, OfferAgain, Order, Pass, Take
from engine.site18xx.answers import EmptyAnswers


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


empty_answer: Final = EmptyAnswers(passes=("stock.turn", "concessions.open"), other=_from_menu)
