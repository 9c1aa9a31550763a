"""The value of a company: what it owns and earns, less its loans."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.ids import TREASURY, CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.ledger import all_shares_in, shares
from engine.titles.t1863.pieces import loan
from engine.titles.t1863.rulings import rulings_of


def value_parts(title: Title, state: State, company: CompanyId) -> Mapping[str, int]:
    """The parts of the value: ``cash``; ``privates`` and ``trains`` at face value; ``shares`` of other companies at
    their prices; ``revenue`` of the last operating round; and ``loans``, which is 0 or negative. By a ruling also
    ``own`` shares."""
    # rule 6.7, 12.37
    now, held = state.companies[company], all_shares_in(title, state, (company,))
    parts = {
        "cash": state.money(company),
        "privates": sum(title.privates[p].face for p, owner in state.privates.items() if owner == company),
        "trains": sum(title.trains[t].cost for t in now.trains),
        "shares": sum(n * title.price(state, other) for other, n in held.items() if other in state.prices),
        "revenue": now.last_run or 0,
        "loans": -loan(title) * now.loans,
    }
    if rulings_of(title).own_shares_valued:
        parts["own"] = shares(title, state, TREASURY, company) * title.price(state, company)
    return parts


def value_of(title: Title, state: State, company: CompanyId) -> int:
    """The value of a company."""
    return sum(value_parts(title, state, company).values())
