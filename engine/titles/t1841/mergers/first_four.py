"""The first 4-train: concessions go, the borders change, the IRSFF is divided and the Tuscan companies merge, strictly
in this order. Each event is finished, with all its questions, before the next one begins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from engine.core.events import PrivateClosed
from engine.core.ids import CompanyId, PlayerId
from engine.core.state import Frame
from engine.core.title import Play
from engine.steps.automatic import NobodyAsked
from engine.titles.t1841.mergers.assets import close_unused
from engine.titles.t1841.mergers.secession import begin_secession
from engine.titles.t1841.mergers.tuscan import begin_tuscan_merge
from engine.titles.t1841.names import CONCESSIONED
from engine.titles.t1841.stock.presidency import review_presidents


@dataclass(frozen=True, slots=True)
class FirstFour(Frame):
    """``player`` controlled the company that bought the first 4-train; ``stage``: what comes next."""

    player: PlayerId
    stage: Literal["concessions", "secession", "tuscan", "end"] = "concessions"


def first_four_train(play: Play, buyer: CompanyId) -> None:
    """Begin all that the first 4-train brings beyond rust, limits and borders, which belong to the phase. The caller
    pushes on top what must come first: the discard of trains over the limit."""  # rule 9.1, clarification 2.25
    player = play.title.policies.director(play.title, play.state, buyer)
    assert player is not None, buyer
    play.push(FirstFour(player))


class FirstFourStep(NobodyAsked):
    """Carry out the stages one after the other."""

    def advance(self, play: Play, frame: FirstFour) -> None:
        match frame.stage:
            case "concessions":
                play.become(replace(frame, stage="secession"))
                end_concessions(play)
            case "secession":
                play.become(replace(frame, stage="tuscan"))
                begin_secession(play, frame.player)
            case "tuscan":
                play.become(replace(frame, stage="end"))
                begin_tuscan_merge(play, frame.player)
            case "end":
                play.pop()


def end_concessions(play: Play) -> None:
    """Remove all concessions from the game, and with them the companies that nobody has started. Presidents whom a
    concession kept in office may be replaced at once."""  # rule 9.2, 9.3, clarification 1.16
    for concession in tuple(play.state.privates):
        play.emit(PrivateClosed(concession))
    for company in CONCESSIONED:
        close_unused(play, company)
    review_presidents(play)
