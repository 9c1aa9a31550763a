"""The rules of 1861 that shared steps consult: directors, operating order, train limits and runs."""

from __future__ import annotations

from collections import Counter

from engine.core.ids import CompanyId, PlayerId, TrainName
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.holders.control import controller_of
from engine.routes.reach import PairBonus, RunTraits
from engine.titles.t1861.names import EKATERINBURG, MINOR, MOSCOW, NATIONAL, RAN_BEFORE, STATE
from engine.titles.t1861.rulings import rulings_of

EKATERINBURG_BONUS = 40
NO_LIMIT = 10_000


def director(title: Title, state: State, company: CompanyId) -> PlayerId | None:
    """The player with the director's certificate or, while a new company is being formed, its acting director."""
    if state.companies[company].status != "open" or charter_of(title, state, company).kind == NATIONAL:
        return None
    acting = state.marks.get(f"acting {company}")
    return controller_of(title, state, company) or acting


def operating_order(title: Title, state: State) -> tuple[CompanyId, ...]:
    """Minors, then public companies; each by price, then further right, then higher in the stack."""  # rule 6.1

    def place(company: CompanyId) -> tuple[bool, int, int, int]:
        marker, minor = state.prices[company], charter_of(title, state, company).kind == MINOR
        return (not minor, -title.chart.price(marker.cell), -marker.cell[1], marker.since)

    return tuple(sorted(state.prices, key=place))


def train_limit(title: Title, state: State, company: CompanyId) -> int:
    return title.phase(state).train_limits.get(charter_of(title, state, company).kind, NO_LIMIT)


def ran_before(state: State) -> tuple[TrainName, ...]:
    """Trains of the state railway that may not run again: companies that it has since taken over have run them in this
    operating round."""
    mark = state.marks.get(RAN_BEFORE)
    here = mark is not None and tuple(mark[:2]) == (state.round.set, state.round.number)
    return tuple(mark[2:]) if mark is not None and here else ()


def run_traits(title: Title, state: State, company: CompanyId) -> RunTraits:
    """Trains of the company, colour of off-board values, bonuses of its privates and of Ekaterinburg with Moscow."""
    # rule 9.5, 9.6, 9.7
    trains = sorted(state.companies[company].trains)
    if company == STATE:  # rule 12.2; a train that ran before may have rusted since
        trains = sorted((Counter(trains) - Counter(ran_before(state))).elements())
    bonuses = tuple(
        (p.bonus_hexes, p.bonus) for p in title.privates.values() if p.bonus and state.privates.get(p.id) == company
    )
    counted = rulings_of(title).ekaterinburg == "counts"
    pair = PairBonus(EKATERINBURG, MOSCOW, EKATERINBURG_BONUS, counted)
    reaches = tuple(title.trains[t].reach for t in trains)
    return RunTraits(company, tuple(trains), reaches, title.phase(state).colors[-1], bonuses, (pair,))
