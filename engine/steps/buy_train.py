"""Buying trains: from the bank, from the pool, or from another company."""

from __future__ import annotations

from engine.core.checks import Failure
from engine.core.events import TrainMoved
from engine.core.ids import BANK, POOL, CompanyId, TrainName
from engine.core.orders import Train
from engine.core.play import Play
from engine.core.state import State
from engine.core.title import Title
from engine.finance.loans import pay_with_loans, spendable


def next_new(title: Title, state: State) -> TrainName | None:
    """The cheapest new train: the type whose turn it is, by the usual side of its card."""
    usual = (t.name for t in title.trains.values() if not t.special and t.card is None)
    return next((train for train in usual if state.supply.get(train, 1) > 0), None)


def new_trains(title: Title, state: State) -> tuple[TrainName, ...]:
    """All types that the bank sells new now: the cheapest, and special ones once they are available."""
    cheapest = next_new(title, state)
    special = tuple(
        t.name
        for t in title.trains.values()
        if t.special
        and state.supply.get(t.name, 1) > 0
        and (t.available_from is None or title.reached(state, t.available_from))
    )
    return ((cheapest,) if cheapest else ()) + special


def cheapest_of_bank_or_pool(title: Title, state: State) -> tuple[TrainName, str, int] | None:
    """The cheapest train for sale at face value: name, source and price; a used one before an equally dear new one."""
    found = [(title.trains[t].cost, 0, t, POOL) for t in state.pool_trains]
    found += [(title.trains[t].cost, 1, t, BANK) for t in new_trains(title, state)]
    if not found:
        return None
    cost, _, name, source = min(found)
    return name, source, cost


def train_room(title: Title, state: State, company: CompanyId) -> int:
    """Trains that the company may still take; negative when it has too many."""
    return title.policies.train_limit(title, state, company) - len(state.companies[company].trains)


def must_buy(title: Title, state: State, company: CompanyId) -> bool:
    """Whether a company without a train can afford one, with all the loans it may take."""
    if state.companies[company].trains or train_room(title, state, company) < 1:
        return False
    cheapest = cheapest_of_bank_or_pool(title, state)
    return cheapest is not None and cheapest[2] <= spendable(title, state, company)


def check_train(title: Title, state: State, company: CompanyId, order: Train) -> list[Failure]:
    """Every reason against a purchase, consent aside."""
    failures = list[Failure]()
    owned, limit = len(state.companies[company].trains), title.policies.train_limit(title, state, company)
    if owned >= limit:
        failures.append(Failure("train.limit", {"owned": owned, "limit": limit, "phase": state.phase}))
    data = title.trains.get(order.train)
    if data is None:
        known = tuple(str(t) for t in title.trains)
        return [*failures, Failure("train.unknown", {"train": order.train, "known": known})]
    if order.source in (None, BANK, POOL):
        return [*failures, *_check_face_value(title, state, company, order)]
    return [*failures, *_check_other(title, state, company, order)]


def _check_face_value(title: Title, state: State, company: CompanyId, order: Train) -> list[Failure]:
    failures = list[Failure]()
    cost = title.trains[order.train].cost
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


def buy_at_face_value(play: Play, company: CompanyId, train: TrainName, source: str) -> None:
    """A checked purchase from bank or pool, with loans if they are needed, and what follows from it."""
    cost = play.title.trains[train].cost
    pay_with_loans(play, company, BANK, cost, "train", train)
    play.emit(TrainMoved(train, source, company))
    if source == BANK:
        play.title.policies.train_bought(play, company, train)


def buy_from_company(play: Play, company: CompanyId, order: Train) -> None:
    """A checked and agreed purchase from another company."""
    assert order.source is not None and order.price is not None
    play.pay(company, order.source, order.price, "train", order.train)
    play.emit(TrainMoved(order.train, order.source, company))
