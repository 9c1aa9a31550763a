"""The companies that have not yet had their turn in an operating round."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.ids import CompanyId
from engine.core.state import Frame, State
from engine.core.title import Title
from engine.titles.t1863.policies import director
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.market import operating_order


@dataclass(frozen=True, slots=True)
class OperatingRound(Frame):
    """``waiting``: companies that have had no turn yet, in price order at the beginning of the round."""

    waiting: tuple[CompanyId, ...]


def next_company(title: Title, state: State, waiting: tuple[CompanyId, ...]) -> CompanyId | None:
    """The company whose turn is next: the one with the highest price among those waiting. By a ruling, the first in the
    order at the beginning of the round. Companies that await liquidation or that nobody controls are skipped. None if
    no other is left."""  # rule 5.7, 12.25, 12.64, 5.8
    able = [c for c in operating_order(title, state) if c in waiting and director(title, state, c) is not None]
    if rulings_of(title).operating_ties == "live":
        return next(iter(able), None)
    return next((c for c in waiting if c in able), None)


def still_to_operate(state: State, company: CompanyId) -> bool:
    """True if the company has not yet begun its turn in this round."""
    return any(company in frame.waiting for frame in state.agenda if isinstance(frame, OperatingRound))
