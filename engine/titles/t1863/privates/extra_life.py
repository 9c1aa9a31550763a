"""Thompson: trains of its owner that rust may run once more, outside the train limit.

All trains of a type rust together, so any that a company has afterwards are the ones that it kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

from engine.acts.act import Turn
from engine.acts.run_trains import Earned
from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import Marked, PrivateUsed, TrainMoved, TrainsRusted
from engine.core.ids import CompanyId, TrainName
from engine.core.orders import KeepTrains, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.titles.t1863.names import EXTRA, FINAL, THOMPSON, extended, mark
from engine.titles.t1863.policies import director, extra_trains
from engine.titles.t1863.privates.powers import is_used_up, use_up
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.turn.queue import still_to_operate

__all__ = ["SurvivingTrains", "SurvivingTrainsStep", "end_extra_life", "extra_trains", "last_round", "survivors"]

MOST: Final = 2
"""The most trains that may be kept at a time."""
TRAINS: Final = "trains"
"""The key of this power among the used-up powers."""
When: TypeAlias = tuple[int, int]
"""The set and number of an operating round."""


@dataclass(frozen=True, slots=True)
class SurvivingTrains(Frame):
    """``trains`` of the company have just rusted. The company may keep some of them until the round ``until``."""

    company: CompanyId
    trains: tuple[TrainName, ...]
    until: When


# ---- when trains rust ------------------------------------------------------------------------------------------------


def survivors(title: Title, state: State, rusting: Sequence[TrainName]) -> SurvivingTrains | None:
    """The question to the owner of Thompson before trains rust. None if no company owns it, it has none of these
    trains, its power is used up, or it will not run again."""
    # rule 9.4, 12.50
    owner = state.privates.get(THOMPSON)
    company = next((c for c in state.companies if c == owner), None)
    if company is None or (rulings_of(title).thompson == "once" and is_used_up(state, THOMPSON, TRAINS)):
        return None
    trains, until = tuple(t for t in state.companies[company].trains if t in rusting), last_round(state, company)
    return SurvivingTrains(company, trains, until) if trains and until is not None else None


def last_round(state: State, company: CompanyId) -> When | None:
    """The operating round in which the company runs next: this one if it has not run yet, otherwise the one after it.
    None if no other follows."""
    now = state.round
    if _still_to_run(state, company):
        return now.set, now.number
    if now.number < 2:
        return now.set, now.number + 1
    return None if mark(state, FINAL, False) else (now.set + 1, 1)


def _still_to_run(state: State, company: CompanyId) -> bool:
    """True if the company has not yet run in this round."""
    for frame in state.agenda:
        if isinstance(frame, Turn) and frame.company == company:
            return frame.note(Earned).revenue is None
    return still_to_operate(state, company)


def end_extra_life(play: Play) -> None:
    """Remove trains that were kept for the operating round that is ending."""  # rule 9.4
    kept = extended(play.state)
    now = play.state.round
    over = [each for each in kept if each[2:] <= (now.set, now.number)]
    for train in dict.fromkeys(train for _, train, *_ in over):
        play.emit(TrainsRusted(train))
    if over:
        play.emit(Marked(EXTRA, tuple(each for each in kept if each not in over) or None))


# ---- the question ----------------------------------------------------------------------------------------------------


class SurvivingTrainsStep:
    """Asks which of the trains to keep. A company that does not answer keeps none."""  # rule 9.4

    def asked(self, title: Title, state: State, frame: SurvivingTrains) -> tuple[Ask, ...]:
        player = director(title, state, frame.company)
        if player is None or not frame.trains:
            return ()
        about = (frame.company, *frame.trains)
        return (Ask(player, frame.company, "trains.keep", about, KeepTrains(frame.company, ())),)

    def menu(self, title: Title, state: State, frame: SurvivingTrains, ask: Ask) -> Menu:
        return tuple(Exact(KeepTrains(frame.company, trains)) for trains in _choices(frame.trains))

    def decide(self, play: Play, frame: SurvivingTrains, ask: Ask, order: Order) -> None:
        if not isinstance(order, KeepTrains):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        company, trains = frame.company, tuple(sorted(order.trains))
        lacking = tuple(t for t in dict.fromkeys(trains) if trains.count(t) > frame.trains.count(t))
        play.require(not lacking, "keep.trains", company=company, trains=lacking, has=frame.trains)
        play.require(len(trains) <= MOST, "keep.most", most=MOST, count=len(trains))
        if play.failures:
            return
        play.become(SurvivingTrains(company, (), frame.until))
        if trains:
            _keep(play, company, trains, frame.until)

    def advance(self, play: Play, frame: SurvivingTrains) -> None:
        play.pop()


def _choices(trains: Sequence[TrainName]) -> tuple[tuple[TrainName, ...], ...]:
    """All sets of trains that may be kept, starting with none, each listed once."""
    found = (tuple(sorted(each)) for count in range(MOST + 1) for each in combinations(trains, count))
    return tuple(dict.fromkeys(found))


def _keep(play: Play, company: CompanyId, trains: tuple[TrainName, ...], until: When) -> None:
    play.emit(PrivateUsed(THOMPSON, company), *(TrainMoved(train, "", company) for train in trains))
    play.emit(Marked(EXTRA, (*extended(play.state), *((company, train, *until) for train in trains))))
    if rulings_of(play.title).thompson == "once":
        use_up(play, THOMPSON, TRAINS)
