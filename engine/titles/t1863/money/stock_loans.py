"""Loans of a company in a player's turn of a stock round, and early payments for its markers. They do not count as an
action."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.acts.player.act import PlayerAct
from engine.core.agenda import Choice, Exact, Range
from engine.core.checks import Failure
from engine.core.ids import Actor, CompanyId
from engine.core.orders import Borrow, RepayLoans, Settle
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.money.loans import check_loans, check_repayment, loan_room, repay_loans, take_loans
from engine.titles.t1863.pieces import loan
from engine.titles.t1863.stock.frame import StockRound
from engine.titles.t1863.stock.markers_due import check_settle, due, pay_markers


def _list_loans(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    company = CompanyId(actor)
    if company in state.companies and (room := loan_room(title, state, company)):
        yield Range(Borrow(company, 1), "count", 1, room)


def _check_loans(title: Title, state: State, frame: StockRound, order: Borrow) -> list[Failure]:
    return check_loans(title, state, order.actor, order.count)


def _borrow(play: Play, order: Borrow) -> None:
    take_loans(play, order.actor, order.count)


def _list_repayments(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    company = CompanyId(actor)
    if company in state.companies and (most := _most_repaid(title, state, company)):
        yield Range(RepayLoans(company, 1), "count", 1, most)


def _most_repaid(title: Title, state: State, company: CompanyId) -> int:
    return min(state.companies[company].loans, state.money(company) // loan(title))


def _check_repayment(title: Title, state: State, frame: StockRound, order: RepayLoans) -> list[Failure]:
    return check_repayment(title, state, order.actor, order.count)


def _repayment(title: Title, state: State, order: RepayLoans) -> int:
    return order.count * loan(title)


def _repay(play: Play, order: RepayLoans) -> None:
    repay_loans(play, order.actor, order.count)


def _list_settlement(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    company = CompanyId(actor)
    if due(state, company) and not check_settle(title, state, company):
        yield Exact(Settle(company))


def _check_settle(title: Title, state: State, frame: StockRound, order: Settle) -> list[Failure]:
    return check_settle(title, state, order.actor)


def _settlement(title: Title, state: State, order: Settle) -> int:
    return due(state, order.actor)


def _settle(play: Play, order: Settle) -> None:
    pay_markers(play, order.actor)


def _note_company(title: Title, state: State, frame: StockRound, order: Borrow | RepayLoans | Settle) -> StockRound:
    return replace(frame, entity=order.actor)


# rule 4.6
BORROW: Final = PlayerAct(
    name="BorrowLoans", takes=(Borrow,), list=_list_loans, check=_check_loans, do=_borrow,
    ends=False, notes=_note_company,
)  # fmt: skip
REPAY: Final = PlayerAct(
    name="RepayLoans", takes=(RepayLoans,), list=_list_repayments, check=_check_repayment, do=_repay,
    ends=False, notes=_note_company, price=_repayment,
)  # fmt: skip
PAY_MARKERS: Final = PlayerAct(
    name="PayMarkers", takes=(Settle,), list=_list_settlement, check=_check_settle, do=_settle,
    ends=False, notes=_note_company, price=_settlement,
)  # fmt: skip
