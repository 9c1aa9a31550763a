"""Dividends: the amount that a company pays, its distribution, and the move of the price."""

from __future__ import annotations

from typing import Literal

from engine.core.checks import Fact, Failure
from engine.core.events import Distributed
from engine.core.ids import BANK, TREASURY, CompanyId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.ledger import holders, shares
from engine.titles.t1863.market import dividend_columns, move_price, price_of
from engine.titles.t1863.player_debt import owe
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.shares import share_count, shorters, shorts_of


def revenue_of(state: State, company: CompanyId) -> int:
    """The revenue of the company's last run, or 0. It stays in the treasury until the dividend is declared."""
    return state.companies[company].last_run or 0


def dividend_step(title: Title) -> int:
    """The step between the dividends that may be declared."""  # rule 12.32
    return int(rulings_of(title).dividend_step)


def most_dividend(title: Title, state: State, company: CompanyId, revenue: int) -> int:
    """The highest dividend that the company may declare now with this ``revenue``, as a total: its revenue or its
    price, whichever is more, but no more than its cash. It is rounded down to the dividend step."""  # rule 5.4, 5.27
    step = dividend_step(title)
    most = max(revenue, price_of(title, state, company))
    return max(0, min(most, state.money(company)) // step * step)


def check_dividend(title: Title, state: State, company: CompanyId, amount: int) -> list[Failure]:
    """Every reason why the company may not declare a total dividend of ``amount``."""  # rule 5.4, 12.32
    step, cash = dividend_step(title), state.money(company)
    revenue, price = revenue_of(state, company), price_of(title, state, company)
    failures = []
    if amount < 0 or amount % step:
        failures.append(Failure("dividend.step", {"amount": amount, "step": step}))
    if amount > max(revenue, price):
        facts: dict[str, Fact] = {"company": company, "amount": amount, "revenue": revenue, "price": price}
        failures.append(Failure("dividend.most", {**facts, "most": max(revenue, price)}))
    if amount > cash:
        failures.append(Failure("dividend.money", {"company": company, "amount": amount, "cash": cash}))
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
