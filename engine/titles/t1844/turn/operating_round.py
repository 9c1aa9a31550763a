"""The operating round: income of privates and papers, then the turns of the launched companies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.core.events import MarkerPlaced, TurnBegan
from engine.core.ids import BANK, CompanyId
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.steps.automatic import NobodyAsked
from engine.titles.t1844.names import ACTIVE, MOUNTAIN, TUNNEL
from engine.titles.t1844.policies import director, operating_order
from engine.titles.t1844.stock.launches import look_at_destinations
from engine.titles.t1844.turn.company_turn import TURNS

INCOMES: Final = {MOUNTAIN: 40, TUNNEL: 10}
"""Income of active papers, by kind."""


@dataclass(frozen=True, slots=True)
class OperatingRound(Frame):
    """``waiting``: companies that have not had their turn. ``paid``: income has been paid."""

    waiting: frozenset[CompanyId]
    paid: bool = False


def operating_round(title: Title, state: State) -> OperatingRound:
    """Return a round in which every launched company operates."""
    return OperatingRound(frozenset(operating_order(title, state)))


class OperatingRoundStep(NobodyAsked):
    """Pays income and begins the turns. The order is computed anew for each turn, because emergency sales move
    prices."""

    def advance(self, play: Play, frame: OperatingRound) -> None:
        if not frame.paid:
            _incomes(play)
            play.become(replace(frame, paid=True))
            return
        order = operating_order(play.title, play.state)  # rule 5.4, 5.5
        company = next((c for c in order if c in frame.waiting), None)
        if company is None:
            play.pop()
            return
        play.become(replace(frame, waiting=frame.waiting - {company}))
        if director(play.title, play.state, company) is None:  # rule 13.17
            return
        play.emit(TurnBegan(company))
        _place_home(play, company)
        look_at_destinations(play, turn=True)
        play.push(TURNS.begin(company))


def _incomes(play: Play) -> None:
    """Pay the income of privates and of active papers."""  # rule 5.2, 5.3
    active = play.state.marks.get(ACTIVE, frozenset())
    for private, owner in play.state.privates.items():
        data = play.title.privates[private]
        income = data.income if data.kind not in INCOMES else INCOMES[data.kind] if private in active else 0
        if owner is not None:
            play.pay(BANK, owner, income, "income", private)


def _place_home(play: Play, company: CompanyId) -> None:
    """Place the free home marker in a company's first turn."""  # rule 5.7
    home, board = charter_of(play.title, play.state, company).home, play.state.board
    if home is None or any(company in city for city in board.circles(home[0])):
        return
    play.emit(MarkerPlaced(company, home[0], board.home_city(*home)))
