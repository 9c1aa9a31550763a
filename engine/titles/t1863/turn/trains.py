"""Trains: purchases by a company from the current supply."""

from __future__ import annotations

from collections.abc import Iterator

from engine.acts.act import Turn
from engine.acts.buy_train import train_room
from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.events import TrainMoved
from engine.core.ids import BANK, CompanyId, TrainName
from engine.core.orders import Train
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.turn.supplies import current, faces


def on_sale(title: Title, state: State) -> tuple[TrainName, ...]:
    """The trains as which a card of the current supply may be bought."""  # rule 5.5, 12.10
    card = current(title, state)
    return () if card is None else faces(title, card)


def check_train(title: Title, state: State, turn: Turn, order: Train) -> list[Failure]:
    """Every reason why the company may not buy the train."""  # rule 5.5, 5.30
    company, failures = turn.company, list[Failure]()
    owned, limit = len(state.companies[company].trains), title.policies.train_limit(title, state, company)
    if owned >= limit:
        failures.append(Failure("train.limit", {"owned": owned, "limit": limit, "phase": state.phase}))
    if order.train not in title.trains:
        known = tuple(str(t) for t in title.trains)
        return [*failures, Failure("train.unknown", {"train": order.train, "known": known})]
    if order.source not in (None, BANK):
        failures.append(Failure("train.bank_only", {"train": order.train, "source": order.source}))
    if order.train not in (sold := on_sale(title, state)):
        failures.append(Failure("train.not_on_sale", {"train": order.train, "on_sale": sold}))
    cost, cash = title.trains[order.train].cost, state.money(company)
    if order.price not in (None, cost):
        failures.append(Failure("train.face_value", {"train": order.train, "price": order.price, "cost": cost}))
    if cost > cash:
        failures.append(Failure("train.money", {"train": order.train, "cost": cost, "cash": cash}))
    return failures


def list_trains(title: Title, state: State, turn: Turn) -> Iterator[Choice]:
    """Every legal purchase of a train."""
    if train_room(title, state, turn.company) < 1:
        return
    for train in on_sale(title, state):
        if title.trains[train].cost <= state.money(turn.company):
            yield Exact(Train(turn.company, train))


def buy_train(play: Play, order: Train) -> None:
    """Carry out a checked purchase and its effects."""  # rule 5.5
    play.pay(order.actor, BANK, play.title.trains[order.train].cost, "train", order.train)
    play.emit(TrainMoved(order.train, BANK, order.actor))
    play.title.policies.train_bought(play, order.actor, order.train)


def owes_train(title: Title, state: State, company: CompanyId) -> Failure | None:
    """Return None: no company has to own a train."""  # rule 5.5, 5.32
    return None
