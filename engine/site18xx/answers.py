"""Answers that 18xx.games does not record: doing nothing, and ending a turn."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass

from engine.core.agenda import Ask
from engine.core.checks import Refused
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Done, Drop, Order, Pass, Run

Answer = Callable[[Game, Ask], Order | None]


def end_of_turn(ask: Ask) -> Order | None:
    """``done`` for a company's turn."""
    return Done(CompanyId(ask.actor)) if ask.what == "company.turn" else None


def empty_turn(game: Game, company: CompanyId) -> Order:
    """The order of a company that does nothing more in its turn: a run of no trains first, where one must be
    declared."""
    checked = game.check(Done(company))
    runs = isinstance(checked, Refused) and any(f.check == "turn.run_first" for f in checked.failures)
    return Run(company, ()) if runs else Done(company)


@dataclass(frozen=True, slots=True)
class EmptyAnswers:
    """The answers of one who does nothing. ``passes``, ``drops``: questions that a player answers so. ``other``: the
    answers to the title's own questions."""

    passes: Container[str] = ("stock.turn",)
    drops: Container[str] = ("auction.bid",)
    other: Answer = lambda game, ask: None

    def __call__(self, game: Game, ask: Ask) -> Order | None:
        """The answer to ``ask`` that does nothing; None if there is none."""
        if ask.what == "company.turn":
            return empty_turn(game, CompanyId(ask.actor))
        if ask.what in self.passes:
            return Pass(ask.actor)
        if ask.what in self.drops:
            return Drop(PlayerId(ask.actor))
        return self.other(game, ask)
