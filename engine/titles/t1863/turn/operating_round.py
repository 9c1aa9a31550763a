"""The operating round: the turns of the companies, the highest price first."""

from __future__ import annotations

from engine.core.events import TurnBegan
from engine.core.title import Play
from engine.steps.automatic import NobodyAsked
from engine.titles.t1863.privates.extra_life import end_extra_life
from engine.titles.t1863.stock.market import operating_order
from engine.titles.t1863.turn.company_turn import TURNS
from engine.titles.t1863.turn.queue import OperatingRound, next_company

__all__ = ["OperatingRound", "OperatingRoundStep", "begin_operating_round"]


def begin_operating_round(play: Play) -> None:
    """Put an operating round on the agenda. Every company with a marker on the map operates."""  # rule 5.7
    order = operating_order(play.title, play.state)
    play.push(OperatingRound(tuple(c for c in order if play.state.board.places_of(c))))


class OperatingRoundStep(NobodyAsked):
    """Begins the companies' turns one by one. The order is determined again before each turn, because loans and
    dividends move prices."""

    def advance(self, play: Play, frame: OperatingRound) -> None:
        company = next_company(play.title, play.state, frame.waiting)
        if company is None:
            play.become(OperatingRound(()))
            end_extra_life(play)
            play.pop()
            return
        play.become(OperatingRound(tuple(c for c in frame.waiting if c != company)))
        play.emit(TurnBegan(company))
        play.push(TURNS.begin(company))
