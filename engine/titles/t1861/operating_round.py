"""The operating round: income of privates, each company's turn in an order fixed at the start, the state railway."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.core.events import Distributed, Marked, MarkerPlaced, Ran, TurnBegan
from engine.core.ids import BANK, CompanyId, HexId
from engine.core.orders import Pay
from engine.core.play import Play
from engine.core.state import Frame
from engine.core.title import Title
from engine.finance.holdings import holder_of_director
from engine.finance.loans import needed, pay_with_loans, repay_all_possible, room
from engine.steps.announce import AnnounceWindow
from engine.steps.automatic import NobodyAsked
from engine.steps.company_turn import CompanyTurn, Stage
from engine.steps.pay_out import half_up, pay_shares
from engine.steps.run_trains import best_for
from engine.steps.trade_shares import move_price
from engine.titles.t1861.names import MINOR, MOSCOW, RAN_BEFORE, STATE
from engine.titles.t1861.nationalisation import nationalise
from engine.titles.t1861.policies import ran_before
from engine.titles.t1861.state_railway import StateTurn, has_marker, operates

PRIVATE_PHASES = ("3", "4", "5")


@dataclass(frozen=True, slots=True)
class OperatingRound(Frame):
    """``order``: companies still to come, fixed at the start. ``state_due``: the state railway has not had its turn."""

    order: tuple[CompanyId, ...]
    paid: bool = False
    state_due: bool = True


class OperatingRoundStep(NobodyAsked):
    """Gives the turns; nobody is asked by the round itself."""

    def advance(self, play: Play, frame: OperatingRound) -> None:
        if not frame.paid:
            for private, owner in play.state.privates.items():  # rule 2.11, 12.9
                if owner is not None:
                    play.pay(BANK, owner, play.title.privates[private].income, "income", private)
            play.become(replace(frame, paid=True))
        elif frame.order:
            company = frame.order[0]
            play.become(replace(frame, order=frame.order[1:]))
            now = play.state.companies[company]
            if now.status == "open":  # rule 6.2: companies gone in between are skipped
                play.emit(TurnBegan(company))
                play.push(CompanyTurn(company, now.loans))
        elif frame.state_due and operates(play.title, play.state):
            play.become(replace(frame, state_due=False))
            play.emit(TurnBegan(STATE))
            play.push(StateTurn(play.state.companies[STATE].loans))
        else:
            play.pop()


def distribute(play: Play, frame: CompanyTurn) -> None:
    """A minor's earnings, or none at all: halves and the move of the price."""
    # rule 10.1, 10.2, 10.5
    company, revenue = frame.company, frame.revenue or 0
    if frame.stage < Stage.PAY:  # nothing was declared, for there is nothing to run
        play.emit(Ran(company, (), (), 0))
    if play.title.companies[company].kind == MINOR:
        owner = holder_of_director(play.title, play.state, company)
        assert owner is not None
        half = revenue // 2
        play.pay(BANK, owner, half, "dividend", company)
        play.pay(BANK, company, half, "dividend", company)
        play.emit(Distributed(company, "minor", revenue, half, half))
    else:
        play.emit(Distributed(company, "none", 0, 0, 0))
    move_price(play, company, "right" if revenue else "left", 1, "earnings" if revenue else "no_dividend")


def chosen(play: Play, frame: CompanyTurn, order: Pay) -> None:
    """A public company's earnings as its director will have them."""
    # rule 10.3, 10.4, 10.5
    company, revenue = frame.company, frame.revenue or 0
    dividend = {"full": revenue, "half": half_up(revenue), "none": 0}[order.kind]
    play.pay(BANK, company, revenue - dividend, "withheld", company)
    pay_shares(play, company, dividend // 10)
    play.emit(Distributed(company, order.kind, revenue, dividend, revenue - dividend))
    if dividend == 0:
        move_price(play, company, "left", 1, "no_dividend")
    elif dividend >= play.title.price(play.state, company):
        move_price(play, company, "right", 1, "earnings")


def settle_loans(play: Play, frame: CompanyTurn) -> None:
    """Interest on the loans that the turn began with, then repayment."""
    # rule 6.8, 6.9, 6.10
    title, company = play.title, frame.company
    due = frame.loans * title.loans.interest
    if needed(title, play.state, company, due) > room(title, play.state, company):
        ruling = title.rulings.interest_shortfall
        if ruling != "kept":
            play.pay(company, STATE if ruling == "state" else BANK, play.state.money(company), "seized", company)
        if title.rulings.state_railway_trains == "rested" and (trains := play.state.companies[company].trains):
            now = play.state.round  # rule 12.2: it has run them in this turn
            play.emit(Marked(RAN_BEFORE, (now.set, now.number, *ran_before(play.state), *trains)))
        nationalise(play, company, "interest")
        return
    pay_with_loans(play, company, BANK, due, "interest")
    repay_all_possible(play, company)


def trainless(play: Play, company: CompanyId) -> None:
    """The turn ends without a train that could not be afforded."""
    nationalise(play, company, "trainless")  # rule 11.8, 13.5


def tile_laid(play: Play, company: CompanyId, hex: HexId) -> None:
    """The state railway gets its marker in Moscow as soon as the grey tile lies there."""
    # rule 12.4
    state = play.state
    if hex == MOSCOW and state.board.face(hex).color == "gray" and not has_marker(state, MOSCOW):
        play.emit(MarkerPlaced(STATE, MOSCOW, 0))


def moderator_announces(title: Title) -> bool:
    return bool(title.rulings.runs == "moderator")  # rule 9.10


def announce_window(play: Play, frame: CompanyTurn) -> bool:
    """Where the table plays so, the other players may announce a better run before it counts. Nobody is asked where
    there is none to be announced."""  # rule 9.10
    title, state = play.title, play.state
    if title.rulings.runs != "players" or best_for(title, state, frame.company).bound <= (frame.revenue or 0):
        return False
    director = title.policies.director(title, state, frame.company)
    others = tuple(p for p in state.players if p != director)
    play.push(AnnounceWindow(frame.company, frame.revenue or 0, others))
    return True
