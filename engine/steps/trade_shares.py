"""Selling and buying shares in a stock turn: what may be traded, for how much, and who becomes director."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.core.checks import Failure
from engine.core.events import Bought, CertificatesMoved, PriceSet, Sold
from engine.core.ids import BANK, POOL, TREASURY, CompanyId, PlayerId
from engine.core.orders import Buy, Sell
from engine.core.play import Play
from engine.core.state import State
from engine.core.title import Title
from engine.finance.holdings import (
    all_shares,
    count,
    counted,
    director_kind,
    hand_over,
    holder_of_director,
    ordinary_kind,
    settle_director,
    shares,
    successor,
)


@dataclass(frozen=True, slots=True)
class TradeRules:
    """``pool_percent``: most of a company that may lie in the pool. ``one_drop_a_turn``: a director's sales of one
    company in a turn are one sale, at the first price and with one fall; otherwise each order is a sale of its own."""

    pool_percent: int = 50
    one_drop_a_turn: bool = True


def trading(title: Title, state: State) -> Iterator[CompanyId]:
    """Companies in play whose shares are traded one by one."""
    for company, now in state.companies.items():
        if now.status == "open" and len(title.companies[company].certificates) > 1:
            yield company


def limit_of(title: Title, state: State) -> int:
    """Certificate limit of the table."""
    return title.table[len(state.players)].certificate_limit


def most_shares(title: Title, state: State, company: CompanyId) -> int:
    """Shares of the company that one player may hold."""
    percent = title.companies[company].holding_percent or title.table[len(state.players)].holding_percent
    return all_shares(title, company) * percent // 100


def check_sale(title: Title, state: State, rules: TradeRules, player: PlayerId, order: Sell) -> list[Failure]:
    """Every reason why ``player`` may not sell so many shares of the company."""
    company, failures = order.company, list[Failure]()
    if company not in state.companies or len(title.companies[company].certificates) < 2:
        return [Failure("sell.not_for_sale", {"company": company})]
    held = shares(title, state, player, company)
    if order.doubles is not None:
        failures.append(Failure("order.no_such_part", {"part": "doubles"}))
    if order.count < 1:
        failures.append(Failure("sell.none", {"company": company}))
    if order.count > held:
        return [*failures, Failure("sell.not_held", {"company": company, "count": order.count, "held": held})]
    if not state.companies[company].operated:
        failures.append(Failure("sell.not_operated", {"company": company}))
    pool, total = shares(title, state, POOL, company), all_shares(title, company)
    room = total * rules.pool_percent // 100 - pool
    if order.count > room:
        failures.append(Failure("sell.pool_full", {"company": company, "count": order.count, "room": max(0, room)}))
    if holder_of_director(title, state, company) == player:
        kind = director_kind(title, company)
        worth = title.companies[company].certificates[kind][0].shares
        left = held - order.count
        if left < worth and successor(title, state, company, player, left) is None:
            failures.append(
                Failure("sell.director", {"company": company, "count": order.count, "most": max(0, held - worth)})
            )
    return failures


def sell(play: Play, rules: TradeRules, player: PlayerId, order: Sell, sold: Mapping[CompanyId, int]) -> int:
    """Carry out a checked sale; answers the price per share. ``sold``: companies sold earlier in this turn, with the
    price then, whose marker does not fall again where all sales of a turn are one."""
    title, company = play.title, order.company
    price = title.price(play.state, company)
    first = not (rules.one_drop_a_turn and company in sold)
    if not first:
        price = sold[company]
    directing = holder_of_director(title, play.state, company) == player
    if directing:
        left = shares(title, play.state, player, company) - order.count
        heir = successor(title, play.state, company, player, left)
        if heir is not None:
            hand_over(play, company, player, heir)
    play.emit(CertificatesMoved(company, ordinary_kind(title, company), order.count, player, POOL))
    play.pay(BANK, player, price * order.count, "sale", company)
    play.emit(Sold(player, company, order.count, price * order.count))
    if directing and first:
        move_price(play, company, "down", 1, "sale")
    return price


def move_price(play: Play, company: CompanyId, direction: str, steps: int, reason: str) -> None:
    """Move the price marker; one that stays in its space keeps its place in the stack."""
    title, state = play.title, play.state
    old = title.cell(state, company)
    new = title.chart.move(title.companies[company].kind, old, direction, steps)  # type: ignore[arg-type]
    if new != old:
        play.emit(PriceSet(company, new, title.chart.price(new), reason, title.chart.price(old)))


def sources(title: Title, state: State, company: CompanyId) -> tuple[str, ...]:
    """Where an ordinary certificate of the company can be bought."""
    kind = ordinary_kind(title, company)
    return tuple(name for name, place in (("treasury", TREASURY), ("pool", POOL)) if count(state, place, company, kind))


def check_buy(
    title: Title, state: State, player: PlayerId, order: Buy, sold: frozenset[tuple[PlayerId, CompanyId]]
) -> list[Failure]:
    """Every reason why ``player`` may not buy one certificate. ``sold``: who sold what in this stock round."""
    company, failures = order.company, list[Failure]()
    if company not in state.companies or len(title.companies[company].certificates) < 2:
        return [Failure("buy.not_for_sale", {"company": company})]
    if state.companies[company].status != "open" or holder_of_director(title, state, company) is None:
        return [Failure("buy.not_started", {"company": company})]
    if order.certificate is not None:
        failures.append(Failure("order.no_such_part", {"part": "certificate"}))
    found = sources(title, state, company)
    if not found or (order.source is not None and order.source not in found):
        failures.append(Failure("buy.none_left", {"company": company, "source": order.source, "left": found}))
    elif order.source is None and len(found) > 1:
        failures.append(Failure("ambiguous.source", {"company": company, "sources": found}))
    price = title.price(state, company)
    if state.money(player) < price:
        failures.append(Failure("buy.money", {"company": company, "price": price, "cash": state.money(player)}))
    most = most_shares(title, state, company)
    if shares(title, state, player, company) >= most:
        failures.append(Failure("buy.holding_limit", {"company": company, "most": most}))
    if (player, company) in sold:
        failures.append(Failure("buy.sold_before", {"company": company}))
    failures.extend(check_certificates(title, state, player))
    return failures


def check_certificates(title: Title, state: State, player: PlayerId) -> list[Failure]:
    """Whether ``player`` may take one more certificate."""
    held, limit = counted(title, state, player), limit_of(title, state)
    return [] if held < limit else [Failure("buy.certificate_limit", {"held": held, "limit": limit})]


def buy(play: Play, player: PlayerId, order: Buy) -> None:
    """Carry out a checked purchase."""
    title, company = play.title, order.company
    source = order.source or sources(title, play.state, company)[0]
    place, payee = (TREASURY, company) if source == "treasury" else (POOL, BANK)
    take_shares(play, player, company, 1, place, payee, source)


def take_shares(
    play: Play, player: PlayerId, company: CompanyId, number: int, place: str, payee: str, source: str
) -> None:
    """``number`` ordinary certificates at the current price from ``place``; the director may change."""
    title = play.title
    price = title.price(play.state, company) * number
    play.pay(player, payee, price, "share", company)
    play.emit(
        CertificatesMoved(company, ordinary_kind(title, company), number, place, player),
        Bought(player, company, number, price, source),
    )
    settle_director(play, company, player)
