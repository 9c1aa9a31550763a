"""The defaults of decisions that titles share. A title lists in its own table those that its players are asked for."""

from __future__ import annotations

from typing import Final

from engine.core.orders import Done, Drop, Pass, RunBest
from engine.defaults.choices import (
    certificates_fall,
    cheapest_discard,
    cheapest_train,
    first,
    least_sale,
    pays,
    silent,
    sister_train,
    train_in_cash,
)
from engine.defaults.rule import DefaultRule, Table

PASSES: Final = DefaultRule("passes", first(Pass))
DROPS: Final = DefaultRule("drops", first(Drop))
REFUSES: Final = DefaultRule("refuses", silent)
DECLINES_OFFER: Final = DefaultRule("declines_offer", silent)
DECLINES_MERGER: Final = DefaultRule("declines_merger", silent)
DISCARDS: Final = DefaultRule("discards", cheapest_discard)
SELLS_OVER_LIMIT: Final = DefaultRule(
    "sells_over_limit", lambda question: least_sale(question, certificates_fall(question))
)
ENDS_TURN: Final = DefaultRule("ends_turn", first(Done))
RUNS_BEST: Final = DefaultRule("runs_best", first(RunBest))
PAYS_FULL: Final = DefaultRule("pays_full", pays("full"))
BUYS_TRAIN: Final = DefaultRule("buys_train", cheapest_train)
BUYS_TRAIN_IN_CASH: Final = DefaultRule("buys_train_in_cash", train_in_cash)
BUYS_SISTER_TRAIN: Final = DefaultRule("buys_sister_train", sister_train)

COMMON: Final[Table] = {
    "auction.bid": (DROPS,),
    "stock.turn": (PASSES, SELLS_OVER_LIMIT),
    "company.turn": (ENDS_TURN, RUNS_BEST, BUYS_TRAIN),
    "consent": (REFUSES,),
    "discard": (DISCARDS,),
}
"""Decisions of every title."""
UNKNOWN: Final[tuple[DefaultRule, ...]] = (
    DefaultRule("silence", silent),
    ENDS_TURN,
    RUNS_BEST,
    PASSES,
    DROPS,
    DefaultRule("first_choice", lambda question: question.menu[0].order if question.menu else None),
)
"""The rules for a kind of decision that the table of its title does not list."""
