"""The operating round: income of privates, the turns of companies in a fixed order, and what ends the round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.core.events import TurnBegan
from engine.core.ids import BANK, CompanyId
from engine.core.state import Frame
from engine.core.title import Play
from engine.families.f1867.phases import ask_what_is_due
from engine.families.f1867.turn.company_turn import begin_turn
from engine.holders.control import controller_of
from engine.steps.automatic import NobodyAsked


@dataclass(frozen=True, slots=True)
class OperatingRound(Frame):
    """``order``: companies still to operate, in the order fixed at the start. ``paid``: incomes have been paid.
    ``state_due``: what ends the round, such as the turn of the state railway, has not been done."""

    order: tuple[CompanyId, ...]
    paid: bool = False
    state_due: bool = True


@dataclass(frozen=True, slots=True)
class OperatingRoundStep(NobodyAsked):
    """Pays income and begins the turns. The round itself asks nobody. ``at_end`` is called after the last turn."""

    at_end: Callable[[Play], None]

    def advance(self, play: Play, frame: OperatingRound) -> None:
        if not frame.paid:
            for private, owner in play.state.privates.items():  # rule 2.11, 12.9
                if owner is not None:
                    play.pay(BANK, owner, play.title.privates[private].income, "income", private)
            play.become(replace(frame, paid=True))
            ask_what_is_due(play)
        elif frame.order:
            company = frame.order[0]
            play.become(replace(frame, order=frame.order[1:]))
            now = play.state.companies[company]
            led = controller_of(play.title, play.state, company) is not None  # rule 14.12
            if now.status == "open" and led:  # rule 6.2: companies that have left since are skipped
                play.emit(TurnBegan(company))
                play.push(begin_turn(company, now.loans))
        elif frame.state_due:
            play.become(replace(frame, state_due=False))
            self.at_end(play)
        else:
            play.pop()
