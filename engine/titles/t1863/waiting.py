"""The companies that have their turns in an operating round still before them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.ids import CompanyId
from engine.core.state import Frame, State
from engine.core.title import Title
from engine.titles.t1863.market import operating_order
from engine.titles.t1863.policies import director
from engine.titles.t1863.rulings import rulings_of


@dataclass(frozen=True, slots=True)
class OperatingRound(Frame):
    """``waiting``: companies that have had no turn yet, in the order of the prices when the round began."""

    waiting: tuple[CompanyId, ...]


def next_company(title: Title, state: State, waiting: tuple[CompanyId, ...]) -> CompanyId | None:
    """The company whose turn is next: the dearest of those that wait. One that awaits its liquidation is left out, and
    one that nobody controls. None where no other is left."""  # rule 5.7, 12.25, 12.64, 5.8
    able = [c for c in operating_order(title, state) if c in waiting and director(title, state, c) is not None]
    if rulings_of(title).operating_ties == "live":
        return next(iter(able), None)
    return next((c for c in waiting if c in able), None)


def still_to_operate(state: State, company: CompanyId) -> bool:
    """True if the company has its whole turn of this round before it."""
    return any(company in frame.waiting for frame in state.agenda if isinstance(frame, OperatingRound))
