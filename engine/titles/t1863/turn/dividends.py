"""Dividends: the amount that a company pays, its distribution, and the move of the price."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from engine.core.agenda import Range
from engine.core.checks import Fact, Failure
from engine.core.events import Distributed
from engine.core.ids import BANK, TREASURY, CompanyId
from engine.core.orders import Dividend
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.ledger import holders, shares
from engine.titles.t1863.money.player_debt import owe
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.market import dividend_columns, move_price, price_of
from engine.titles.t1863.stock.shares import share_count, shorters, shorts_of


def revenue_of(state: State, company: CompanyId) -> int:
    """The revenue of the company's last run, or 0. It stays in the treasury until the dividend is declared."""
    return state.companies[company].last_run or 0


def dividend_step(title: Title) -> int | None:
    """The step between the dividends that may be declared; None if they are the prices of the chart."""  # rule 12.32
    step = rulings_of(title).dividend_step
    return None if step == "bands" else int(step)


def dividends(title: Title, revenue: int, limit: int) -> tuple[int, ...]:
    """The dividends up to ``limit`` that a company with this ``revenue`` may declare, as totals, the lowest first."""
    # rule 5.4, 12.32
    step = dividend_step(title)
    if step is not None:
        return tuple(range(0, limit + 1, step))
    return tuple(sorted({0, *(sum for sum in (*title.chart.prices.values(), revenue) if sum <= limit)}))


def payable(title: Title, state: State, company: CompanyId, revenue: int) -> tuple[int, ...]:
    """The dividends that the company may declare now with this ``revenue``, as totals, the lowest first: up to its
    revenue or its price, whichever is more, but no more than its cash."""  # rule 5.4, 5.27
    most = max(revenue, price_of(title, state, company))
    return dividends(title, revenue, max(0, min(most, state.money(company))))


def most_dividend(title: Title, state: State, company: CompanyId, revenue: int) -> int:
    """The highest dividend that the company may declare now with this ``revenue``, as a total."""  # rule 5.4, 5.27
    return payable(title, state, company, revenue)[-1]


def ranges(company: CompanyId, sums: Sequence[int]) -> Iterator[Range]:
    """The dividends ``sums`` of the company as a menu: each range has sums that are equally far apart."""
    for low, high, step in spans(sums):
        yield Range(Dividend(company, low), "amount", low, high, step)


def spans(sums: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """All ``sums``, in groups that are equally far apart: the lowest, the highest and the step of each."""
    low = 0
    for place in range(1, len(sums) + 1):
        part = sums[low : place + 1]
        if place == len(sums) or (len(part) > 2 and part[-1] - part[-2] != part[1] - part[0]):
            yield sums[low], sums[place - 1], sums[low + 1] - sums[low] if place - low > 1 else 1
            low = place


def check_dividend(title: Title, state: State, company: CompanyId, amount: int) -> list[Failure]:
    """Every reason why the company may not declare a total dividend of ``amount``."""  # rule 5.4, 12.32
    cash, revenue, price = state.money(company), revenue_of(state, company), price_of(title, state, company)
    failures = []
    if amount > max(revenue, price):
        facts: dict[str, Fact] = {"company": company, "amount": amount, "revenue": revenue, "price": price}
        failures.append(Failure("dividend.most", {**facts, "most": max(revenue, price)}))
    if amount > cash:
        failures.append(Failure("dividend.money", {"company": company, "amount": amount, "cash": cash}))
    sums = payable(title, state, company, revenue)
    if not failures and amount not in sums:
        near = (*[sum for sum in sums if sum < amount][-1:], *[sum for sum in sums if sum > amount][:1])
        told: dict[str, Fact] = {"amount": amount, "step": dividend_step(title), "near": near}
        failures.append(Failure("dividend.step", {**told, "spans": tuple(spans(sums))}))
    return failures


def pay_dividend(play: Play, company: CompanyId, amount: int) -> None:
    """Pay a checked dividend and move the price. Call this last: a player who cannot pay for his shorts is asked to
    sell shares."""  # rule 5.4, 12.33, 5.28
    title, revenue = play.title, revenue_of(play.state, company)
    play.pay(company, BANK, amount, "withheld", company)
    parts = share_count(title, play.state, company)
    for holder in holders(play.state, company):
        play.pay(BANK, holder, amount * shares(title, play.state, holder, company) // parts, "dividend", company)
    own = shares(title, play.state, TREASURY, company)
    play.pay(BANK, company, amount * own // parts, "dividend", company)
    kind: Literal["none", "full", "half"] = "none" if not amount else "full" if amount >= revenue else "half"
    play.emit(Distributed(company, kind, revenue, amount, revenue - amount))
    cell = play.state.prices[company].cell
    columns = dividend_columns(title, cell, amount)
    move_price(play, company, columns, "earnings" if columns > 0 else "no_dividend")
    if amount:
        _charge_shorts(play, company, amount)


def _charge_shorts(play: Play, company: CompanyId, amount: int) -> None:
    """Charge each player with shorts the dividend of a share for each. The first in order of play is asked first."""
    # rule 4.41
    parts, up = share_count(play.title, play.state, company), rulings_of(play.title).short_fractions == "up"
    for player in reversed(shorters(play.state, company)):
        owed = amount * shorts_of(play.state, player, company)
        owe(play, player, -(-owed // parts) if up else owed // parts, BANK, "short", company)
