"""Selling and buying shares in a stock turn: the checks, the payments and the change of director."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from engine.core.agenda import Choice, Exact, Range
from engine.core.checks import Failure
from engine.core.events import Bought, CertificatesMoved, PriceSet, Sold
from engine.core.ids import BANK, POOL, TREASURY, Actor, CompanyId, PlayerId
from engine.core.orders import Buy, Sell
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import all_shares, charter_of, directors_worth, ordinary_kind
from engine.holders.control import count, owner_of
from engine.holders.ledger import counted, held_together, shares
from engine.holders.succession import hand_over, settle_director, successor


@dataclass(frozen=True, slots=True)
class TradeRules:
    """``pool_percent``: the most of a company that may be in the pool. ``one_drop_a_turn``: a director's sales of one
    company in a turn count as one sale, at the first price and with one fall of the price; if False, each order is a
    sale of its own."""

    pool_percent: int = 50
    one_drop_a_turn: bool = True


def trading(title: Title, state: State) -> Iterator[CompanyId]:
    """Yield the companies in play whose shares are traded one by one."""
    for company, now in state.companies.items():
        if now.status == "open" and len(charter_of(title, state, company).certificates) > 1:
            yield company


def limit_of(title: Title, state: State) -> int:
    """The certificate limit for this number of players."""
    return title.table[len(state.players)].certificate_limit


def most_shares(title: Title, state: State, company: CompanyId) -> int:
    """The most shares of the company that one player may have, including those of companies that he controls."""
    percent = title.companies[company].holding_percent or title.table[len(state.players)].holding_percent
    return all_shares(title, state, company) * percent // 100


def check_sale(title: Title, state: State, rules: TradeRules, seller: Actor, order: Sell) -> list[Failure]:
    """Return every reason why ``seller`` may not sell this number of shares of the company."""
    company, failures = order.company, list[Failure]()
    if company not in state.companies or len(charter_of(title, state, company).certificates) < 2:
        return [Failure("sell.not_for_sale", {"company": company})]
    held = shares(title, state, seller, company)
    if order.doubles is not None:
        failures.append(Failure("order.no_such_part", {"part": "doubles"}))
    if order.count < 1:
        failures.append(Failure("sell.none", {"company": company}))
    if order.count > held:
        return [*failures, Failure("sell.not_held", {"company": company, "count": order.count, "held": held})]
    if not state.companies[company].operated:
        failures.append(Failure("sell.not_operated", {"company": company}))
    pool, total = shares(title, state, POOL, company), all_shares(title, state, company)
    room = total * rules.pool_percent // 100 - pool
    if order.count > room:
        failures.append(Failure("sell.pool_full", {"company": company, "count": order.count, "room": max(0, room)}))
    if owner_of(title, state, company) == seller:
        worth = directors_worth(title, state, company)
        left = held - order.count
        if left < worth and successor(title, state, company, seller, left) is None:
            failures.append(
                Failure("sell.director", {"company": company, "count": order.count, "most": max(0, held - worth)})
            )
    return failures


def sell(play: Play, rules: TradeRules, seller: Actor, order: Sell, sold: Mapping[CompanyId, int]) -> int:
    """Carry out a sale that has been checked and return the price per share. ``sold``: companies sold earlier in this
    turn, with the price at that time. If all sales of a turn are one (``one_drop_a_turn``), the same price is paid
    again and the marker does not fall again."""
    title, company = play.title, order.company
    price = title.price(play.state, company)
    first = not (rules.one_drop_a_turn and company in sold)
    if not first:
        price = sold[company]
    directing = owner_of(title, play.state, company) == seller
    if directing:
        left = shares(title, play.state, seller, company) - order.count
        heir = successor(title, play.state, company, seller, left)
        if heir is not None:
            hand_over(play, company, seller, heir)
    play.emit(CertificatesMoved(company, ordinary_kind(title, play.state, company), order.count, seller, POOL))
    play.pay(BANK, seller, price * order.count, "sale", company)
    play.emit(Sold(seller, company, order.count, price * order.count))
    if directing and first:
        move_price(play, company, "down", 1, "sale")
    return price


def move_price(play: Play, company: CompanyId, direction: str, steps: int, reason: str) -> None:
    """Move the price marker. A marker that stays in its space keeps its place in the stack."""
    title, state = play.title, play.state
    old = title.cell(state, company)
    new = title.chart.move(charter_of(title, state, company).kind, old, direction, steps)  # type: ignore[arg-type]
    if new != old:
        play.emit(PriceSet(company, new, title.chart.price(new), reason, title.chart.price(old)))


def sources(title: Title, state: State, company: CompanyId) -> tuple[str, ...]:
    """The places, ``treasury`` and ``pool``, that have an ordinary certificate of the company."""
    kind = ordinary_kind(title, state, company)
    return tuple(name for name, place in (("treasury", TREASURY), ("pool", POOL)) if count(state, place, company, kind))


def check_buy(
    title: Title, state: State, buyer: Actor, order: Buy, sold: frozenset[tuple[Actor, CompanyId]]
) -> list[Failure]:
    """Return every reason why ``buyer`` may not buy one certificate. ``sold``: the sellers and companies of the sales
    in this stock round."""
    company, failures = order.company, list[Failure]()
    if company not in state.companies or len(charter_of(title, state, company).certificates) < 2:
        return [Failure("buy.not_for_sale", {"company": company})]
    if state.companies[company].status != "open":
        return [Failure("buy.not_started", {"company": company, "status": state.companies[company].status})]
    if order.certificate is not None:
        failures.append(Failure("order.no_such_part", {"part": "certificate"}))
    found = sources(title, state, company)
    if not found or (order.source is not None and order.source not in found):
        failures.append(Failure("buy.none_left", {"company": company, "source": order.source, "left": found}))
    elif order.source is None and len(found) > 1:
        failures.append(Failure("ambiguous.source", {"company": company, "sources": found}))
    price = title.price(state, company)
    if state.money(buyer) < price:
        failures.append(Failure("buy.money", {"company": company, "price": price, "cash": state.money(buyer)}))
    most = most_shares(title, state, company)
    if held_together(title, state, buyer, company) >= most:
        failures.append(Failure("buy.holding_limit", {"company": company, "most": most}))
    if (buyer, company) in sold:
        failures.append(Failure("buy.sold_before", {"company": company}))
    failures.extend(check_certificates(title, state, buyer))
    return failures


def check_certificates(title: Title, state: State, buyer: Actor) -> list[Failure]:
    """Return every reason why ``buyer`` may not take one more certificate. A player has a limit, a company has none."""
    if buyer not in state.players:
        return []
    held, limit = counted(title, state, PlayerId(buyer)), limit_of(title, state)
    return [] if held < limit else [Failure("buy.certificate_limit", {"held": held, "limit": limit})]


def buy(play: Play, buyer: Actor, order: Buy) -> None:
    """Carry out a purchase that has been checked."""
    title, company = play.title, order.company
    source = order.source or sources(title, play.state, company)[0]
    place, payee = (TREASURY, company) if source == "treasury" else (POOL, BANK)
    take_shares(play, buyer, company, 1, place, payee, source)


def take_shares(play: Play, buyer: Actor, company: CompanyId, number: int, place: str, payee: str, source: str) -> None:
    """Buy ``number`` ordinary certificates from ``place`` at the current price. The director may change."""
    title = play.title
    price = title.price(play.state, company) * number
    play.pay(buyer, payee, price, "share", company)
    play.emit(
        CertificatesMoved(company, ordinary_kind(title, play.state, company), number, place, buyer),
        Bought(buyer, company, number, price, source),
    )
    settle_director(play, company, buyer)


def one_by_one(orders: Iterable[Sell]) -> Iterator[Choice]:
    """Yield each sale as a choice of its own. The first comes without a look at further sales."""
    return map(Exact, orders)


def in_ranges(orders: Iterable[Sell]) -> Iterator[Choice]:
    """Yield the sales as choices: consecutive numbers of shares of one company become one range."""
    low: Sell | None = None
    high = 0
    for order in orders:
        if low is not None and order.company == low.company and order.count == high + 1:
            high = order.count
            continue
        if low is not None:
            yield Range(low, "count", low.count, high)
        low, high = order, order.count
    if low is not None:
        yield Range(low, "count", low.count, high)
