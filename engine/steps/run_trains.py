"""Running trains: what a company may declare, and the best that it could."""

from __future__ import annotations

from engine.core.events import Ran
from engine.core.ids import CompanyId
from engine.core.orders import Run, RunBest
from engine.core.play import Play
from engine.core.state import State
from engine.core.title import Title
from engine.routes.legality import can_run, check_run
from engine.routes.optimise import Best, best_run


def able_to_run(title: Title, state: State, company: CompanyId) -> bool:
    """Whether any of the company's trains has a legal run."""
    if not state.companies[company].trains:
        return False
    return can_run(state.board, title.policies.run_traits(title, state, company))


def best_for(title: Title, state: State, company: CompanyId) -> Best:
    """The best set of runs of the company now, with its proof."""
    return best_run(state.board, title.policies.run_traits(title, state, company))


def declare(play: Play, company: CompanyId, order: Run | RunBest) -> int | None:
    """Check and declare a run; answers the earnings, or None where checks failed."""
    title, state = play.title, play.state
    if isinstance(order, RunBest):
        return declare_best(play, company)
    checked = check_run(state.board, title.policies.run_traits(title, state, company), order.routes)
    play.note(checked.failures)
    if play.failures:
        return None
    revenue = sum(checked.values)
    play.emit(Ran(company, order.routes, checked.values, revenue))
    return revenue


def declare_best(play: Play, company: CompanyId) -> int:
    """Declare the best run there is; nothing where there is none."""
    best = best_for(play.title, play.state, company)
    play.emit(Ran(company, best.routes, best.values, best.value, best.proven))
    return best.value
