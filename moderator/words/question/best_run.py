"""The best run of a company on the present track, found with little work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.core import orders as o
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.routes.optimum import Best
from engine.routes.optimum import best_run as found

LITTLE_WORK: Final = 3000
"""The maximum number of steps of the search for the best run that a menu shows: a few milliseconds."""


@dataclass(frozen=True, slots=True)
class BestNow:
    """The best run found with little work. ``value``: its revenue. ``bound``: an upper bound for the revenue of any
    run. ``routes``: those of the trains, with their ``values``."""

    value: int
    bound: int
    routes: tuple[o.Route, ...] = ()
    values: tuple[int, ...] = ()


def best_routes(title: Title, state: State, company: CompanyId) -> Best:
    """The best run of a company on the present track that is found with little work."""
    return found(state.board, title.policies.run_traits(title, state, company), LITTLE_WORK)


def best_now(title: Title, state: State, company: CompanyId) -> BestNow:
    """The best run of a company on the present track, as far as it can be found with little work."""
    best = best_routes(title, state, company)
    return BestNow(best.value, best.value if best.proven else best.bound, best.routes, best.values)
