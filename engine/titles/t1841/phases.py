"""Phases: the events that the purchase of the first train of each type brings."""

from __future__ import annotations

from engine.core.events import PhaseBegan, TrainsRusted
from engine.core.ids import CompanyId, PhaseName, TrainName
from engine.core.title import Play
from engine.steps.discard import Discards
from engine.titles.t1841.mergers.first_four import first_four_train
from engine.titles.t1841.names import NO_CONCESSIONS_PHASE
from engine.titles.t1841.policies import operating_order
from engine.titles.t1841.rulings import rulings_of


def train_bought(play: Play, company: CompanyId, train: TrainName) -> None:
    """Carry out all that follows from the purchase of a new train. The first of a type begins the phase of its name:
    trains rust, and limits and borders change. The first 4-train brings more. Trains over the limit are given up at
    once."""
    # rule 8.7, 8.8, clarification 2.25
    title, phase = play.title, PhaseName(train)
    if not any(p.name == phase for p in title.phases) or title.reached(play.state, phase):
        return
    play.emit(PhaseBegan(phase))
    rusting = title.trains[train].rusts
    if rusting is not None:
        play.emit(TrainsRusted(rusting))
    if phase == NO_CONCESSIONS_PHASE:
        first_four_train(play, company)  # beneath the discards, which come first
    ask_for_discards(play)


def ask_for_discards(play: Play) -> None:
    """Make every company over its limit give up trains; all are asked at once. Under a ruling, this waits for the next
    question."""  # rule 8.4
    if rulings_of(play.title).discards == "next_question":
        return
    play.push(Discards(operating_order(play.title, play.state), together=True))
