"""The capital of a new company: cash and goods from its founder, worth twice its price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from engine.core.checks import Fact, Failure
from engine.core.events import PrivateMoved, TrainMoved
from engine.core.ids import CompanyId, Place, PrivateId, TrainName
from engine.core.orders import Float
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import count
from engine.holders.ledger import shares
from engine.titles.t1863.limits import BY_COMPANY
from engine.titles.t1863.market import in_red
from engine.titles.t1863.names import CLINK, DIRECTOR, TWO, extended
from engine.titles.t1863.presidency import move_shares, next_president
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.shares import is_minor

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
    """Yield ways to bring goods with ``order``: none; each private, each train and shares of each company alone; then
    as many of all of them together as the capital allows."""
    yield order
    found = state.companies.get(CompanyId(order.actor))
    ways = [[_with(order, trains=(train,))] for train in dict.fromkeys(found.trains if found is not None else ())]
    ways += [[_with(order, privates=(p,))] for p, owner in state.privates.items() if owner == order.actor]
    ways += [
        [_with(order, shares=((company, number),)) for number in _numbers(title, state, order, company)]
        for company in state.prices
        if company != order.actor
    ]
    yield from chain.from_iterable(ways)
    most = order
    for alone in ways:
        wider = (_with(most, way.trains, way.privates, way.shares) for way in reversed(alone))
        fits = (w for w in wider if not check_goods(title, state, w) and not any(check_capital(title, state, w)))
        most = next(fits, most)
    if len(goods_of(title, state, most)) > 1:
        yield most


def _numbers(title: Title, state: State, order: Float, company: CompanyId) -> list[int]:
    """The numbers of shares of a company that are worth trying, ascending: one, the president's certificate, as many as
    the capital needs, and all that may be brought; of a minor, both."""  # rule 4.2
    held, price = shares(title, state, order.actor, company), title.price(state, company)
    if not held or not price:
        return []
    if is_minor(title, state, company):
        return [TWO]
    president = count(state, order.actor, company, DIRECTOR) > 0
    needed = -(-2 * order.price // price)
    return sorted(n for n in {1, TWO if president else 1, needed, BY_COMPANY, held} if n <= min(held, BY_COMPANY))


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
