"""The capital of a new company: cash and goods from its founder, worth twice its price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from engine.core.checks import Fact, Failure
from engine.core.events import PrivateMoved, TrainMoved
from engine.core.ids import Actor, CompanyId, Place, PrivateId, TrainName
from engine.core.orders import Float
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.ledger import shares
from engine.titles.t1863.names import CLINK, MINOR, TWO, extended
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.limits import BY_COMPANY
from engine.titles.t1863.stock.market import in_red
from engine.titles.t1863.stock.presidency import move_shares, next_president
from engine.titles.t1863.stock.shares import is_minor

Good = tuple[str, int]
"""A name and a value: one thing that the founder brings, and the amount that it counts for."""


def goods_of(title: Title, state: State, order: Float) -> tuple[Good, ...]:
    """The goods of an order to float. Trains, privates and single shares are listed one by one, a minor as a whole.
    Trains and privates count at face value, shares at their price."""  # rule 4.2, 12.15, 4.20
    found: list[Good] = [(train, title.trains[train].cost) for train in order.trains]
    found += [(private, title.privates[private].face) for private in order.privates]
    for company, number in order.shares:
        price = title.price(state, company)
        found += [(company, TWO * price)] if is_minor(title, state, company) else [(company, price)] * number
    return tuple(found)


def cash_needed(title: Title, state: State, order: Float) -> int:
    """The cash that the founder must add to the goods."""
    return max(0, 2 * order.price - sum(value for _, value in goods_of(title, state, order)))


def check_goods(title: Title, state: State, order: Float) -> list[Failure]:
    """Every reason why the founder cannot bring these goods."""
    # rule 4.2
    return [
        *_check_trains(title, state, order),
        *_check_privates(title, state, order),
        *_check_shares(title, state, order),
    ]


def _check_trains(title: Title, state: State, order: Float) -> Iterator[Failure]:
    """Refuse trains that the founder does not own, and more trains than the train limit. Refuse trains that have rusted
    but may still run: they cannot be brought in."""
    found = state.companies.get(CompanyId(order.actor))
    owned = Counter(found.trains if found is not None else ())
    owned -= Counter(train for owner, train, *_ in extended(state) if owner == order.actor)
    for train, number in Counter(order.trains).items():
        if owned[train] < number:
            yield Failure("float.train", {"founder": order.actor, "train": train, "has": tuple(owned.elements())})
    limit = title.phase(state).train_limits[order.kind]
    if len(order.trains) > limit:
        yield Failure("float.train_limit", {"kind": order.kind, "count": len(order.trains), "limit": limit})


def _check_privates(title: Title, state: State, order: Float) -> Iterator[Failure]:
    for private, number in Counter(order.privates).items():
        if state.privates.get(private) != order.actor or number > 1:
            has = tuple(p for p, owner in state.privates.items() if owner == order.actor)
            yield Failure("float.private", {"founder": order.actor, "private": private, "has": has})
        elif private == CLINK:  # rule 9.13
            yield Failure("float.clink", {"private": private})


def _check_shares(title: Title, state: State, order: Float) -> Iterator[Failure]:
    named = [company for company, _ in order.shares]
    for company, number in order.shares:
        held = shares(title, state, order.actor, company) if company in state.prices else 0
        whole = company in state.prices and is_minor(title, state, company)
        facts: dict[str, Fact] = {"founder": order.actor, "company": company, "count": number, "held": held}
        twice = named.count(company) > 1
        if not 1 <= number <= held or twice or company == order.actor or (whole and number != TWO):
            yield Failure("float.shares", {**facts, "minor": whole})
        elif in_red(title, state, company):
            yield Failure("trade.red", {"company": company})
        elif not whole and number > BY_COMPANY:
            limit: dict[str, Fact] = {"company": company, "holder": order.company, "more": number, "held": 0}
            yield Failure("limit.company", {**limit, "most": BY_COMPANY})
        elif not whole and _orphaned(title, state, order, company, number):
            yield Failure("float.presidency", facts)


def _orphaned(title: Title, state: State, order: Float, company: CompanyId, number: int) -> bool:
    """True if the company would have no president: neither its old holders nor the new company could take over."""
    after: dict[Place, int] = {order.actor: shares(title, state, order.actor, company) - number}
    return number < TWO and next_president(title, state, company, after) is None


def check_capital(title: Title, state: State, order: Float) -> Iterator[Failure]:
    """Every reason why the goods and cash do not match the capital. They must match it exactly; only the last of the
    goods may exceed it."""  # rule 4.2, 12.16, 4.19
    goods, capital = goods_of(title, state, order), 2 * order.price
    total = sum(value for _, value in goods)
    facts: dict[str, Fact] = {"capital": capital, "total": total, "goods": goods}
    largest = max((value for _, value in goods), default=0)
    over = total - (largest if rulings_of(title).capital_over == "last" else 0)
    if total > capital and (over >= capital or rulings_of(title).capital_over == "none"):
        yield Failure("float.goods_over", facts)
    needed = cash_needed(title, state, order)
    if order.cash not in (None, needed):
        yield Failure("float.capital", {**facts, "cash": order.cash, "needed": needed})


def bring(play: Play, order: Float, cash: int) -> None:
    """Move the capital to the new company. Moving shares this way is no sale, and no price moves."""  # rule 4.2
    company, founder = order.company, order.actor
    play.pay(founder, company, cash, "capital", company)
    for train in order.trains:
        play.emit(TrainMoved(train, founder, company))
    for private in order.privates:
        play.emit(PrivateMoved(private, company))
    for other, number in order.shares:
        move_shares(play, other, number, founder, company)


def all_goods(title: Title, state: State, order: Float) -> Iterator[Float]:
    """Yield ways to bring goods with ``order``: none; each private, trains of each type, and each number of shares of
    each company alone; then the set that leaves least of the capital to pay in cash."""
    yield order
    ways = _ways(title, state, order)
    yield from chain.from_iterable(ways)
    most = _fullest(title, state, order, ways)
    if len(goods_of(title, state, most)) > 1 and not any(most in alone for alone in ways):
        yield most


def worth(title: Title, state: State, founder: Actor) -> int:
    """The most that the founder's goods could add to the capital of any company."""
    alone = (each[-1] for each in _ways(title, state, Float(founder, CompanyId(""), MINOR, 0)) if each)
    return sum(value for way in alone for _, value in goods_of(title, state, way))


def _ways(title: Title, state: State, order: Float) -> list[list[Float]]:
    """For each private, type of train and company of which the founder has anything, the orders that bring it: each
    number of trains or shares, ascending; a minor as a whole. A company may have no more than five shares."""
    # rule 4.2
    founder = order.actor
    company = state.companies.get(CompanyId(founder))
    trains = Counter(company.trains if company is not None else ())
    ways = [[_with(order, trains=(train,) * n) for n in range(1, has + 1)] for train, has in trains.items()]
    ways += [[_with(order, privates=(p,))] for p, owner in state.privates.items() if owner == founder]
    for other in state.prices:
        held = shares(title, state, founder, other)
        if held and title.price(state, other) and other != founder:
            least, most = (TWO, TWO) if is_minor(title, state, other) else (1, min(held, BY_COMPANY))
            ways.append([_with(order, shares=((other, number),)) for number in range(least, most + 1)])
    return ways


def _fullest(title: Title, state: State, order: Float, ways: list[list[Float]]) -> Float:
    """The set of goods that covers the capital with the least left over, or else covers most of it."""
    capital, reached = 2 * order.price, {0: order}
    legal = [[way for way in alone if not check_goods(title, state, way)] for alone in ways]
    for alone in legal:
        for total, most in tuple(reached.items()):
            for way in alone if total < capital else ():
                value = total + sum(value for _, value in goods_of(title, state, way))
                wider = _with(most, way.trains, way.privates, way.shares)
                if value not in reached and _fits(title, state, wider):
                    reached[value] = wider
        if capital in reached:
            break
    return reached[min((value for value in reached if value >= capital), default=max(reached))]


def _fits(title: Title, state: State, order: Float) -> bool:
    return not check_goods(title, state, order) and not any(check_capital(title, state, order))


def _with(
    order: Float,
    trains: tuple[TrainName, ...] = (),
    privates: tuple[PrivateId, ...] = (),
    shares: tuple[tuple[CompanyId, int], ...] = (),
) -> Float:
    """Return the order with these goods added."""
    return replace(
        order,
        trains=(*order.trains, *trains),
        privates=(*order.privates, *privates),
        shares=(*order.shares, *shares),
    )
