"""The site's step of a company's turn of 1867 in which trains are bought."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product

from engine.acts.buy_train import new_trains, train_room
from engine.core.ids import CompanyId, TrainName
from engine.core.orders import Order
from engine.core.state import State
from engine.core.title import Title
from engine.site18xx.f1867.steps import buys_train, steps
from engine.site18xx.steps import SiteStep
from engine.titles.t1867.trade_in import BOUGHT, TRADED


def steps_with(stranded: Collection[TrainName]) -> Sequence[SiteStep]:
    """The site's steps. ``stranded``: trains of nationalised public companies, which the site goes on offering."""

    def waits(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
        left = bool(stranded) and train_room(title, state, company) > 0 and state.money(company) > 0
        return left or buys_train(title, state, company, given) or _trades(title, state, company)

    return steps(waits)


def _trades(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company could pay for a train with a trade-in. The site also counts trade-ins for a cheaper train."""
    if not title.reached(state, "8"):
        return False
    offered = [train for train in dict.fromkeys((*new_trains(title, state), *state.pool_trains)) if train in BOUGHT]
    own = [train for train in state.companies[company].trains if train in TRADED]
    prices = (title.trains[new].cost - title.trains[old].cost // 2 for new, old in product(offered, own))
    return any(price <= state.money(company) for price in prices)
