"""Loans in a company's turn. The company may take loans at any time, and may repay them before it runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.acts.act import Act, Turn
from engine.core.agenda import Choice, Range
from engine.core.checks import Failure
from engine.core.ids import PlayerId
from engine.core.orders import Borrow, Order, RepayLoans
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.money.loans import check_loans, check_repayment, loan_room, repay_loans, take_loans
from engine.titles.t1863.pieces import loan


@dataclass(frozen=True, slots=True)
class TakeLoans(Act):
    """Take loans at any time in the turn."""  # rule 5.1

    takes = (Borrow,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        if room := loan_room(title, state, turn.company):
            yield Range(Borrow(turn.company, 1), "count", 1, room)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Borrow)
        play.note(check_loans(play.title, play.state, turn.company, order.count))
        if not play.failures:
            take_loans(play, turn.company, order.count)


@dataclass(frozen=True, slots=True)
class Repay(Act):
    """Repay loans before routes are run."""  # rule 5.1

    takes = (RepayLoans,)

    def late(self, title: Title, state: State, turn: Turn, stage: str) -> Failure:
        return Failure("repay.late", {"company": turn.company})

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        if most := min(state.companies[turn.company].loans, state.money(turn.company) // loan(title)):
            yield Range(RepayLoans(turn.company, 1), "count", 1, most)

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, RepayLoans)
        return order.count * loan(title)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, RepayLoans)
        play.note(check_repayment(play.title, play.state, turn.company, order.count))
        if not play.failures:
            repay_loans(play, turn.company, order.count)
