"""Companies that nobody controls: their turn, and the sale that undoes a circle."""

from __future__ import annotations

from typing import Final

from engine.core.events import TurnBegan, TurnEnded
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import controller_of
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.circles import forced_circle_sales
from engine.titles.t1841.stock.history import remember_turn
from engine.titles.t1841.stock.market import move_price
from engine.titles.t1841.stock.trading import sell_group

FROZEN_COLUMNS: Final = 2
"""The columns that the marker of a frozen company goes left in its turn."""


def is_frozen(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company is in play and nobody controls it."""  # rule 11.2
    return state.companies[company].status == "open" and controller_of(title, state, company) is None


def sell_to_leave_circle(play: Play, company: CompanyId) -> None:
    """Sell all shares that a company frozen by a circle has of its owners, as one group at the full price. Neither the
    limit of the pool nor the lack of a president prevents the sale."""  # rule 11.5, clarification 2.24
    if rulings_of(play.title).circle_sales:
        sell_group(play, company, forced_circle_sales(play.title, play.state, company))


def frozen_turn(play: Play, company: CompanyId) -> None:
    """Carry out the turn of a frozen company: its price moves left, and it sells its owners' shares if it is in a
    circle."""
    # rule 11.3, 11.5, clarification 2.1, 2.24
    play.emit(TurnBegan(company))
    move_price(play, company, "left", FROZEN_COLUMNS, "frozen")
    sell_to_leave_circle(play, company)
    remember_turn(play, company)
    play.emit(TurnEnded(company))
