"""Running trains: the runs that a company may declare, and its best run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.acts.act import Act, Turn
from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.events import Ran
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Order, Run, RunBest
from engine.core.state import Note, State
from engine.core.title import Play, Title
from engine.routes.legality import can_run, check_run
from engine.routes.optimum import Best, best_run


@dataclass(frozen=True, slots=True)
class Earned(Note):
    """A note of the earnings that a company has declared in its turn; None before."""

    revenue: int | None = None


Declare: TypeAlias = "Callable[[Play, CompanyId, Run | RunBest], int | None]"


def _never_announced(title: Title) -> bool:
    """The usual ``RunTrains.announced``: the director alone declares runs."""
    return False


@dataclass(frozen=True, slots=True)
class RunTrains(Act):
    """Running trains. A company that can run must declare its runs before its turn goes on; a run is never skipped
    silently.

    ``declare`` checks and declares a run; it returns the earnings, or None if checks failed. ``less`` is True if a run
    below the best may be declared. ``earned`` carries out the effects of the declaration, ``idle`` the effects if no
    train can run. ``announced`` is True if others may announce a better run before the turn goes on.
    """

    declare: Declare
    less: Callable[[Title], bool]
    earned: Callable[[Play, Turn], None]
    idle: Callable[[Play, Turn], None]
    announced: Callable[[Title], bool] = _never_announced

    takes = (Run, RunBest)
    notes = (Earned,)
    follows = True

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        if able_to_run(title, state, turn.company):
            yield Exact(RunBest(turn.company))
            if self.less(title):
                yield Exact(Run(turn.company, ()))

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Run | RunBest)
        revenue = self.declare(play, turn.company, order)
        if revenue is not None:
            self.earned(play, turn.noting(Earned(revenue)))

    def due(self, title: Title, state: State, turn: Turn) -> Failure | None:
        return Failure("turn.run_first", {"company": turn.company}) if able_to_run(title, state, turn.company) else None

    def skipped(self, play: Play, turn: Turn) -> None:
        cannot_run(play, turn.company)
        self.idle(play, turn.noting(Earned(0)))


def able_to_run(title: Title, state: State, company: CompanyId) -> bool:
    """True if any of the company's trains has a legal run."""
    if not state.companies[company].trains:
        return False
    return can_run(state.board, title.policies.run_traits(title, state, company))


def cannot_run(play: Play, company: CompanyId) -> None:
    """Declare that the company, which has no legal run, earns nothing."""
    play.emit(Ran(company, (), (), 0, idle=why_idle(play.title, play.state, company)))


def why_idle(title: Title, state: State, company: CompanyId) -> Literal["", "no_train", "no_route"]:
    """The reason for which a company without a legal run has none; empty if none of its trains may run."""
    if not state.companies[company].trains:
        return "no_train"
    return "no_route" if title.policies.run_traits(title, state, company).trains else ""


def best_for(title: Title, state: State, company: CompanyId) -> Best:
    """The best set of runs of the company now, with its proof."""
    return best_run(state.board, title.policies.run_traits(title, state, company))


def declare(play: Play, company: CompanyId, order: Run | RunBest) -> int | None:
    """Check and declare a run. Returns the earnings, or None if a check failed."""
    title, state = play.title, play.state
    if isinstance(order, RunBest):
        return declare_best(play, company)
    checked = check_run(state.board, title.policies.run_traits(title, state, company), order.routes)
    play.note(checked.failures)
    if play.failures:
        return None
    play.emit(Ran(company, order.routes, checked.values, checked.total))
    return checked.total


def declare_best(play: Play, company: CompanyId) -> int:
    """Declare the best run and return its earnings."""
    best = best_for(play.title, play.state, company)
    play.emit(Ran(company, best.routes, best.values, best.value, best.proven))
    return best.value
