"""Defaults for a silent player of 1863."""

from __future__ import annotations

from typing import Final

from engine.core.decide import cost
from engine.core.orders import Borrow, Crisis, Dividend, Float, KeepPrivate, Order
from engine.defaults.choices import best_markers, first, sale_for, silent
from engine.defaults.common import (
    COMMON,
    DECLINES_MERGER,
    DROPS,
    ENDS_TURN,
    PASSES,
    RUNS_BEST,
    SELLS_OVER_LIMIT,
)
from engine.defaults.rule import DefaultRule, Question, Table
from engine.holders.control import owner_of
from engine.titles.t1863.turn.costs import bill
from engine.titles.t1863.turn.dividends import revenue_of


def _dividend(question: Question) -> Order | None:
    """The highest dividend up to the revenue that leaves the company its costs and interest in cash."""
    # rule 5.4, 5.6
    title, state, company = question.title, question.state, question.company
    most = min(revenue_of(state, company), state.money(company) - bill(title, state, company))
    found = sorted(question.every(Dividend), key=lambda order: order.amount)
    able = [order for order in found if order.amount <= most]
    return next(iter((*able[-1:], *found)), None)


def _helps(question: Question) -> Order | None:
    """Help, if the president's cash is enough for all that is missing."""  # rule 7.1, 7.2
    owner = owner_of(question.title, question.state, question.company)
    missing = int(question.ask.about[1]) - int(question.ask.about[2])
    able = owner is not None and question.state.money(owner) >= missing
    return _crisis(question, "help") if able else None


def _liquidates(question: Question) -> Order | None:
    return _crisis(question, "liquidate")


def _crisis(question: Question, way: str) -> Order | None:
    return next((order for order in question.of(Crisis) if order.way == way), None)


def _sells_for_debt(question: Question) -> Order | None:
    return sale_for(question, int(question.ask.about[0]) - int(question.ask.about[1]))  # rule 7.3


def _returns(question: Question) -> Order | None:
    return next((order for order in question.of(KeepPrivate) if not order.keep), None)  # rule 3.7


def _float(question: Question) -> Order | None:
    """The float that costs least, with cash alone and by the player himself where the rules allow both."""  # rule 4.2

    def rank(order: Float) -> tuple[bool, int, int, int]:
        goods = len(order.trains) + len(order.privates) + sum(number for _, number in order.shares)
        paid = cost(question.title, question.state, order) or 0
        return order.actor != question.ask.player, goods, order.price, paid

    return min(question.of(Float), key=rank, default=None)


_STOCK: Final = (PASSES, SELLS_OVER_LIMIT)
_LOT: Final = (DROPS,)
_FLOAT: Final = (DefaultRule("cheapest_float", _float),)
_OFFER: Final = (DefaultRule("offers_nothing", silent),)
_WINDOW: Final = (DefaultRule("declines_offer", silent),)
_DIVIDEND: Final = DefaultRule("pays_and_keeps_costs", _dividend)
DEFAULTS: Final[Table] = {
    **COMMON,
    "privates.keep": (DefaultRule("returns_private", _returns),),
    "privates.open": (PASSES,),
    "privates.offer": _OFFER,
    "privates.offer.for": _OFFER,
    "stock.turn": _STOCK,
    "stock.turn.for": _STOCK,
    "floating.float": _FLOAT,
    "floating.float.for": _FLOAT,
    "window.buyer": _WINDOW,
    "window.buy_or_short": _WINDOW,
    "window.buy_or_sell": _WINDOW,
    "company.turn": (ENDS_TURN, RUNS_BEST, _DIVIDEND),
    "company.dividend": (_DIVIDEND, ENDS_TURN),
    "bill.loans": (DefaultRule("borrows_for_bill", first(Borrow)),),
    "bill.crisis": (DefaultRule("helps_company", _helps), DefaultRule("liquidates", _liquidates)),
    "debt.sell": (DefaultRule("sells_for_debt", _sells_for_debt),),
    "trains.keep": (DefaultRule("keeps_no_train", silent),),
    "merger.turn": (DECLINES_MERGER,),
    "markers.stay": (DefaultRule("keeps_best_markers", best_markers),),
    "halves.share": (DefaultRule("takes_cash_for_half", silent),),
    "halves.short": (DefaultRule("keeps_short", silent),),
    "lptb.offer": (DefaultRule("keeps_company", silent),),
    "auction.lot": _LOT,
    "auction.lot.for": _LOT,
}
