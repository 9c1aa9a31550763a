"""Defaults for a silent player in the decisions that cousins share."""

from __future__ import annotations

from typing import Final

from engine.acts.act import turn_in
from engine.acts.run_trains import Earned
from engine.core.ids import TREASURY
from engine.core.orders import Order, Pay
from engine.defaults.choices import best_markers, silent
from engine.defaults.common import BUYS_TRAIN, COMMON, DECLINES_MERGER, ENDS_TURN, PASSES, RUNS_BEST
from engine.defaults.rule import DefaultRule, Question, Table
from engine.families.f1867.turn.earnings import half_up
from engine.families.f1867.turn.interest import Owing
from engine.families.f1867.turn.loans import INTEREST, needed, room
from engine.holders.ledger import shares


def _pays(question: Question) -> Order | None:
    """The highest dividend after which the company can pay its interest, with new loans if need be; without such a
    dividend, none at all."""  # rule 6.9, 10.3
    title, state, company = question.title, question.state, question.company
    turn = turn_in(state)
    assert turn is not None, state.agenda
    revenue, due = turn.note(Earned).revenue or 0, turn.note(Owing).loans * INTEREST
    own = shares(title, state, TREASURY, company)
    ways = {order.kind: order for order in question.of(Pay)}
    for way, dividend in (("full", revenue), ("half", half_up(revenue))):
        kept = revenue - dividend + own * (dividend // 10)
        if way in ways and needed(title, state, company, due - kept) <= room(title, state, company):
            return ways[way]
    return ways.get("none")


FAMILY: Final[Table] = {
    **COMMON,
    "auction.open": (PASSES,),
    "company.turn": (ENDS_TURN, RUNS_BEST, BUYS_TRAIN),
    "company.pay": (DefaultRule("pays_and_keeps_interest", _pays),),
    "announce": (DefaultRule("lets_run_stand", silent),),
    "merger.turn": (DECLINES_MERGER,),
    "merger.keep": (DefaultRule("keeps_best_markers", best_markers),),
    "nationalise": (DefaultRule("keeps_company", silent),),
    "offer.shares": (DefaultRule("takes_fewest_shares", silent),),
}
"""The defaults of the family. Each cousin adds its own."""
