"""Bills that a company must pay: for its operating costs, or for the markers that it was floated with."""

from __future__ import annotations

from typing import Literal

from engine.core.ids import BANK, CompanyId
from engine.core.title import Play
from engine.titles.t1863.costs import bill


def settle_bill(play: Play, company: CompanyId, what: Literal["costs", "markers"]) -> None:
    """Pay the bill, or ask the company how where its cash is too little. To be called last: it may put a frame on top
    of the agenda."""  # rule 5.6, 7.1
    due = bill(play.title, play.state, company)
    if play.state.money(company) < due:
        raise NotImplementedError
    play.pay(company, BANK, due, "costs", company)
