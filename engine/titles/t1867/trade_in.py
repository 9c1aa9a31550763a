"""Trains given in part payment for another, in phase 8."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.acts.act import Turn
from engine.acts.buy_train import BuyTrains, cheapest_of_bank_or_pool, new_trains
from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.events import TrainMoved
from engine.core.ids import BANK, POOL, CompanyId, TrainName
from engine.core.orders import Order, Train
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867.turn.company_turn import turns
from engine.families.f1867.turn.loans import LIMITS, RECEIVED, spendable
from engine.families.f1867.turn.trains import (
    buy_at,
    buy_train,
    check_face_value,
    check_train,
    list_trains,
    owes_train,
)
from engine.holders.charters import charter_of
from engine.titles.t1867.rulings import rulings_of

TRADED: Final = frozenset({"5", "6", "7", "8", "2+2", "5+5E"})
BOUGHT: Final = frozenset({"8", "2+2", "5+5E"})


def worth(title: Title, train: TrainName, trade: TrainName) -> int:
    """Half the price of ``trade``; 0 if it may not be given for ``train``."""  # rule 11.12
    half = title.trains[trade].cost // 2
    return half if train in BOUGHT and trade in TRADED and half < title.trains[train].cost else 0


def _allowed(title: Title, state: State, order: Train) -> bool:
    owned = state.companies[CompanyId(order.actor)].trains
    return (
        order.trade in owned
        and title.reached(state, "8")
        and order.source in (None, BANK, POOL)
        and worth(title, order.train, order.trade) > 0
    )


def _check(title: Title, state: State, turn: Turn, order: Train) -> list[Failure]:
    """Every reason to refuse a purchase. One with a trade-in needs no room."""  # rule 11.12
    if order.trade is None or order.train not in title.trains:
        return check_train(title, state, turn, order)
    if not _allowed(title, state, order):
        return [Failure("train.trade", {"train": order.train, "trade": order.trade})]
    return check_face_value(title, state, turn.company, order, _cost(title, order))


def _cost(title: Title, order: Train) -> int:
    assert order.trade is not None
    return title.trains[order.train].cost - worth(title, order.train, order.trade)


def _list(title: Title, state: State, turn: Turn) -> Iterator[Choice]:
    yield from list_trains(title, state, turn)
    used = ((train, POOL) for train in dict.fromkeys(state.pool_trains))
    for train, source in (*((train, None) for train in new_trains(title, state)), *used):
        for trade in dict.fromkeys(state.companies[turn.company].trains):
            order = Train(turn.company, train, source, trade=trade)
            if not _check(title, state, turn, order):
                yield Exact(order)


def _buy(play: Play, order: Train) -> None:
    if order.trade is None:
        buy_train(play, order)
        return
    play.emit(TrainMoved(order.trade, order.actor, POOL))  # rule 11.12
    buy_at(play, order, _cost(play.title, order))


def _owes(title: Title, state: State, company: CompanyId) -> Failure | None:
    """The reason why the company may not end its turn without a train; by a ruling none if only money that loans above
    the limit outweigh could pay for it."""  # rule 11.13
    duty, cheapest = owes_train(title, state, company), cheapest_of_bank_or_pool(title, state)
    if duty is not None and cheapest is not None and rulings_of(title).excess_loans == "lower":
        excess = max(0, state.companies[company].loans - LIMITS[charter_of(title, state, company).kind])
        if cheapest[2] > spendable(title, state, company) - RECEIVED * excess:
            return None
    return duty


@dataclass(frozen=True, slots=True)
class TradingTrains(BuyTrains):
    """Buying trains, also with one of the company's own in part payment."""

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, Train)
        return BuyTrains.cost(self, title, state, turn, order) if order.trade is None else _cost(title, order)


TURNS: Final = turns(TradingTrains(_check, _list, _buy, _owes, trades=True))
