"""Answers of 1861 that 18xx.games does not record."""

from __future__ import annotations

from typing import Final

from engine.core.agenda import Ask
from engine.core.game import Game
from engine.core.ids import CompanyId
from engine.core.orders import Order, Run
from engine.site18xx.answers import EmptyAnswers
from engine.site18xx.f1867.answers import PASSES, own_answer


def _answer(game: Game, ask: Ask) -> Order | None:
    return Run(CompanyId(ask.actor), ()) if ask.what == "state_railway.run" else own_answer(game, ask)


empty_answer: Final = EmptyAnswers(passes=PASSES, other=_answer)
