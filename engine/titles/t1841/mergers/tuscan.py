"""The Tuscan merge: SFLP, SFMA and SSFL become the SFLi, if at least two of them are in play.

Two minors merge into it at once. A minor and the SSFL cannot: the minor, or the company that the two minors form, is a
major for a moment and then merges with the SSFL. In between it has a free charter, or keeps the name of its minor if
none is free.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.core.ids import CompanyId, PlayerId
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.control import controller_of
from engine.steps.automatic import NobodyAsked
from engine.titles.t1841.mergers.assets import close_unused, free_majors
from engine.titles.t1841.mergers.merger import Terms, begin_merger
from engine.titles.t1841.mergers.transform import begin_transformation
from engine.titles.t1841.names import MAJOR, SFLI, SSFL, TUSCAN
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.turn.queue import operate_still, operates_still


@dataclass(frozen=True, slots=True)
class TuscanMerge(Frame):
    """``decider``: the player who decides what no president can. ``parts``: the companies still to be merged into the
    SFLi; none when it is formed. ``runs``: the SFLi operates in this round."""

    decider: PlayerId
    parts: tuple[CompanyId, ...]
    runs: bool


def begin_tuscan_merge(play: Play, active: PlayerId) -> None:
    """Begin the merge, or remove the SFLi if fewer than two of its parts are in play. ``active``: the player whose
    company bought the first 4-train."""  # rule 9.16, 9.17
    title, state = play.title, play.state
    if SFLI not in title.companies:
        return
    parts = tuple(c for c in TUSCAN if c in state.companies and state.companies[c].status == "open")
    if len(parts) < 2:
        close_unused(play, SFLI)
        return
    first = next(c for c in title.policies.operating_order(title, state) if c in parts)
    decider = controller_of(title, state, first) or active
    runs = rulings_of(title).sfli_runs and all(operates_still(state, part) for part in parts)
    play.push(TuscanMerge(decider, parts, runs))


class TuscanMergeStep(NobodyAsked):
    """Begin one merger after the other."""  # rule 9.18, clarification 1.19

    def advance(self, play: Play, frame: TuscanMerge) -> None:
        terms = Terms(frame.decider, voluntary=False)
        minors = tuple(part for part in frame.parts if part != SSFL)
        match frame.parts:
            case ():
                self._formed(play, frame)
            case (first, second) if SSFL not in frame.parts or self._is_between(play.state, first):
                play.become(replace(frame, parts=()))
                begin_merger(play, (first, second), SFLI, terms)
            case _ if len(minors) == 1:
                between = between_charter(play.title, play.state, minors[0])
                play.become(replace(frame, parts=(between, SSFL)))
                begin_transformation(play, minors[0], between, frame.decider, between=True)
            case _:
                first, second = minors
                between = between_charter(play.title, play.state, first)
                play.become(replace(frame, parts=(between, SSFL)))
                begin_merger(play, (first, second), between, replace(terms, between=True))

    def _is_between(self, state: State, company: CompanyId) -> bool:
        """True if the company has been formed in this merge: nothing else gives it the charter of a major."""
        charter = state.charters.get(company)
        return charter is not None and charter.kind == MAJOR

    def _formed(self, play: Play, frame: TuscanMerge) -> None:
        play.pop()
        if frame.runs:
            operate_still(play, SFLI)  # rule 9.21, clarification 1.20, 4.3


def between_charter(title: Title, state: State, minor: CompanyId) -> CompanyId:
    """The name of the major that a minor becomes in between: the first free charter, or its own if none is free."""
    return next(iter(free_majors(title, state)), minor)
