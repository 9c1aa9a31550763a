"""Defaults for a silent player of 1844."""

from __future__ import annotations

from typing import Final

from engine.acts.buy_train import cheapest_of_bank_or_pool
from engine.core.orders import Bankrupt, Bid, Drop, Lay, Order, Pass, Repay, Start
from engine.defaults.choices import best_markers, cheapest_train, first, price, sale_for
from engine.defaults.common import (
    BUYS_SISTER_TRAIN,
    BUYS_TRAIN_IN_CASH,
    COMMON,
    DROPS,
    ENDS_TURN,
    PASSES,
    PAYS_FULL,
    RUNS_BEST,
    SELLS_OVER_LIMIT,
)
from engine.defaults.rule import DefaultRule, Question, Table
from engine.sensible.common import promise
from engine.titles.t1844.stock.auction import OpeningAuction
from engine.titles.t1844.stock.duties import DEBT, duties


def _bids_again(question: Question) -> Order | None:
    """The least bid for a private that the player has passed on before, if it is now offered again for as much. Without
    it an auction in which everybody is silent would never end."""  # rule 2.8
    frame = question.state.top
    assert isinstance(frame, OpeningAuction), frame
    if frame.least < question.title.privates[frame.item].minimum:
        return None
    for number in range(len(question.past) - 1, -1, -1):
        order = question.past[number]
        if not isinstance(order, Drop | Pass):
            return None
        if order.actor == question.ask.player:
            return first(Bid)(question)
    return None


def _lays_home(question: Question) -> Order | None:
    """The tile that the company must lay in its home: the cheapest and, of these, the one with the best reach."""
    # rule 6.3
    title, state, company = question.title, question.state, question.company

    def rank(order: Lay) -> tuple[int, int]:
        board = state.board.lay(order.hex, order.tile, order.rotation)
        return price(question, order), -promise(title, state, board, company)

    return min(question.of(Lay), key=rank, default=None)


def _repays(question: Question) -> Order | None:
    """The repayment of as much debt as the player's cash pays for."""  # rule 11.11
    return max(question.every(Repay), key=lambda order: order.amount, default=None)


def _sells_for_debt(question: Question) -> Order | None:
    """The sale that pays the debt of the exchange; None if the player need not sell for it."""  # rule 13.12
    frame = question.state.top
    found = duties(question.title, question.state, question.ask.player, getattr(frame, "sold_now", ()))
    return sale_for(question, found[DEBT].lack) if DEBT in found else None


def _sells_for_train(question: Question) -> Order | None:
    """The sale of the director's shares that pays for the cheapest train instead of debt."""  # rule 11.4, 11.5
    state = question.state
    cheapest = cheapest_of_bank_or_pool(question.title, state)
    cost = 0 if cheapest is None else cheapest[2]
    return sale_for(question, cost - state.money(question.company) - max(0, state.money(question.ask.player)))


def _highest_par(question: Question) -> Order | None:
    return max(question.of(Start), key=lambda order: order.price, default=None)  # rule 2.12


DEFAULTS: Final[Table] = {
    **COMMON,
    "auction.first": (DefaultRule("bids_when_offered_again", _bids_again), DROPS),
    "par": (DefaultRule("highest_par", _highest_par),),
    "stock.turn": (
        DefaultRule("sells_for_debt", _sells_for_debt),
        DefaultRule("repays_debt", _repays),
        PASSES,
        SELLS_OVER_LIMIT,
    ),
    "company.turn": (
        ENDS_TURN,
        RUNS_BEST,
        BUYS_TRAIN_IN_CASH,
        DefaultRule("sells_for_train", _sells_for_train),
        DefaultRule("buys_train_on_debt", cheapest_train),
        BUYS_SISTER_TRAIN,
        DefaultRule("bankrupt", first(Bankrupt)),
        DefaultRule("lays_home", _lays_home),
    ),
    "company.pay": (PAYS_FULL,),
    "keep.marker": (DefaultRule("keeps_best_markers", best_markers),),
}
