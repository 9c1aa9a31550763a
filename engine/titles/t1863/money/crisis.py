"""Bills that a company must pay, and its cash crises: its costs, the markers that it was floated with, and its
liability as president of another company."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from engine.core.agenda import Ask, Choice, Exact, Menu, Range
from engine.core.checks import Failure
from engine.core.events import CrisisBegan, LoansChanged
from engine.core.ids import BANK, CompanyId
from engine.core.orders import Borrow, Crisis, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.control import owner_of
from engine.titles.t1863.entities import player_of
from engine.titles.t1863.failures.failure import add_debt, forget_debt, owed, taken_apart
from engine.titles.t1863.money.loans import check_loans, loan_room, rate, take_loans
from engine.titles.t1863.money.player_debt import owe
from engine.titles.t1863.pieces import loan
from engine.titles.t1863.policies import director
from engine.titles.t1863.stock.markers_due import due, owe_markers, pay_markers
from engine.titles.t1863.stock.market import highest_not_above, in_red, into_liquidation, set_price
from engine.titles.t1863.stock.trading import to_pool
from engine.titles.t1863.turn.costs import bill

COSTS = "costs"
MARKERS = "markers"
DEBT = "debt"
"""Kinds of bills."""


@dataclass(frozen=True, slots=True)
class Bill(Frame):
    """A bill that exceeds the company's cash. ``what`` is its ``costs``, its ``markers``, or the ``debt`` of ``amount``
    for the company ``about``, of which it is president."""

    company: CompanyId
    what: Literal["costs", "markers", "debt"]
    amount: int = 0
    about: str = ""


def settle_bill(play: Play, company: CompanyId, what: Literal["costs", "markers"]) -> None:
    """Pay the bill. If the company's cash is too little, ask the company for a way to pay. Call this last: it may put a
    frame on top of the agenda."""  # rule 5.6, 7.1, 12.38, 5.35
    _settle(play, Bill(company, what))


def liable(play: Play, company: CompanyId, amount: int) -> None:
    """Make the president of the company pay ``amount`` to the bank for it. A player pays with his own money, and sells
    shares if he must. A company pays with cash and loans, which may bring it into a crisis; if it is itself in
    liquidation or being taken apart, it settles the debt then. Without a president, nobody pays. Call this last: it may
    put a frame on top of the agenda."""  # rule 7.2, 8.5, 10.2, 10.3
    owner = owner_of(play.title, play.state, company)
    if owner is None or not amount:
        return
    player = player_of(play.state, owner)
    if player is not None:
        owe(play, player, amount, BANK, "crisis", company)
        return
    _settle(play, Bill(CompanyId(owner), "debt", amount, company))


def _settle(play: Play, frame: Bill) -> None:
    company = frame.company
    if frame.what == DEBT and (in_red(play.title, play.state, company) or taken_apart(play.state, company)):
        add_debt(play, company, frame.amount)
    elif amount_of(play.title, play.state, frame) <= play.state.money(company):
        _pay(play, frame)
    else:
        play.push(frame)


def pay_debts(play: Play, company: CompanyId) -> None:
    """Pay the open bills and loans of a company that is being taken apart. The president pays what its cash does not
    cover. Call this last."""  # rule 8.5, 10.2, 10.3, 8.29
    bills, count, cash = owed(play.state, company), play.state.companies[company].loans, play.state.money(company)
    loans = count * loan(play.title)
    play.pay(company, BANK, min(bills, cash), "costs", company)
    play.pay(company, BANK, min(loans, cash - min(bills, cash)), "repayment", company)
    if count:
        play.emit(LoansChanged(company, -count, "repaid" if bills + loans <= cash else "settled"))
    forget_debt(play, company)
    liable(play, company, max(0, bills + loans - cash))


# ---- the bill --------------------------------------------------------------------------------------------------------


def amount_of(title: Title, state: State, frame: Bill) -> int:
    """The amount that the company must pay now. For its costs, this rises with each loan, by the interest on it."""
    if frame.what == COSTS:
        return bill(title, state, frame.company)
    return due(state, frame.company) if frame.what == MARKERS else frame.amount


def within_reach(title: Title, state: State, frame: Bill) -> bool:
    """True if the company's cash and all loans that it can take cover the bill."""
    room = loan_room(title, state, frame.company)
    each = loan(title) - (rate(state) if frame.what == COSTS else 0)
    return state.money(frame.company) + room * each >= amount_of(title, state, frame)


def _pay(play: Play, frame: Bill) -> None:
    """Pay the bill from the company's cash, which must cover it."""
    company = frame.company
    if frame.what == MARKERS:
        pay_markers(play, company)
    elif frame.what == COSTS:
        play.pay(company, BANK, amount_of(play.title, play.state, frame), "costs", company)
    else:
        play.pay(company, BANK, frame.amount, "crisis", frame.about)


class BillStep:
    """Asks the company for loans. If all its loans would be too little, asks whether it is liquidated or helped."""

    # rule 7.1, 7.2, 7.4

    def asked(self, title: Title, state: State, frame: Bill) -> tuple[Ask, ...]:
        company, player = frame.company, director(title, state, frame.company)
        if player is None or in_red(title, state, company):
            return ()
        amount, cash = amount_of(title, state, frame), state.money(company)
        if amount <= cash:
            return ()
        way = "loans" if within_reach(title, state, frame) else "crisis"
        about = (company, str(amount), str(cash), frame.about or frame.what)
        return (Ask(player, company, f"bill.{way}", about),)

    def menu(self, title: Title, state: State, frame: Bill, ask: Ask) -> Menu:
        return tuple(self._choices(title, state, frame))

    def _choices(self, title: Title, state: State, frame: Bill) -> Iterator[Choice]:
        company = frame.company
        if room := loan_room(title, state, company):
            yield Range(Borrow(company, 1), "count", 1, room)
        if not within_reach(title, state, frame):
            yield Exact(Crisis(company, "liquidate"))
            yield Exact(Crisis(company, "help"))

    def decide(self, play: Play, frame: Bill, ask: Ask, order: Order) -> None:
        if isinstance(order, Borrow):
            play.note(check_loans(play.title, play.state, frame.company, order.count))
            if not play.failures:
                take_loans(play, frame.company, order.count)
        elif isinstance(order, Crisis):
            play.note(_check_crisis(play.title, play.state, frame))
            if not play.failures:
                self._begin(play, frame, order.way)
        else:
            play.refuse("order.wrong_kind", asked=ask.what)

    def _begin(self, play: Play, frame: Bill, way: str) -> None:
        missing = amount_of(play.title, play.state, frame) - play.state.money(frame.company)
        play.emit(CrisisBegan(frame.company, missing))
        play.pop()
        if way == "liquidate":
            _liquidate(play, frame)
        else:
            _help(play, frame)

    def advance(self, play: Play, frame: Bill) -> None:
        play.pop()
        if amount_of(play.title, play.state, frame) <= play.state.money(frame.company):
            _pay(play, frame)
        else:
            _liquidate(play, frame)


def _check_crisis(title: Title, state: State, frame: Bill) -> list[Failure]:
    """Refuse a crisis if loans are enough to pay the bill."""  # rule 7.1, 7.8
    if not within_reach(title, state, frame):
        return []
    company, room = frame.company, loan_room(title, state, frame.company)
    amount, cash = amount_of(title, state, frame), state.money(company)
    return [Failure("crisis.loans", {"company": company, "due": amount, "cash": cash, "room": room})]


def _left_unpaid(play: Play, frame: Bill) -> int:
    """Remove the bill from the company and return its amount."""
    amount = amount_of(play.title, play.state, frame)
    if frame.what == MARKERS:
        owe_markers(play, frame.company, 0)
    return amount


def _liquidate(play: Play, frame: Bill) -> None:
    """Move the company into the red area. Its bill remains as a debt."""  # rule 7.1
    add_debt(play, frame.company, _left_unpaid(play, frame))
    into_liquidation(play, frame.company)


def _help(play: Play, frame: Bill) -> None:
    """Halve the price and sell the company's shares of others. If that is too little, the president gets all its cash
    and pays."""
    # rule 7.2, 7.5, 7.7
    title, company = play.title, frame.company
    set_price(play, company, highest_not_above(title, title.price(play.state, company) // 2), "crisis")
    to_pool(play, company)
    if amount_of(title, play.state, frame) <= play.state.money(company):
        _pay(play, frame)
        return
    owner = owner_of(title, play.state, company)
    assert owner is not None, frame
    amount = _left_unpaid(play, frame)
    play.pay(company, owner, play.state.money(company), "emergency", company)
    liable(play, company, amount)
