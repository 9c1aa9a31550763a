"""The formulas of 1863 that shared steps use."""

from __future__ import annotations

from engine.core.ids import CompanyId, HexId, PlayerId, TrainName
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.holders.control import controller_of
from engine.titles.t1863.names import PIRATE, PIRATE_AT, extended, mark
from engine.titles.t1863.stock.market import operating_order

__all__ = ["director", "extra_trains", "marker_cost", "operating_order", "reserved", "train_limit"]


def director(title: Title, state: State, company: CompanyId) -> PlayerId | None:
    """The player who controls a company in play, or None."""
    return controller_of(title, state, company) if state.companies[company].status == "open" else None


def train_limit(title: Title, state: State, company: CompanyId) -> int:
    """The most trains that the company may have. Trains that have rusted but may still run do not count, so they raise
    the limit."""  # rule 3.2, 9.4, 3.16
    limit = title.phase(state).train_limits[charter_of(title, state, company).kind]
    return limit + extra_trains(state, company)


def extra_trains(state: State, company: CompanyId) -> int:
    """The number of the company's trains that have rusted but may still run. All other trains of their types have left
    the game."""
    # rule 9.4
    types = extra_types(state)
    return sum(1 for train in state.companies[company].trains if train in types) if types else 0


def extra_types(state: State) -> set[TrainName]:
    """The types of train that have rusted, but of which some may still run."""  # rule 9.4
    return {train for _, train, *_ in extended(state)}


def marker_cost(title: Title, state: State, company: CompanyId, hex: HexId) -> int:
    """Return 0: the company paid for its markers when it got them, and places them free of charge."""  # rule 5.2
    return 0


def reserved(title: Title, state: State, hex: HexId, company: CompanyId) -> tuple[tuple[CompanyId, int], ...]:
    """The space that the pirate marker takes, if it is in this hex."""  # rule 9.12, 9.22
    at: tuple[HexId, int] | None = mark(state, PIRATE_AT, None)
    return ((PIRATE, at[1]),) if at is not None and at[0] == hex else ()
