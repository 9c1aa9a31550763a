"""Phases: the effects of the first train of each number when it is bought or exported, in the order of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.acts.buy_train import next_new
from engine.core.events import (
    Exported,
    Marked,
    PhaseBegan,
    PrivateClosed,
    TrainMoved,
    TrainsFlipped,
    TrainsRusted,
)
from engine.core.ids import BANK, POOL, CompanyId, PhaseName, TrainName
from engine.core.title import Play, Title
from engine.steps.discard import Discards
from engine.titles.t1844.names import FURKA, OERLIKON, PRIVATE, SBB_DUE
from engine.titles.t1844.policies import operating_order
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.turn.powers import lay_furka

BEGUN_BY: Final[Mapping[TrainName, PhaseName]] = {
    TrainName("2"): PhaseName("2"),
    TrainName("3"): PhaseName("3"),
    TrainName("4"): PhaseName("4"),
    TrainName("5"): PhaseName("5"),
    TrainName("6"): PhaseName("6"),
    TrainName("8E"): PhaseName("7"),
}
"""The phase that the first train of each card begins."""
TURNED: Final[Mapping[PhaseName, TrainName]] = {
    PhaseName("3"): TrainName("2"),
    PhaseName("4"): TrainName("3"),
    PhaseName("6"): TrainName("4"),
    PhaseName("7"): TrainName("5"),
}
"""The type of train that is turned over at the beginning of each phase."""
SBB_PHASE: Final = "5"


def train_bought(play: Play, company: CompanyId, train: TrainName) -> None:
    """Carry out the effects of the purchase of a new train. If it begins a phase, ask for discards at once."""
    # rule 12.1, 12.11
    if begin_phase(play, train, company):
        ask_for_discards(play)


def export(play: Play) -> bool:
    """Remove the first of the new trains from the game. Returns True if that began a phase."""  # rule 5.12
    train = next_new(play.title, play.state)
    if train is None:
        return False
    play.emit(TrainMoved(train, BANK, ""), Exported(train))
    return begin_phase(play, train)


def ask_for_discards(play: Play) -> None:
    """Ask all companies over their train limit at once for discards. The rules set no order among directors."""
    # rule 12.10
    play.push(Discards(operating_order(play.title, play.state), together=True))


def begin_phase(play: Play, train: TrainName, buyer: CompanyId | None = None) -> bool:
    """Begin the phase of the train's number, if it has not begun: scrap trains, turn trains, then close privates.
    Returns True if it has begun now. ``buyer``: the company that has bought the train, None for an export."""
    # rule 12.1 to 12.9
    title = play.title
    card = title.trains[train].card or train
    phase = BEGUN_BY[card]
    if title.reached(play.state, phase):
        return False
    play.emit(PhaseBegan(phase))
    rusting = title.trains[card].rusts
    if rusting is not None:
        play.emit(TrainsRusted(rusting))
    turned = TURNED.get(phase)
    if turned is not None:
        into = title.trains[turned].flips
        assert into is not None
        play.emit(TrainsFlipped(turned, into))
    if phase == SBB_PHASE:
        _close_privates(play)
        play.emit(Marked(SBB_DUE, True))
    return True


def _close_privates(play: Play) -> None:
    """Lay the Furka-Oberalp track if it is missing, and close all privates but Oerlikon, whose train is still to
    come."""
    # rule 12.5
    if FURKA in play.state.privates:
        lay_furka(play)
    for private in tuple(play.state.privates):
        if play.title.privates[private].kind == PRIVATE and private != OERLIKON:
            play.emit(PrivateClosed(private))


def discard_place(title: Title) -> str:
    """The place to which trains over the limit go: the pool, or out of the game (``""``)."""  # rule 12.10
    return POOL if rulings_of(title).discards == "pool" else ""
