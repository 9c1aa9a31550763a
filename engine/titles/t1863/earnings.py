"""The counting of a company's trains, and the income of routes beside their stops."""

from __future__ import annotations

from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.routes.reach import RunTraits


def run_traits(title: Title, state: State, company: CompanyId) -> RunTraits:
    """Trains and phase, and what a route needs and earns."""  # rule 5.3
    trains = tuple(sorted(state.companies[company].trains))
    reaches = tuple(title.trains[t].reach for t in trains)
    return RunTraits(company=company, trains=trains, reaches=reaches, color=title.phase(state).revenue_color)
