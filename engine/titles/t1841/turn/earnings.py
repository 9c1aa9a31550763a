"""Earnings: the stops that count, the dividend, and the move of the share price."""

from __future__ import annotations

from typing import Final

from engine.acts.pay_out import pay_shares
from engine.board.map import MARKED
from engine.core.events import Distributed
from engine.core.ids import BANK, CompanyId
from engine.core.orders import Pay
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import all_shares
from engine.routes.reach import RunTraits
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.market import move_price

STATIONS: Final = frozenset({"city", "town", "offboard"})
"""Kinds of stop of which a route needs two; passes and ports are not among them."""


def run_traits(title: Title, state: State, company: CompanyId) -> RunTraits:
    """The company's trains, the phase, and the requirements of a route."""  # rule 7.1, 7.2, 7.3, 7.7
    trains = tuple(sorted(state.companies[company].trains))
    return RunTraits(
        company=company,
        trains=trains,
        reaches=tuple(title.trains[t].reach for t in trains),
        color=title.phase(state).revenue_color,
        stations=STATIONS,
        marker_in=MARKED if rulings_of(title).pass_tokens_run else frozenset({"city"}),
    )


def nothing_earned(play: Play, company: CompanyId) -> None:
    """Report that the company has earned nothing, and move its price left."""  # rule 7.13
    play.emit(Distributed(company, "none", 0, 0, 0))
    move_price(play, company, "left", 1, "no_dividend")


def pay_as_chosen(play: Play, company: CompanyId, revenue: int, order: Pay) -> None:
    """Pay out the whole revenue or none of it. Players and companies are paid by percentage; the company itself is paid
    for the Initial Offering, and nobody for the pool. The price moves right if a paid revenue exceeds it, and left if
    nothing is paid."""
    # rule 7.11, 7.12, 7.13, clarification 5.1, 5.7
    if order.kind != "full":
        play.pay(BANK, company, revenue, "withheld", company)
        play.emit(Distributed(company, "none", revenue, 0, revenue))
        move_price(play, company, "left", 1, "no_dividend")
        return
    pay_shares(play, company, revenue // all_shares(play.title, play.state, company))
    play.emit(Distributed(company, "full", revenue, revenue, 0))
    if revenue > play.title.price(play.state, company):
        move_price(play, company, "right", 1, "earnings")
