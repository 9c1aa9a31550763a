"""The operating round: the turns of the companies, dearest first."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.events import Marked, TurnBegan
from engine.core.ids import CompanyId
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.steps.automatic import NobodyAsked
from engine.titles.t1841.names import ACTING, SOLD
from engine.titles.t1841.policies import director, operating_order
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.turn.company_turn import TURNS
from engine.titles.t1841.turn.queue import ORDER, WAITING, look_at_order, turns_to_come
from engine.titles.t1841.turn.uncontrolled import frozen_turn


@dataclass(frozen=True, slots=True)
class OperatingRound(Frame):
    """``begun``: the companies that operate in the round are known. The mark ``WAITING`` holds them, because events in
    a turn may change them."""

    begun: bool = False


class OperatingRoundStep(NobodyAsked):
    """Give the companies their turns. The order is determined anew for each turn, because sales and dividends move
    prices; under a ruling, only after a sale."""

    def advance(self, play: Play, frame: OperatingRound) -> None:
        title = play.title
        order = operating_order(title, play.state)  # rule 6.1, clarification 2.13, 2.14
        if not frame.begun:
            play.emit(Marked(SOLD, None), Marked(WAITING, frozenset(order)))  # clarification 3.5
            look_at_order(play)
            play.become(OperatingRound(begun=True))
            return
        company = next_company(title, play.state)
        if company is None:
            play.emit(Marked(WAITING, None))
            if ORDER in play.state.marks:
                play.emit(Marked(ORDER, None))
            play.pop()
            return
        play.emit(Marked(WAITING, play.state.marks[WAITING].intersection(order) - {company}))
        player = director(title, play.state, company)
        if player is None:
            frozen_turn(play, company)
            return
        if rulings_of(title).frozen_in_turn == "goes_on":
            play.emit(Marked(ACTING, (company, player)))
        play.emit(TurnBegan(company))
        play.push(TURNS.begin(company))


def next_company(title: Title, state: State) -> CompanyId | None:
    """The company whose turn is next in the operating round; None if all have had theirs."""
    return next(iter(turns_to_come(title, state)), None)


def operating_round(title: Title, state: State) -> OperatingRound:
    """The frame of a round in which every company operates that is in play when the round begins."""
    return OperatingRound()
