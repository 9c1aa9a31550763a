"""Shares in a stock turn: purchases with their checks, limits, moves of the price, and sales as a menu lists them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.core.agenda import Choice, Exact, Range
from engine.core.checks import Failure
from engine.core.events import Bought, CertificatesMoved, PriceSet
from engine.core.ids import BANK, POOL, TREASURY, Actor, CompanyId, PlayerId
from engine.core.orders import Buy, Sell
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import all_shares, charter_of, ordinary_kind
from engine.holders.control import count
from engine.holders.ledger import counted, held_together
from engine.holders.succession import settle_director


def limit_of(title: Title, state: State) -> int:
    """The certificate limit for this number of players."""
    return title.table[len(state.players)].certificate_limit


def most_shares(title: Title, state: State, company: CompanyId) -> int:
    """The most shares of the company that one player may have, including those of companies that he controls."""
    percent = title.companies[company].holding_percent or title.table[len(state.players)].holding_percent
    return all_shares(title, state, company) * percent // 100


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
