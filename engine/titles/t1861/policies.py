"""Policies of 1861 alone: its runs, and what the state railway takes over."""

from __future__ import annotations

from collections import Counter

from engine.core.events import Marked, PrivateMoved, TrainMoved
from engine.core.ids import BANK, CompanyId, TrainName
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867 import policies
from engine.routes.reach import PairBonus, RunTraits
from engine.titles.t1861.names import EKATERINBURG, MOSCOW, NIKOLAEV, RAN_BEFORE, STATE
from engine.titles.t1861.rulings import rulings_of

EKATERINBURG_BONUS = 40


def ran_before(state: State) -> tuple[TrainName, ...]:
    """Trains of the state railway that may not run again: companies that it has since taken over have run them in this
    operating round."""
    mark = state.marks.get(RAN_BEFORE)
    here = mark is not None and tuple(mark[:2]) == (state.round.set, state.round.number)
    return tuple(mark[2:]) if mark is not None and here else ()


def run_traits(title: Title, state: State, company: CompanyId) -> RunTraits:
    """Trains of the company, colour of off-board values, bonuses of its privates and of Ekaterinburg with Moscow."""
    # rule 9.5, 9.6, 9.7
    trains = state.companies[company].trains
    if company == STATE:  # rule 12.2; a train that ran before may have rusted since
        trains = tuple((Counter(trains) - Counter(ran_before(state))).elements())
    counted = rulings_of(title).ekaterinburg == "counts"
    pair = PairBonus(EKATERINBURG, MOSCOW, EKATERINBURG_BONUS, counted)
    return policies.run_traits(title, state, company, trains, pair)


def take_over(play: Play, company: CompanyId) -> None:
    """Transfer the money, trains and privates of a nationalised company to the state railway."""  # rule 13.7
    play.pay(company, STATE, play.state.money(company), "seized", company)
    for train in play.state.companies[company].trains:
        play.emit(TrainMoved(train, company, STATE))
    for private, owner in play.state.privates.items():
        if owner == company:
            play.emit(PrivateMoved(private, STATE))


def interest_unpaid(play: Play, company: CompanyId) -> None:
    """Dispose of the cash of a company that cannot pay its interest, and note the trains that it has run."""
    # rule 6.9
    title, ruling = play.title, rulings_of(play.title).interest_shortfall
    if ruling != "kept":
        play.pay(company, STATE if ruling == "state" else BANK, play.state.money(company), "seized", company)
    if rulings_of(title).state_railway_trains == "rested" and (trains := play.state.companies[company].trains):
        now = play.state.round  # rule 12.2: it has run them in this turn
        play.emit(Marked(RAN_BEFORE, (now.set, now.number, *ran_before(play.state), *trains)))


def first_minor(title: Title, state: State) -> CompanyId | None:
    """N, until it has been sold; none by a ruling."""  # rule 2.10
    free = "nikolaev_sold" in state.marks or rulings_of(title).first_minor == "any"
    return None if free else NIKOLAEV


def minor_started(play: Play, company: CompanyId) -> None:
    """Note that N has been sold."""  # rule 2.10
    if company == NIKOLAEV:
        play.emit(Marked("nikolaev_sold", True))
