"""The bill of a company at the end of its turn: interest, markers on the map, and trains."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1863.money.loans import interest
from engine.titles.t1863.pieces import operating_cost
from engine.titles.t1863.privates.powers import token_rate


def cost_parts(title: Title, state: State, company: CompanyId) -> Mapping[str, int]:
    """The parts of the bill: ``interest`` on its loans at the present rate, its ``markers`` on the map, and its
    ``trains``, including those just bought."""  # rule 5.6, 5.34
    return {
        "interest": interest(state, company),
        "markers": len(state.board.places_of(company)) * token_rate(title, state, company),
        "trains": sum(operating_cost(title, train) for train in state.companies[company].trains),
    }


def bill(title: Title, state: State, company: CompanyId) -> int:
    """The amount that the company owes the bank at the end of its turn."""
    return sum(cost_parts(title, state, company).values())
