"""Purchases of trains: permitted trains and prices, loans to pay for them, and the duty to own a train."""

from __future__ import annotations

from collections.abc import Iterator

from engine.acts.act import Turn
from engine.acts.buy_train import cheapest_of_bank_or_pool, new_trains, train_room
from engine.core.agenda import Choice, Exact, Range
from engine.core.checks import Failure
from engine.core.events import TrainMoved
from engine.core.ids import BANK, POOL, CompanyId
from engine.core.orders import Train
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867.turn.loans import credit, pay_with_loans, spendable


def must_buy(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company has no train and can afford one with all the loans it may take."""
    if state.companies[company].trains or train_room(title, state, company) < 1:
        return False
    cheapest = cheapest_of_bank_or_pool(title, state)
    return cheapest is not None and cheapest[2] <= spendable(title, state, company)


def train_credit(title: Title, state: State, company: CompanyId) -> int:
    """The money that the company can still borrow for a train: none if it owns one."""
    return 0 if state.companies[company].trains else credit(title, state, company)


def check_train(title: Title, state: State, turn: Turn, order: Train) -> list[Failure]:
    """Every reason to refuse a purchase, except for missing consent."""
    failures, company = list[Failure](), turn.company
    owned, limit = len(state.companies[company].trains), title.policies.train_limit(title, state, company)
    if owned >= limit:
        failures.append(Failure("train.limit", {"owned": owned, "limit": limit, "phase": state.phase}))
    data = title.trains.get(order.train)
    if data is None:
        known = tuple(str(t) for t in title.trains)
        return [*failures, Failure("train.unknown", {"train": order.train, "known": known})]
    if order.source in (None, BANK, POOL):
        return [*failures, *check_face_value(title, state, company, order, data.cost)]
    return [*failures, *_check_other(title, state, company, order)]


def check_face_value(title: Title, state: State, company: CompanyId, order: Train, cost: int) -> list[Failure]:
    """Every reason why the company may not buy a train of the bank or pool for ``cost``."""
    failures = list[Failure]()
    if order.source == POOL:
        if order.train not in state.pool_trains:
            failures.append(Failure("train.not_in_pool", {"train": order.train, "pool": state.pool_trains}))
    elif order.train not in new_trains(title, state):
        failures.append(Failure("train.not_on_sale", {"train": order.train, "on_sale": new_trains(title, state)}))
    if order.price not in (None, cost):
        failures.append(Failure("train.face_value", {"train": order.train, "price": order.price, "cost": cost}))
    cash = state.money(company)
    if state.companies[company].trains:
        if cost > cash:
            failures.append(Failure("train.money", {"train": order.train, "cost": cost, "cash": cash}))
    elif cost > spendable(title, state, company):
        limit = spendable(title, state, company)
        failures.append(Failure("train.loans", {"train": order.train, "cost": cost, "cash": cash, "with_loans": limit}))
    return failures


def _check_other(title: Title, state: State, company: CompanyId, order: Train) -> list[Failure]:
    seller = state.companies.get(CompanyId(order.source or ""))
    if seller is None or order.source == company:
        return [Failure("train.seller", {"seller": order.source})]
    failures = list[Failure]()
    if title.policies.director(title, state, CompanyId(order.source or "")) is None:
        failures.append(Failure("train.seller", {"seller": order.source}))
    if order.train not in seller.trains:
        facts = {"seller": order.source, "train": order.train, "has": seller.trains}
        failures.append(Failure("train.seller_has_none", facts))
    cash = state.money(company)
    if order.price is None:
        failures.append(Failure("train.price_missing", {"seller": order.source, "most": cash}))
    elif not 1 <= order.price <= cash:
        failures.append(Failure("train.price", {"price": order.price, "most": cash}))
    return failures


def owes_train(title: Title, state: State, company: CompanyId) -> Failure | None:
    """The reason why the company may not end its turn without a train; None if it may."""
    if not must_buy(title, state, company):
        return None
    return Failure("train.must_buy", {"company": company, "with_loans": spendable(title, state, company)})


def list_trains(title: Title, state: State, turn: Turn) -> Iterator[Choice]:
    """Every legal purchase of a train, with the range of prices where it is negotiable."""
    company = turn.company
    if train_room(title, state, company) < 1:
        return
    for train in new_trains(title, state):
        if not check_train(title, state, turn, Train(company, train)):
            yield Exact(Train(company, train))
    for train in dict.fromkeys(state.pool_trains):
        if not check_train(title, state, turn, Train(company, train, POOL)):
            yield Exact(Train(company, train, POOL))
    cash = state.money(company)
    for seller, other in state.companies.items():
        if seller != company and cash >= 1 and title.policies.director(title, state, seller) is not None:
            for train in dict.fromkeys(other.trains):
                yield Range(Train(company, train, seller, 1), "price", 1, cash)


def buy_train(play: Play, order: Train) -> None:
    """Carry out a checked and agreed purchase and its effects. Loans may pay only for trains of the bank and pool."""
    if order.source in (None, BANK, POOL):
        buy_at(play, order, play.title.trains[order.train].cost)
    else:
        assert order.price is not None and order.source is not None
        play.pay(order.actor, order.source, order.price, "train", order.train)
        play.emit(TrainMoved(order.train, order.source, order.actor))


def buy_at(play: Play, order: Train, cost: int) -> None:
    """Buy a train of the bank or pool for ``cost``, with loans if need be, and carry out its effects."""
    company, train, source = order.actor, order.train, order.source or BANK
    pay_with_loans(play, company, BANK, cost, "train", train)
    play.emit(TrainMoved(train, source, company))
    if source == BANK:
        play.title.policies.train_bought(play, company, train)
