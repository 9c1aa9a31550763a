"""Companies that are taken apart, by liquidation or by the LPTB: their frames, and the steps common to both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from engine.core.events import Marked, TrainMoved
from engine.core.ids import BANK, POOL, CompanyId, PlayerId
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.control import owner_of
from engine.holders.ledger import holders, shares
from engine.titles.t1863.names import EXTRA, OWED, extended, mark
from engine.titles.t1863.policies import director
from engine.titles.t1863.privates.powers import close_private
from engine.titles.t1863.stock.presidency import move_shares
from engine.titles.t1863.stock.shares import return_unopened, seats_after, seats_from
from engine.titles.t1863.stock.trading import to_pool

SHARES: Final = "shares"
MARKERS: Final = "markers"
TRAINS: Final = "trains"
PRIVATES: Final = "privates"
COMPANIES: Final = "companies"
DEBTS: Final = "debts"
PAYMENT: Final = "payment"
"""The stages in which a company is taken apart."""
Way = Literal["seized", "bought"]
"""The way in which the LPTB gets a company."""


@dataclass(frozen=True, slots=True)
class Liquidation(Frame):
    """A company is being broken up. ``stage`` is the next step; ``offered`` are its subsidiaries that have been
    auctioned."""

    company: CompanyId
    stage: str = SHARES
    offered: tuple[CompanyId, ...] = ()


@dataclass(frozen=True, slots=True)
class Taking(Frame):
    """The LPTB takes a company. ``stage`` is the next step; ``value`` is the value of the company before its debts were
    paid."""

    company: CompanyId
    way: Way
    stage: str = SHARES
    value: int = 0


def taken_apart(state: State, company: CompanyId) -> bool:
    """True while the company is being taken apart. New debts are then added to those that it settles."""
    return any(isinstance(f, Liquidation | Taking) and f.company == company for f in state.agenda)


def unsettled(title: Title, state: State) -> Mapping[CompanyId, tuple[str, str]]:
    """The companies that are being taken apart; see ``Policies.unsettled``."""
    taken = (frame for frame in state.agenda if isinstance(frame, Liquidation | Taking))
    return {frame.company: ("broken_up" if isinstance(frame, Liquidation) else "taken", "") for frame in taken}


# ---- debts -----------------------------------------------------------------------------------------------------------


def owed(state: State, company: CompanyId) -> int:
    """The total of the company's unpaid bills, without its loans."""
    bills: dict[CompanyId, int] = mark(state, OWED, {})
    return bills.get(company, 0)


def add_debt(play: Play, company: CompanyId, amount: int) -> None:
    """Record a bill that stays unpaid until the company is taken apart."""  # rule 7.1
    if amount:
        bills: dict[CompanyId, int] = mark(play.state, OWED, {})
        play.emit(Marked(OWED, {**bills, company: bills.get(company, 0) + amount}))


def forget_debt(play: Play, company: CompanyId) -> None:
    """Delete the record of the company's unpaid bills."""
    bills: dict[CompanyId, int] = mark(play.state, OWED, {})
    if company in bills:
        play.emit(Marked(OWED, {c: n for c, n in bills.items() if c != company} or None))


# ---- what it holds ---------------------------------------------------------------------------------------------------


def subsidiaries(title: Title, state: State, company: CompanyId) -> tuple[CompanyId, ...]:
    """The other companies of which this company is president."""
    return tuple(c for c in state.prices if c != company and owner_of(title, state, c) == company)


def sell_holdings(play: Play, company: CompanyId) -> None:
    """Move the company's shares of others to the pool, each sold at its price. Single shares of companies that are not
    traded go there for nothing. The company keeps shares of companies of which it remains president."""
    # rule 8.5, 10.2, 12.65, 8.27
    kept = to_pool(play, company)
    for other, number in kept.items():
        if owner_of(play.title, play.state, other) != company:
            move_shares(play, other, number, company, POOL)


def remove_trains(play: Play, company: CompanyId) -> None:
    """Remove the trains of the company from the game."""
    remove_extended(play, company)
    for train in play.state.companies[company].trains:
        play.emit(TrainMoved(train, company, ""))


def remove_extended(play: Play, company: CompanyId) -> None:
    """Remove the company's trains that have rusted but may still run: no other company may run them."""  # rule 9.4
    kept = extended(play.state)
    gone = [train for owner, train, *_ in kept if owner == company]
    for train in gone:
        play.emit(TrainMoved(train, company, ""))
    if gone:
        play.emit(Marked(EXTRA, tuple(each for each in kept if each[0] != company) or None))


def remove_privates(play: Play, owner: str) -> None:
    """Remove the privates of a company or of a bankrupt player from the game."""
    for private, of in tuple(play.state.privates.items()):
        if of == owner:
            close_private(play, private)


# ---- bids for it -----------------------------------------------------------------------------------------------------


def first_bidder(title: Title, state: State, company: CompanyId) -> PlayerId:
    """The player on the left of the company's controller, or the player with priority if it has no controller."""
    # rule 8.5, 8.6
    player = director(title, state, company)
    if player is None:
        return seats_from(state, state.priority)[0]
    return (*seats_after(state, player), player)[0]


# ---- its end ---------------------------------------------------------------------------------------------------------


def paid_shares(title: Title, state: State, company: CompanyId) -> int:
    """The number of shares that are paid for: those of players, of other companies and in the pool."""
    return sum(shares(title, state, place, company) for place in (*holders(state, company), POOL))


def share_out(play: Play, company: CompanyId, price: int) -> None:
    """Pay ``price`` from the company's cash for each share outside the charter; shares in the pool are paid to the
    bank. The rest of the cash also goes to the bank."""  # rule 8.5, 10.2, 10.3, 8.30, 10.8
    for holder in holders(play.state, company):
        play.pay(company, holder, price * shares(play.title, play.state, holder, company), "liquidation", company)
    play.pay(company, BANK, play.state.money(company), "seized", company)


def leave(play: Play, company: CompanyId, reason: str, closed: bool = False) -> None:
    """Take the company, which has nothing left, out of play. If ``closed``, it is never started again."""  # rule 12.46
    forget_debt(play, company)
    return_unopened(play, company, reason, closed)
