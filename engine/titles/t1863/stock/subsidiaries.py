"""Taking shares of a company from a company that the player controls, for himself or for another of his companies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.agenda import Choice, Exact, Range
from engine.core.checks import Fact, Failure
from engine.core.events import Transferred
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.orders import Transfer
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.ledger import counted, shares
from engine.shares.limits import limit_of
from engine.shares.purchase import SoldBefore, check_sold_before
from engine.titles.t1863.entities import companies_of, player_of
from engine.titles.t1863.names import TWO
from engine.titles.t1863.stock.limits import BY_COMPANY
from engine.titles.t1863.stock.market import in_red, move_price
from engine.titles.t1863.stock.presidency import after_move, move_shares, next_president
from engine.titles.t1863.stock.shares import is_minor
from engine.titles.t1863.stock.trading import check_circles


def check_transfer(title: Title, state: State, order: Transfer, sold: SoldBefore = ()) -> list[Failure]:
    """Every reason why the player may not take these shares from his company."""  # rule 4.5, 12.21, 4.35
    company, source, target = order.company, order.source, order.target
    mine = companies_of(title, state, order.actor)
    if source not in mine or source == company:
        return [Failure("transfer.source", {"source": source, "companies": mine})]
    if target in (source, company) or (target != order.actor and target not in mine):
        others = tuple(c for c in mine if c not in (source, company))
        return [Failure("transfer.target", {"target": target, "companies": others})]
    held = 0 if company not in state.prices else shares(title, state, source, company)
    whole = company in state.prices and is_minor(title, state, company)
    if not 1 <= order.count <= held or (whole and order.count != TWO):
        facts: dict[str, Fact] = {"company": company, "source": source, "count": order.count, "held": held}
        return [Failure("transfer.count", {**facts, "minor": whole})]
    if in_red(title, state, company):
        return [Failure("trade.red", {"company": company})]
    cost, cash = transfer_cost(title, state, order), state.money(target)
    failures = check_sold_before(target, company, sold)
    if cost > cash:
        failures.append(Failure("transfer.money", {"company": company, "target": target, "cost": cost, "cash": cash}))
    return [*failures, *_check_holdings(title, state, order)]


def _check_holdings(title: Title, state: State, order: Transfer) -> Iterator[Failure]:
    """Check limits, circles and the presidency in the position after the transfer. The 60% limit is not affected: the
    shares already counted for the player."""  # rule 4.1
    company, target = order.company, order.target
    player = player_of(state, target)
    if not is_minor(title, state, company):
        held = shares(title, state, target, company)
        if player is None and held + order.count > BY_COMPANY:
            facts: dict[str, Fact] = {"company": company, "holder": target, "more": order.count}
            yield Failure("limit.company", {**facts, "held": held, "most": BY_COMPANY})
        after = after_move(title, state, company, order.count, order.source, target)
        if next_president(title, state, company, after) is None:
            yield Failure("transfer.presidency", {"company": company, "source": order.source})
            return
    move = partial(move_shares, company=company, number=order.count, source=order.source, target=target)
    yield from check_circles(title, state, company, order.count, order.source, target, move)
    if player is not None:
        play = Play(title, state)
        move(play)
        before, then, limit = counted(title, state, player), counted(title, play.state, player), limit_of(title, state)
        if then > max(limit, before):
            more: dict[str, Fact] = {"company": company, "holder": player, "more": order.count}
            yield Failure("limit.certificates", {**more, "held": before, "limit": limit})


def transfer_cost(title: Title, state: State, order: Transfer) -> int:
    """The full price of the shares; a minor counts as two."""  # rule 4.34
    return order.count * title.price(state, order.company)


def transfer(play: Play, order: Transfer) -> None:
    """Carry out a checked transfer. The giving company is paid, then the price falls one column for each share."""
    # rule 4.5, 12.21, 4.33
    title, company = play.title, order.company
    cost = transfer_cost(title, play.state, order)
    play.pay(order.target, order.source, cost, "share", company)
    play.emit(Transferred(company, order.count, order.source, order.target, cost))
    move_shares(play, company, order.count, order.source, order.target)
    move_price(play, company, -order.count, "sale")


def list_transfers(title: Title, state: State, player: PlayerId, sold: SoldBefore = ()) -> Iterator[Choice]:
    """Every legal transfer. Consecutive numbers of shares form one choice."""
    mine = companies_of(title, state, player)
    targets: tuple[Actor, ...] = (player, *mine)
    for source in mine:
        for company in state.prices:
            held = shares(title, state, source, company)
            for target in targets if held else ():
                orders = (Transfer(player, CompanyId(company), n, source, target) for n in range(1, held + 1))
                legal = [order.count for order in orders if not check_transfer(title, state, order, sold)]
                for low, high in _rows(legal):
                    order = Transfer(player, CompanyId(company), low, source, target)
                    yield Range(order, "count", low, high) if high > low else Exact(order)


def _rows(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """The first and the last number of each run of consecutive numbers."""
    for number in numbers:
        if number - 1 not in numbers:
            yield number, next(n for n in range(number, max(numbers) + 1) if n + 1 not in numbers)
