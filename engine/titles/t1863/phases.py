"""Phases: the effects of buying the first train of each supply."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.core.events import PhaseBegan, TrainsRusted
from engine.core.ids import CompanyId, TrainName
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.discard import Discards, DiscardStep
from engine.titles.t1863.names import PHASE_IV
from engine.titles.t1863.pieces import phase_of
from engine.titles.t1863.policies import extra_types
from engine.titles.t1863.privates.extra_life import survivors
from engine.titles.t1863.privates.powers import close_privates
from engine.titles.t1863.turn.supplies import faces, signal_if_last


def _out_of_the_game(title: Title) -> str:
    return ""


def _within_limit(title: Title, state: State, company: CompanyId, train: TrainName) -> bool:
    """True if the train counts toward the limit. Trains that have rusted but may still run do not."""  # rule 9.4
    return train not in extra_types(state)


DISCARDS: Final = DiscardStep(place=_out_of_the_game, loose=_within_limit)
"""Trains over the limit leave the game: no rule allows the sale of used trains."""  # rule 3.2, 12.8


def train_bought(play: Play, company: CompanyId, train: TrainName) -> None:
    """Carry out the effects of the purchase of a new train. The first train of a supply begins its phase: trains rust,
    privates close, and train limits fall."""  # rule 3.2, 3.8, 5.5, 12.56, 3.11, 3.15
    title, phase = play.title, phase_of(play.title, train)
    if not title.reached(play.state, phase):
        play.emit(PhaseBegan(phase))
        rusting = title.trains[train].rusts
        types = () if rusting is None else faces(title, rusting)
        asked = survivors(title, play.state, types)
        play.emit(*(TrainsRusted(each) for each in types))
        if phase == PHASE_IV:
            close_privates(play)
        ask_for_discards(play, play.state.prices)
        if asked is not None:
            play.push(asked)
    signal_if_last(play)


def ask_for_discards(play: Play, companies: Iterable[CompanyId]) -> None:
    """Ask each of the companies that is over its train limit to give up trains; all are asked at once."""
    # rule 3.2, 12.8
    play.push(Discards(tuple(companies), together=True))
