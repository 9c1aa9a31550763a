"""The rules that shared steps consult: directors, operating order, train limits and runs."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.ids import CompanyId, PlayerId, TrainName
from engine.core.state import State
from engine.core.title import Title
from engine.families.f1867.names import MINOR, NATIONAL
from engine.holders.charters import charter_of
from engine.holders.control import controller_of
from engine.routes.reach import PairBonus, RunTraits

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


def run_traits(
    title: Title, state: State, company: CompanyId, trains: Iterable[TrainName], pair: PairBonus
) -> RunTraits:
    """The trains that run, the colour of off-board values, the bonuses of the company's privates and that of a pair."""
    # rule 9.5, 9.6, 9.7
    bonuses = tuple(
        (p.bonus_hexes, p.bonus) for p in title.privates.values() if p.bonus and state.privates.get(p.id) == company
    )
    running = tuple(sorted(trains))
    reaches = tuple(title.trains[t].reach for t in running)
    return RunTraits(company, running, reaches, title.phase(state).colors[-1], bonuses, (pair,))
