"""Liquidations and acquisitions at the start of a merger round, and the stages of a liquidation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.core.events import Liquidated
from engine.core.ids import CompanyId
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.holders.control import owner_of
from engine.steps.automatic import NobodyAsked
from engine.titles.t1863.failures.acquisition import begin_acquisition
from engine.titles.t1863.failures.failure import (
    COMPANIES,
    DEBTS,
    MARKERS,
    PAYMENT,
    PRIVATES,
    TRAINS,
    Liquidation,
    first_bidder,
    leave,
    paid_shares,
    remove_extended,
    remove_privates,
    remove_trains,
    sell_holdings,
    share_out,
    subsidiaries,
)
from engine.titles.t1863.failures.lots import begin_lot
from engine.titles.t1863.failures.lptb import has_begun, replace_markers
from engine.titles.t1863.money.crisis import pay_debts
from engine.titles.t1863.names import ACQUIRED, mark
from engine.titles.t1863.stock.market import in_red, in_white, into_liquidation, merger_order

NEXT = {MARKERS: TRAINS, TRAINS: PRIVATES, PRIVATES: COMPANIES}
"""The stages of the three lots, each with the stage that follows."""


@dataclass(frozen=True, slots=True)
class Failing(Frame):
    """The liquidations and acquisitions of a merger round. ``done``: companies already handled in this round."""

    done: tuple[CompanyId, ...] = ()


def begin_liquidations(play: Play) -> None:
    """Put all liquidations and acquisitions of a merger round on the agenda. Call this last."""  # rule 8.9
    play.push(Failing())


class FailingStep(NobodyAsked):
    """Handles one company after the other, always by the current prices. Once the LPTB acts, nothing is auctioned:
    after an operating round it seizes companies in the grey area and companies without a president."""

    # rule 8.5, 8.6, 8.9

    def advance(self, play: Play, frame: Failing) -> None:
        order = merger_order(play.title, play.state)
        company = next((c for c in order if _is_next(play.title, play.state, c, frame.done)), None)
        if company is None:
            play.pop()
            return
        play.become(Failing((*frame.done, company)))
        if in_red(play.title, play.state, company):
            play.push(Liquidation(company))
        else:
            begin_acquisition(play, company)


def _is_next(title: Title, state: State, company: CompanyId, done: tuple[CompanyId, ...]) -> bool:
    """True if the company is still to be handled. A company that was auctioned before is liquidated if it has entered
    the red area since. So is one that has acquired another; if its price has entered the grey area, it is not auctioned
    in this round."""  # rule 8.9, 12.39
    handled = company in done or company in mark(state, ACQUIRED, frozenset[CompanyId]())
    return (not handled or in_red(title, state, company)) and _fails(title, state, company)


def _fails(title: Title, state: State, company: CompanyId) -> bool:
    if has_begun(title, state):
        return in_red(title, state, company) and owner_of(title, state, company) is not None
    return not in_white(title, state, company)


class LiquidationStep(NobodyAsked):
    """Breaks a company up: sells its shares, auctions three lots and its subsidiaries, pays its debts, and shares out
    the rest."""  # rule 8.5, 8.26

    def advance(self, play: Play, frame: Liquidation) -> None:
        company = frame.company
        match frame.stage:
            case "shares":
                play.become(replace(frame, stage=MARKERS))
                into_liquidation(play, company)
                sell_holdings(play, company)
            case "markers" | "trains" | "privates":
                play.become(replace(frame, stage=NEXT[frame.stage]))
                remove_extended(play, company)
                self._lot(play, company, frame.stage)
            case "companies":
                self._companies(play, frame)
            case "debts":
                play.become(replace(frame, stage=PAYMENT))
                pay_debts(play, company)
            case _:
                play.pop()
                _finish(play, company)

    def _lot(self, play: Play, company: CompanyId, kind: str) -> None:
        """Auction a lot if there is anything in it. Once the LPTB acts, it gets every lot without an auction."""
        if not _has(play.title, play.state, company, kind):
            return
        if has_begun(play.title, play.state):
            give_up(play, company, kind)
        else:
            begin_lot(play, kind, lot_name(company, kind), company, 0, first_bidder(play.title, play.state, company))

    def _companies(self, play: Play, frame: Liquidation) -> None:
        """Auction each subsidiary that nobody else can take over. A subsidiary that nobody buys is broken up too."""
        # rule 12.65
        company = frame.company
        held = next(iter(subsidiaries(play.title, play.state, company)), None)
        if held is None:
            play.become(replace(frame, stage=DEBTS))
        elif held in frame.offered or has_begun(play.title, play.state):
            play.push(Liquidation(held))
        else:
            play.become(replace(frame, offered=(*frame.offered, held)))
            begin_lot(play, COMPANIES, held, company, 0, first_bidder(play.title, play.state, company))


def lot_name(company: CompanyId, kind: str) -> str:
    """The name of a lot of the company in its auction."""
    return f"{company} {kind}"


def _has(title: Title, state: State, company: CompanyId, kind: str) -> bool:
    """True if there is anything in the lot."""
    if kind == MARKERS:
        return charter_of(title, state, company).markers > 0
    return bool(state.companies[company].trains) if kind == TRAINS else company in state.privates.values()


def give_up(play: Play, company: CompanyId, kind: str) -> None:
    """Give an unsold lot to the LPTB: markers on the map become its own, and everything else leaves the game."""
    # rule 8.5, 8.28
    if kind == MARKERS:
        replace_markers(play, company)
    elif kind == TRAINS:
        remove_trains(play, company)
    else:
        remove_privates(play, company)


def _finish(play: Play, company: CompanyId) -> None:
    """Pay each share an equal part of the cash that is left, and return the charter unopened. Shorts are void."""
    # rule 8.5, 12.22, 12.46
    number = paid_shares(play.title, play.state, company)
    price = play.state.money(company) // number if number else 0
    play.emit(Liquidated(company, price))
    share_out(play, company, price)
    leave(play, company, "liquidated")
