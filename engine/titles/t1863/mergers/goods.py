"""The property of companies that become one: it is joined, and what exceeds the limits is given up."""

from __future__ import annotations

from engine.core.checks import Failure
from engine.core.events import (
    CertificatesMoved,
    DirectorChanged,
    EarningsJoined,
    LoansChanged,
    Marked,
    PrivateMoved,
    TrainMoved,
)
from engine.core.ids import TREASURY, CompanyId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import count
from engine.holders.ledger import shares
from engine.titles.t1863.money.loans import most_loans, repay_loans
from engine.titles.t1863.names import BORROWED, DIRECTOR, EXTRA, MAJOR, ORDINARY, extended, mark
from engine.titles.t1863.phases import ask_for_discards
from engine.titles.t1863.pieces import loan, loan_limit
from engine.titles.t1863.stock.presidency import move_shares, settle_president


def join_goods(play: Play, others: tuple[CompanyId, ...], survivor: CompanyId) -> None:
    """Move the cash, trains, privates, loans and shares of the ``others`` to the ``survivor``, and its own shares to
    its charter. Shares of the ``others`` stay where they are: they leave play with their companies. The last earnings
    are added up too."""
    # rule 8.2, 8.3, 8.6, 8.17
    for other in others:
        play.pay(other, survivor, play.state.money(other), "merged", other)
        _join_trains(play, other, survivor)
        for private, owner in tuple(play.state.privates.items()):
            if owner == other:
                play.emit(PrivateMoved(private, survivor))
        _join_loans(play, other, survivor)
        _join_earnings(play, other, survivor)
        for company in tuple(play.state.prices):
            number = shares(play.title, play.state, other, company)
            if number and company not in others:
                _join_shares(play, company, number, other, survivor)


def _join_shares(play: Play, company: CompanyId, number: int, other: CompanyId, survivor: CompanyId) -> None:
    """Move shares of a company to the survivor, or to its charter if they are its own. If ``other`` is president of the
    company, the survivor takes its place."""
    if company == survivor:
        move_shares(play, company, number, other, TREASURY)
        return
    if not count(play.state, other, company, DIRECTOR):
        move_shares(play, company, number, other, survivor)
        return
    for kind in (DIRECTOR, ORDINARY):
        if certificates := count(play.state, other, company, kind):
            play.emit(CertificatesMoved(company, kind, certificates, other, survivor))
    play.emit(DirectorChanged(company, survivor))
    settle_president(play, company)


def _join_trains(play: Play, other: CompanyId, survivor: CompanyId) -> None:
    """Move the trains to the survivor. Trains that have rusted but may still run keep this right under it."""
    # rule 9.4
    for train in play.state.companies[other].trains:
        play.emit(TrainMoved(train, other, survivor))
    kept = extended(play.state)
    if any(owner == other for owner, *_ in kept):
        moved = tuple((survivor if owner == other else owner, *rest) for owner, *rest in kept)
        play.emit(Marked(EXTRA, moved))


def _join_loans(play: Play, other: CompanyId, survivor: CompanyId) -> None:
    """Move the loans to the survivor. The loans that each of them has taken in this round are added up too."""
    # rule 12.36
    if number := play.state.companies[other].loans:
        play.emit(LoansChanged(other, -number, "merged"), LoansChanged(survivor, number, "merged"))
    taken: dict[CompanyId, int] = mark(play.state, BORROWED, {})
    if other in taken:
        rest = {company: count for company, count in taken.items() if company != other}
        play.emit(Marked(BORROWED, {**rest, survivor: rest.get(survivor, 0) + taken[other]}))


def _join_earnings(play: Play, other: CompanyId, survivor: CompanyId) -> None:
    """Let the last earnings of both count for the survivor, since they are part of its value."""  # rule 12.36
    if earned := play.state.companies[other].last_run:
        play.emit(EarningsJoined(survivor, (play.state.companies[survivor].last_run or 0) + earned))


def surplus_problem(title: Title, state: State, parts: tuple[CompanyId, ...]) -> Failure | None:
    """The reason why the ``parts`` cannot become one major: their cash does not cover the loans over its limit. None if
    it does."""  # rule 8.2, 12.41
    loans = sum(state.companies[part].loans for part in parts)
    cash, most = sum(state.money(part) for part in parts), loan_limit(title, MAJOR)
    due = max(0, loans - most) * loan(title)
    if due <= cash:
        return None
    return Failure("merge.surplus", {"companies": parts, "loans": loans, "most": most, "due": due, "cash": cash})


def settle_surplus(play: Play, company: CompanyId) -> None:
    """Repay loans over the limit as far as the cash allows, and give up trains over the limit. Call this last: it may
    put a frame on top of the agenda."""  # rule 8.2, 12.8, 12.41, 8.18
    over = play.state.companies[company].loans - most_loans(play.title, play.state, company)
    repay_loans(play, company, max(0, min(over, play.state.money(company) // loan(play.title))))
    ask_for_discards(play, (company,))
