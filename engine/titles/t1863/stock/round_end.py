"""The end of a stock round, in the order of the rules."""

from __future__ import annotations

from engine.core.events import PriorityMoved
from engine.core.ids import POOL, CompanyId, PlayerId
from engine.core.title import Play
from engine.holders.ledger import shares
from engine.titles.t1863.ending.stalemate import look_for_stalemate
from engine.titles.t1863.money.loans import set_rate
from engine.titles.t1863.names import FINAL, PHASE_V, mark
from engine.titles.t1863.stock.frame import next_seat
from engine.titles.t1863.stock.market import move_price
from engine.titles.t1863.stock.shares import is_major, own_charter
from engine.titles.t1863.turn.supplies import export


def close_stock_round(play: Play, last: PlayerId | None) -> None:
    """Carry out the end of a stock round, once markers are paid. ``last``: the last player who did anything except
    pass, or None if nobody did. Priority then stays where it is."""  # rule 4.8, 12.23, 4.42
    if last is not None:
        play.emit(PriorityMoved(next_seat(play.state, last)))
    for company in play.title.policies.operating_order(play.title, play.state):
        if sold_out(play, company):
            move_price(play, company, 1, "sold_out")
    set_rate(play)
    if play.title.reached(play.state, PHASE_V) and not mark(play.state, FINAL, False):
        export(play)
    look_for_stalemate(play)


def sold_out(play: Play, company: CompanyId) -> bool:
    """True if the company is a major with no share on its charter or in the pool."""  # rule 4.43
    title, state = play.title, play.state
    left = own_charter(title, state, company) + shares(title, state, POOL, company)
    return is_major(title, state, company) and not left
