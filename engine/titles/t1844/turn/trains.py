"""Purchases of trains: permitted trains and prices, the duty to own a train, and the help of the director."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.acts.buy_train import next_new, price_of, train_room
from engine.board.map import Stop
from engine.board.network import has_route
from engine.core.checks import Fact, Failure
from engine.core.events import TrainMoved
from engine.core.ids import BANK, POOL, CompanyId, HexId, TrainName
from engine.core.orders import Train
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.titles.t1844.names import FIRST_POWERS_PHASE, HISTORICAL, NATIONAL, REGIONAL, SBB
from engine.titles.t1844.policies import director
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.turn.debts import borrow

OBLIGED = frozenset({HISTORICAL, REGIONAL, NATIONAL})
"""Kinds of company that must own a train if they have a route. The SBB always has its own 5H, unless a ruling lets it
discard it."""


def new_faces(title: Title, state: State, company: CompanyId) -> tuple[TrainName, ...]:
    """The sides of the next new train among which the company may choose."""  # rule 10.3, 10.4
    return tuple(face for face in _all_new_faces(title, state) if _may_own(title, company, face))


def _all_new_faces(title: Title, state: State) -> tuple[TrainName, ...]:
    card = next_new(title, state)
    return () if card is None else (card, *(t.name for t in title.trains.values() if t.card == card))


def _may_own(title: Title, company: CompanyId, train: TrainName) -> bool:
    """True if the company may own the train. Regional companies may own only trains that count hexes."""  # rule 10.4
    return title.companies[company].charter.kind != REGIONAL or title.trains[train].reach.hexes is not None


def must_own(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company has no train and may not end its turn without one."""  # rule 10.13
    if charter_of(title, state, company).kind not in OBLIGED or state.companies[company].trains:
        return False
    rulings = rulings_of(title)
    terms = (rulings.train_duty, rulings.torino, rulings.h_trains_to_vaduz)
    key = ("duty", company, *terms, title.phase(state).colors[-1])
    found = state.board.cache.get(key)
    if found is None:
        found = state.board.remember(key, has_route(state.board, company, _counts(title, state, company)))
    return bool(found)


def owes_train(title: Title, state: State, company: CompanyId) -> Failure | None:
    """The reason why the company may not end its turn without a train; None if it may."""  # rule 10.13
    return Failure("train.must_own", {"company": company}) if must_own(title, state, company) else None


def _counts(title: Title, state: State, company: CompanyId) -> Callable[[HexId, Stop], bool]:
    """Return a test for the stops that are stations for the duty to own a train."""  # rule 10.14
    red_too = charter_of(title, state, company).kind != REGIONAL
    grey_too = red_too or rulings_of(title).h_trains_to_vaduz
    empty_too = rulings_of(title).train_duty == "mountain"
    worthless_too = rulings_of(title).torino != "no_station"
    color = title.phase(state).colors[-1]

    def counts(hex: HexId, stop: Stop) -> bool:
        if stop.kind == "mountain":
            return empty_too or stop.value(color) > 0
        if stop.kind == "offboard":
            open_to = red_too if title.map.hexes[hex].face.color == "red" else grey_too
            return open_to and (worthless_too or stop.value(color) > 0)
        return True

    return counts


# ---- checks ---------------------------------------------------------------------------------------------------------


def check_train(title: Title, state: State, company: CompanyId, order: Train) -> list[Failure]:
    """Every reason to refuse a purchase, except for missing consent."""
    failures = list[Failure]()
    owned, limit = len(state.companies[company].trains), title.policies.train_limit(title, state, company)
    if owned >= limit:  # rule 10.2
        failures.append(Failure("train.limit", {"owned": owned, "limit": limit, "phase": state.phase}))
    if order.train not in title.trains:
        known = tuple(str(t) for t in title.trains)
        return [*failures, Failure("train.unknown", {"train": order.train, "known": known})]
    if not _may_own(title, company, order.train):  # rule 10.4
        failures.append(Failure("train.regional", {"train": order.train, "company": company}))
    if order.source in (None, BANK, POOL):
        failures.extend(_at_printed_price(title, state, company, order))
    else:
        failures.extend(_from_company(title, state, company, order))
    return failures


def _at_printed_price(title: Title, state: State, company: CompanyId, order: Train) -> Iterator[Failure]:
    cost = title.trains[order.train].cost
    if order.source == POOL:  # rule 10.5
        if order.train not in state.pool_trains:
            yield Failure("train.not_in_pool", {"train": order.train, "pool": state.pool_trains})
    else:  # rule 10.3
        faces = new_faces(title, state, company)
        if order.train not in faces and _may_own(title, company, order.train):
            yield Failure("train.not_on_sale", {"train": order.train, "on_sale": faces})
    if order.price not in (None, cost):
        yield Failure("train.face_value", {"train": order.train, "price": order.price, "cost": cost})
    yield from _money(title, state, company, cost, order)


def _money(title: Title, state: State, company: CompanyId, cost: int, order: Train) -> Iterator[Failure]:
    """Refuse a price above the treasury, unless the company must buy: then its director helps."""
    # rule 10.16, 10.17, 11.1
    cash = state.money(company)
    if cost > cash and not must_own(title, state, company):
        yield Failure("train.money", {"train": order.train, "cost": cost, "cash": cash})


def _from_company(title: Title, state: State, company: CompanyId, order: Train) -> Iterator[Failure]:
    """Check a purchase from another company. The permitted price depends on its director."""
    name = CompanyId(order.source or "")
    seller = state.companies.get(name)
    if seller is None or order.source == company or director(title, state, name) is None:
        yield Failure("train.seller", {"seller": order.source})
        return
    if not title.reached(state, FIRST_POWERS_PHASE):  # rule 10.7
        yield Failure("train.too_early", {"phase": state.phase, "first": FIRST_POWERS_PHASE})
    if order.train not in seller.trains:
        facts: dict[str, Fact] = {"seller": order.source, "train": order.train, "has": seller.trains}
        yield Failure("train.seller_has_none", facts)
        return
    if not title.trains[order.train].tradable:  # rule 10.12
        yield Failure("train.not_tradable", {"train": order.train, "seller": order.source})
    yield from _price(title, state, company, name, order)


def _price(title: Title, state: State, company: CompanyId, seller: CompanyId, order: Train) -> Iterator[Failure]:
    cost, cash = title.trains[order.train].cost, state.money(company)
    fixed = printed_price_only(title, state, company, seller)
    price = cost if fixed and order.price is None else order.price
    if price is None:
        yield Failure("train.price_missing", {"seller": seller, "most": cash})
        return
    if fixed and price != cost:  # rule 10.9, 10.11
        yield Failure("train.printed_price", {"train": order.train, "price": price, "cost": cost})
        return
    if price < 1:  # rule 10.8
        yield Failure("train.price", {"price": price, "most": cash})
    if price <= cash:
        return
    if not must_own(title, state, company):
        yield Failure("train.money", {"train": order.train, "cost": price, "cash": cash})
        return
    if price > cost:  # rule 11.3
        yield Failure("train.help_price", {"train": order.train, "price": price, "cost": cost, "cash": cash})
    helper = director(title, state, company)
    assert helper is not None
    both = cash + state.money(helper)
    if not fixed and price > both and rulings_of(title).own_director_train == "cash":  # rule 11.3
        yield Failure("train.help_cash", {"train": order.train, "price": price, "most": both})


def printed_price_only(title: Title, state: State, company: CompanyId, seller: CompanyId) -> bool:
    """True if the two companies may trade trains only at the printed price."""  # rule 10.8, 10.9, 10.11
    fixed = rulings_of(title).sbb_trains == "printed" and SBB in (company, seller)
    return fixed or director(title, state, company) != director(title, state, seller)


# ---- purchase -------------------------------------------------------------------------------------------------------


def buy_train(play: Play, order: Train) -> None:
    """Carry out a checked and agreed purchase. The director pays what the treasury lacks, with debt if necessary."""
    # rule 10.17, 11.1, 11.4, 11.8
    company, cost = order.actor, price_of(play.title, order)
    source = order.source or BANK
    short = cost - play.state.money(company)
    lent_first = rulings_of(play.title).lending == "before"
    if short > 0 and lent_first:
        _help(play, company, short, order.train)
    play.pay(company, BANK if source == POOL else source, cost, "train", order.train)
    if short > 0 and not lent_first:  # the bank lends money that it has just been paid, so that this does not break it
        _help(play, company, short, order.train)
    take_train(play, company, order.train, source)
    if source == BANK:
        play.title.policies.train_bought(play, company, order.train)


def take_train(play: Play, company: CompanyId, train: TrainName, source: str) -> None:
    """Give the train to the company."""
    play.emit(TrainMoved(train, source, company))


def _help(play: Play, company: CompanyId, short: int, train: TrainName) -> None:
    player = director(play.title, play.state, company)
    assert player is not None
    missing = max(0, short - max(0, play.state.money(player)))
    if missing:
        borrow(play, player, missing)
    play.pay(player, company, short, "help", train)


# ---- what is for sale -----------------------------------------------------------------------------------------------


def offers(title: Title, state: State, company: CompanyId) -> Iterator[tuple[Train, int, int]]:
    """Every legal purchase, as an order with its least and greatest price."""
    if train_room(title, state, company) < 1:
        return
    fixed = [Train(company, train) for train in new_faces(title, state, company)]
    fixed += [Train(company, train, POOL) for train in dict.fromkeys(state.pool_trains)]
    for order in fixed:
        if not check_train(title, state, company, order):
            cost = price_of(title, order)
            yield order, cost, cost
    for seller, other in state.companies.items():
        if seller == company or director(title, state, seller) is None:
            continue
        for train in dict.fromkeys(other.trains):
            low, high = _prices(title, state, company, seller, train)
            if low <= high and not check_train(title, state, company, Train(company, train, seller, low)):
                yield Train(company, train, seller, low), low, high


def _prices(title: Title, state: State, company: CompanyId, seller: CompanyId, train: TrainName) -> tuple[int, int]:
    """The least and greatest price that the company may pay for a train of another one."""
    cost, cash = title.trains[train].cost, state.money(company)
    if printed_price_only(title, state, company, seller):
        return cost, cost
    if not must_own(title, state, company):
        return 1, cash
    helper = director(title, state, company)
    assert helper is not None
    most = cost if rulings_of(title).own_director_train == "debt" else min(cost, cash + state.money(helper))
    return 1, max(cash, most)


def printed_prices(title: Title, state: State, company: CompanyId) -> tuple[int, ...]:
    """Prices of the trains that the company may buy from bank and pool, lowest first."""
    faces = (*new_faces(title, state, company), *(t for t in state.pool_trains if _may_own(title, company, t)))
    return tuple(sorted(title.trains[t].cost for t in faces))


def most_help(title: Title, state: State, company: CompanyId) -> int:
    """The price up to which the director may sell shares: of the dearest train of bank and pool that the company may
    own or, where sales are limited by need, of the dearest one for any company."""  # rule 11.7
    if rulings_of(title).emergency_sales == "needed":
        return max((title.trains[t].cost for t in (*_all_new_faces(title, state), *state.pool_trains)), default=0)
    return max(printed_prices(title, state, company), default=0)
