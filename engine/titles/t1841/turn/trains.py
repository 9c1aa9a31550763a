"""Trains: their purchase from the bank, the pool or another company, and the duty to own one."""

from __future__ import annotations

from collections.abc import Iterator

from engine.acts.buy_train import cheapest_of_bank_or_pool, next_new, price_of, train_room
from engine.board.map import Stop
from engine.board.network import has_route
from engine.core.checks import Fact, Failure
from engine.core.events import TrainMoved
from engine.core.ids import BANK, POOL, CompanyId, HexId
from engine.core.orders import Train
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1841.policies import FROM_CITIES
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.turn.earnings import STATIONS


def must_own(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company has no train and may not end its turn without one: a train is to be had, and one of the
    company's tokens in cities has a route, whatever those in passes have."""  # rule 8.6, clarification 2.21
    if state.companies[company].trains or cheapest_of_bank_or_pool(title, state) is None:
        return False
    key = ("duty", company)
    found = state.board.cache.get(key)
    if found is None:

        def counts(hex: HexId, stop: Stop) -> bool:
            return stop.kind in STATIONS

        found = state.board.remember(key, has_route(state.board, company, counts, FROM_CITIES))
    return bool(found)


def owes_train(title: Title, state: State, company: CompanyId) -> Failure | None:
    """Why the company may not end its turn without a train."""  # rule 8.6
    return Failure("train.must_own", {"company": company}) if must_own(title, state, company) else None


def price_due(title: Title, state: State, company: CompanyId) -> int | None:
    """The price of the train that the company must buy, the cheapest in bank or pool; None if it need not buy one."""
    # rule 8.9
    if not must_own(title, state, company):
        return None
    cheapest = cheapest_of_bank_or_pool(title, state)
    return None if cheapest is None else cheapest[2]


def check_train(title: Title, state: State, company: CompanyId, order: Train, helped: int = 0) -> list[Failure]:
    """Every reason against a purchase, consent aside. ``helped``: the money that others add for the train that the
    company must buy."""
    failures = list[Failure]()
    owned, limit = len(state.companies[company].trains), title.policies.train_limit(title, state, company)
    if owned >= limit:  # rule 8.3
        failures.append(Failure("train.limit", {"owned": owned, "limit": limit, "phase": state.phase}))
    if order.train not in title.trains:
        known = tuple(str(t) for t in title.trains)
        return [*failures, Failure("train.unknown", {"train": order.train, "known": known})]
    if order.source in (None, BANK, POOL):
        failures.extend(_at_printed_price(title, state, company, order, helped))
    else:
        failures.extend(_from_company(title, state, company, order))
    return failures


def _at_printed_price(
    title: Title, state: State, company: CompanyId, order: Train, helped: int
) -> Iterator[Failure]:  # rule 8.1
    cost = title.trains[order.train].cost
    if order.source == POOL:
        if order.train not in state.pool_trains:
            yield Failure("train.not_in_pool", {"train": order.train, "pool": state.pool_trains})
    elif order.train != (now := next_new(title, state)):
        yield Failure("train.not_on_sale", {"train": order.train, "on_sale": () if now is None else (now,)})
    if order.price not in (None, cost):
        yield Failure("train.face_value", {"train": order.train, "price": order.price, "cost": cost})
    cash = state.money(company)
    if cost > cash and cost != price_due(title, state, company):
        yield Failure("train.money", {"train": order.train, "cost": cost, "cash": cash})
    elif cost > cash + helped:  # rule 8.9
        yield Failure(
            "train.raise_first",
            {"company": company, "train": order.train, "cost": cost, "cash": cash, "help": helped},
        )


def _from_company(title: Title, state: State, company: CompanyId, order: Train) -> Iterator[Failure]:
    """Every reason against a purchase from another company, at any price that the buyer has in its own treasury."""
    # rule 8.2
    name = CompanyId(order.source or "")
    seller = state.companies.get(name)
    if seller is None or name == company or seller.status != "open":
        yield Failure("train.seller", {"seller": order.source})
        return
    if title.policies.director(title, state, name) is None and rulings_of(title).frozen_trains == "kept":  # rule 8.5
        yield Failure("train.frozen", {"seller": name})
    if order.train not in seller.trains:
        facts: dict[str, Fact] = {"seller": order.source, "train": order.train, "has": seller.trains}
        yield Failure("train.seller_has_none", facts)
        return
    cash = state.money(company)
    if order.price is None:
        yield Failure("train.price_missing", {"seller": name, "most": cash})
    elif not 1 <= order.price <= cash:
        yield Failure("train.price", {"price": order.price, "most": cash})


def buy_train(play: Play, company: CompanyId, order: Train) -> None:
    """Carry out a checked and agreed purchase that the company pays for."""  # rule 8.1, 8.2
    source = order.source or BANK
    cost = price_of(play.title, order)
    play.pay(company, BANK if source == POOL else source, cost, "train", order.train)
    play.emit(TrainMoved(order.train, source, company))
    if source == BANK:
        play.title.policies.train_bought(play, company, order.train)


def offers(title: Title, state: State, company: CompanyId, helped: int = 0) -> Iterator[tuple[Train, int, int]]:
    """Yield every legal purchase as an order with its lowest and its highest price."""
    if train_room(title, state, company) < 1:
        return
    new = next_new(title, state)
    fixed = [] if new is None else [Train(company, new)]
    fixed += [Train(company, train, POOL) for train in dict.fromkeys(state.pool_trains)]
    for order in fixed:
        if not check_train(title, state, company, order, helped):
            cost = price_of(title, order)
            yield order, cost, cost
    for seller, other in state.companies.items():
        for train in dict.fromkeys(other.trains) if seller != company else ():
            order = Train(company, train, seller, 1)
            if not check_train(title, state, company, order):
                yield order, 1, state.money(company)
