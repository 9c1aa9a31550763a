"""Defaults for a silent player of 1841."""

from __future__ import annotations

from functools import partial
from typing import Final

from engine.core.orders import Bankrupt, Order, Pass, Sell, Token, Tokens
from engine.core.state import State
from engine.defaults.choices import (
    best_markers,
    cheapest_train,
    city_value,
    first,
    least_sale,
    sale_for,
    silent,
    sister_train,
)
from engine.defaults.common import (
    COMMON,
    DECLINES_OFFER,
    ENDS_TURN,
    PASSES,
    PAYS_FULL,
    RUNS_BEST,
)
from engine.defaults.rule import Choose, DefaultRule, Question, Table
from engine.titles.t1841.money.emergency import need_of
from engine.titles.t1841.stock.limits import binding, lessened
from engine.titles.t1841.stock.trading import after_sale, list_sales
from engine.titles.t1841.turn.financial import must_sell
from engine.titles.t1841.turn.trains import price_due


def _sells_over_limit(question: Question) -> Order | None:
    """The sale that gives up least of those that reduce what the player has too much of."""  # rule 5.13
    title, state, player = question.title, question.state, question.ask.player
    owed = binding(
        title, state, player, partial(list_sales, title, state, player), partial(after_sale, title, state, player)
    )

    def helps(order: Sell, after: State) -> bool:
        return lessened(title, owed, player, after)

    return least_sale(question, helps)


def _sells_for_train(question: Question) -> Order | None:
    """The sale at half price that pays for the train, of the company or of the one above it whose turn it is."""
    # rule 8.10
    need = need_of(question.title, question.state, question.company)
    return sale_for(question, 0 if need is None else need.missing)


def _if_train_due(choose: Choose) -> Choose:
    """The choice only if the company must buy a train."""  # rule 8.6

    def chosen(question: Question) -> Order | None:
        due = price_due(question.title, question.state, question.company) is not None
        return choose(question) if due else None

    return chosen


def _sells_excess(question: Question) -> Order | None:
    """The sale that gives up least of those that reduce what the company has too much of."""  # rule 5.14, 5.15, 10.5
    title, company = question.title, question.company
    owed = must_sell(title, question.state, company)

    def helps(order: Sell, after: State) -> bool:
        return lessened(title, owed, company, after)

    return least_sale(question, helps)


def _sells_for_token(question: Question) -> Order | None:
    return sale_for(question, int(question.ask.about[1]))  # clarification 2.5


def _home(question: Question) -> Order | None:
    """No second home; as the first, the city with the highest value."""
    found = first(Pass)(question)
    return found or max(question.of(Token), key=lambda order: city_value(question, order.space), default=None)


def _bankrupt(way: str, question: Question) -> Order | None:
    return next((order for order in question.of(Bankrupt) if order.way == way), None)


_TURN: Final = (
    ENDS_TURN,
    RUNS_BEST,
    DefaultRule("buys_train", _if_train_due(cheapest_train)),
    DefaultRule("sells_for_train", _if_train_due(_sells_for_train)),
    DefaultRule("buys_sister_train", _if_train_due(sister_train)),
    DefaultRule("bankrupt_with_loan", partial(_bankrupt, "loan")),
    DefaultRule("resigns", partial(_bankrupt, "resign")),
    DefaultRule("sells_over_limit", _sells_excess),
)
DEFAULTS: Final[Table] = {
    **COMMON,
    "concessions.bids": (DefaultRule("bids_nothing", silent),),
    "concessions.open": (PASSES,),
    "stock.turn": (PASSES, DefaultRule("sells_over_limit", _sells_over_limit)),
    "company.turn": _TURN,
    "company.help": _TURN,
    "company.pay": (PAYS_FULL,),
    "founding.shares": (DefaultRule("no_further_shares", first(Pass)),),
    "founding.home": (DefaultRule("best_home", _home),),
    "founding.tokens": (DefaultRule("fewest_tokens", first(Tokens)),),
    "merger.exchange": (DefaultRule("exchanges_without_money", silent),),
    "merger.keep": (DefaultRule("keeps_best_markers", best_markers),),
    "offer.again": (DefaultRule("offers_no_more", silent),),
    "offer.shares": (DECLINES_OFFER,),
    "secession.part": (DefaultRule("first_part", silent),),
    "tokens.number": (DefaultRule("fewest_tokens", silent),),
    "tokens.raise": (DefaultRule("sells_for_token", _sells_for_token),),
}
