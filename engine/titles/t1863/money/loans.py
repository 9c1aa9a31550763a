"""Loans of companies: their number and limits, their cost, and the interest rate, which rises with their number."""

from __future__ import annotations

from typing import Literal

from engine.core.checks import Fact, Failure
from engine.core.events import LoansChanged, Marked, RateSet
from engine.core.ids import BANK, CompanyId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.titles.t1863.money.value import value_of, value_parts
from engine.titles.t1863.names import BORROWED, RATE, mark
from engine.titles.t1863.pieces import loan, loan_limit, loan_rates, loans_in_row
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.market import in_red, move_price

ALWAYS = 2
"""The number of loans that a company may have whatever its value."""


# ---- markers and rate ------------------------------------------------------------------------------------------------


def loans_out(state: State) -> int:
    """The number of loan markers that companies have taken."""
    return sum(company.loans for company in state.companies.values())


def loans_total(title: Title, players: int) -> int:
    """The number of loan markers in the game."""  # rule 12.2
    return len(loan_rates(title)) * loans_in_row(title, players)


def rate_of(title: Title, players: int, out: int) -> int:
    """The interest rate when ``out`` markers are taken: the rate of the highest row that is completely taken, or else
    the lowest rate."""
    # rule 6.6
    rates = loan_rates(title)
    full = min(out // loans_in_row(title, players), len(rates))
    return rates[max(full - 1, 0)]


def rate(state: State) -> int:
    """The present interest on one loan."""
    return mark(state, RATE, 0)


def set_rate(play: Play) -> None:
    """Set the interest rate again at the end of a stock round."""  # rule 4.8, 6.6
    now = rate_of(play.title, len(play.state.players), loans_out(play.state))
    if now != rate(play.state):
        play.emit(Marked(RATE, now))
    play.emit(RateSet(now))


def interest(state: State, company: CompanyId) -> int:
    """The interest that the company owes in an operating round."""
    return state.companies[company].loans * rate(state)


# ---- taking and repaying --------------------------------------------------------------------------------------------


def most_loans(title: Title, state: State, company: CompanyId) -> int:
    """The most loans that a company of this kind may have."""  # rule 6.1, 12.35
    return loan_limit(title, charter_of(title, state, company).kind)


def borrowed(state: State, company: CompanyId) -> int:
    """The number of loans that the company has taken since the round began."""
    taken: dict[CompanyId, int] = mark(state, BORROWED, {})
    return taken.get(company, 0)


def check_loans(title: Title, state: State, company: CompanyId, count: int) -> list[Failure]:
    """Every reason why the company may not take ``count`` loans now."""  # rule 6.1, 6.2, 12.36, 6.5
    facts: dict[str, Fact] = {"company": company, "count": count}
    if company not in state.companies:
        return [Failure("loan.holder", {"player": company})]
    if count < 1:
        return [Failure("loan.count", facts)]
    if in_red(title, state, company):
        return [Failure("loan.liquidation", facts)]
    failures = []
    left = loans_total(title, len(state.players)) - loans_out(state)
    if count > left:
        failures.append(Failure("loan.none_left", {**facts, "left": left}))
    held, most = state.companies[company].loans, most_loans(title, state, company)
    if held + count > most:
        failures.append(Failure("loan.limit", {**facts, "held": held, "most": most}))
    if count > _most_by_value(title, state, company, count):
        parts = dict(value_parts(title, state, company))
        needed = loan(title) * (borrowed(state, company) + count)
        failures.append(Failure("loan.value", {**facts, **parts, "value": sum(parts.values()), "needed": needed}))
    return failures


def _most_by_value(title: Title, state: State, company: CompanyId, wanted: int) -> int:
    """The number of loans, at most ``wanted``, that the value of the company allows. The value must exceed the money
    that they bring; the first two loans of a company are always allowed."""
    # rule 6.4, 13.5
    always = ALWAYS - state.companies[company].loans
    if wanted <= always or rulings_of(title).loose_valuations:
        return wanted
    covered = (value_of(title, state, company) - 1) // loan(title) - borrowed(state, company)
    return min(wanted, max(always, covered))


def loan_room(title: Title, state: State, company: CompanyId) -> int:
    """The number of loans that the company may still take now."""
    if in_red(title, state, company):
        return 0
    left = loans_total(title, len(state.players)) - loans_out(state)
    most = min(left, most_loans(title, state, company) - state.companies[company].loans)
    return max(0, _most_by_value(title, state, company, most))


def loan_bound(title: Title, state: State, company: CompanyId) -> Literal["red", "value", "left", "kind"]:
    """The reason why the company may take no more loans than its room: it is in the red, it is worth too little, no
    more markers are left, or its kind has no more."""  # rule 6.1, 6.4, 6.5
    if in_red(title, state, company):
        return "red"
    left = loans_total(title, len(state.players)) - loans_out(state)
    of_kind = most_loans(title, state, company) - state.companies[company].loans
    if loan_room(title, state, company) < min(left, of_kind):
        return "value"
    return "left" if left < of_kind else "kind"


def credit(title: Title, state: State, company: CompanyId) -> int:
    """The money that the company can still borrow."""
    return loan(title) * loan_room(title, state, company)


def take_loans(play: Play, company: CompanyId, count: int) -> None:
    """Take loans that were checked. The bank pays the money, and the price falls one column for each loan."""
    # rule 6.3
    if count < 1:
        return
    taken: dict[CompanyId, int] = mark(play.state, BORROWED, {})
    play.emit(LoansChanged(company, count, "taken"))
    play.emit(Marked(BORROWED, {**taken, company: taken.get(company, 0) + count}))
    play.pay(BANK, company, count * loan(play.title), "loan", company)
    move_price(play, company, -count, "loan")


def check_repayment(title: Title, state: State, company: CompanyId, count: int) -> list[Failure]:
    """Every reason why the company may not repay ``count`` loans."""
    if company not in state.companies:
        return [Failure("loan.holder", {"player": company})]
    held, cash, due = state.companies[company].loans, state.money(company), count * loan(title)
    failures = []
    if not 1 <= count <= held:
        failures.append(Failure("repay.count", {"company": company, "count": count, "held": held}))
    if due > cash:
        failures.append(Failure("repay.money", {"company": company, "due": due, "cash": cash}))
    return failures


def repay_loans(play: Play, company: CompanyId, count: int) -> None:
    """Repay loans. The price stays."""  # rule 6.3, 6.8
    if count:
        play.pay(company, BANK, count * loan(play.title), "repayment", company)
        play.emit(LoansChanged(company, -count, "repaid"))
