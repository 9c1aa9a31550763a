"""Interest and repayment of loans, after the revenue is distributed and before trains are bought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.acts.act import Act, Turn
from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.ids import BANK, CompanyId, PlayerId
from engine.core.orders import Order, Settle
from engine.core.state import Note, State
from engine.core.title import Play, Title
from engine.families.f1867.kin import kin
from engine.families.f1867.mergers.nationalisation import nationalise
from engine.families.f1867.stock.private_sales import private_sales
from engine.families.f1867.turn.loans import INTEREST, needed, pay_with_loans, repay_all_possible, room

LOANS: Final = "loans"
"""The stage of interest and repayment."""
TRAINS: Final = "trains"
"""The stage of train purchases, which follows it."""


@dataclass(frozen=True, slots=True)
class Owing(Note):
    """The number of loans with which the company began its turn."""

    loans: int = 0


@dataclass(frozen=True, slots=True)
class SettleLoans(Act):
    """Interest and repayment. They follow without an order when the turn continues. The company is asked only if it
    could buy a private first."""  # rule 2.13, 6.8, 6.10

    takes = (Settle,)
    notes = (Owing,)
    follows = True

    def early(self, title: Title, state: State, turn: Turn) -> Failure | None:
        return Failure("settle.not_now", {"company": turn.company})

    def late(self, title: Title, state: State, turn: Turn, stage: str) -> Failure:
        return Failure("settle.not_now", {"company": turn.company})

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        yield Exact(Settle(turn.company))

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        settle(play, turn)

    def skipped(self, play: Play, turn: Turn) -> None:
        settle(play, turn)


def settle_in_time(play: Play, turn: Turn) -> None:
    """Settle interest and repayment at once, unless the company has loans and could buy a private first."""
    # rule 2.13
    turn = replace(turn, stage=LOANS)
    owing = turn.note(Owing).loans or play.state.companies[turn.company].loans
    if owing and next(private_sales(play.title, play.state, turn.company), None) is not None:
        play.become(turn)
    else:
        settle(play, turn)


def settle(play: Play, turn: Turn) -> None:
    """Pay interest on the loans that the company had at the start of its turn, then repay what it can."""
    # rule 6.8, 6.9, 6.10
    if turn.stage != TRAINS:
        play.become(replace(turn, stage=TRAINS))
    title, company = play.title, turn.company
    due = turn.note(Owing).loans * INTEREST
    if needed(title, play.state, company, due) <= room(title, play.state, company):
        pay_with_loans(play, company, BANK, due, "interest")
        repay_all_possible(play, company)
    else:
        _give_up(play, company)


def _give_up(play: Play, company: CompanyId) -> None:
    """Nationalise a company that cannot pay its interest even with new loans."""  # rule 6.9
    kin(play.title).interest_unpaid(play, company)
    nationalise(play, company, "interest")
