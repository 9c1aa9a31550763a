"""Earnings: the declaration of runs, the distribution of revenue and the move of the share price."""

from __future__ import annotations

from engine.acts.act import Turn
from engine.acts.pay_out import pay_shares
from engine.acts.run_trains import Earned, best_for, declare, declare_best
from engine.core.events import Distributed
from engine.core.ids import BANK, CompanyId
from engine.core.orders import Pay, Run, RunBest
from engine.core.title import Play, Title
from engine.families.f1867.mergers.announcement import AnnounceWindow
from engine.families.f1867.names import MINOR
from engine.families.f1867.rulings import rulings_of
from engine.holders.charters import charter_of
from engine.holders.control import controller_of
from engine.shares.price import move_price


def declare_run(play: Play, company: CompanyId, order: Run | RunBest) -> int | None:
    """Declare the run ordered, or by a ruling the best run. Returns its revenue, or None if refused."""  # rule 9.10
    if rulings_of(play.title).runs == "moderator":
        return declare_best(play, company)
    return declare(play, company, order)


def may_run_less(title: Title) -> bool:
    """True if the director may declare less than the best run."""  # rule 9.10
    return rulings_of(title).runs != "moderator"


def others_announce(title: Title) -> bool:
    """True if the other players may announce a better run."""  # rule 9.10
    return rulings_of(title).runs == "players"


def announcements_open(play: Play, turn: Turn) -> bool:
    """Ask the other players for a better run, where the ruling lets them announce one. Returns False, and asks nobody,
    where they may not or where no better run exists."""  # rule 9.10
    title, state, revenue = play.title, play.state, turn.note(Earned).revenue or 0
    if not others_announce(title) or best_for(title, state, turn.company).bound <= revenue:
        return False
    director = title.policies.director(title, state, turn.company)
    others = tuple(p for p in state.players if p != director)
    play.push(AnnounceWindow(turn.company, revenue, others))
    return True


def distribute(play: Play, turn: Turn) -> None:
    """Split a minor's revenue in halves, or record that a public company earned nothing; then move the price."""
    # rule 10.1, 10.2, 10.5
    company, revenue = turn.company, turn.note(Earned).revenue or 0
    if charter_of(play.title, play.state, company).kind == MINOR:
        owner = controller_of(play.title, play.state, company)
        assert owner is not None
        half = revenue // 2
        play.pay(BANK, owner, half, "dividend", company)
        play.pay(BANK, company, half, "dividend", company)
        play.emit(Distributed(company, "minor", revenue, half, half))
    else:
        play.emit(Distributed(company, "none", 0, 0, 0))
    move_price(play, company, "right" if revenue else "left", 1, "earnings" if revenue else "no_dividend")


def pay_as_chosen(play: Play, turn: Turn, order: Pay) -> None:
    """Distribute a public company's revenue as its director has chosen, and move the price."""
    # rule 10.3, 10.4, 10.5
    company, revenue = turn.company, turn.note(Earned).revenue or 0
    dividend = {"full": revenue, "half": half_up(revenue), "none": 0}[order.kind]
    play.pay(BANK, company, revenue - dividend, "withheld", company)
    pay_shares(play, company, dividend // 10)
    play.emit(Distributed(company, order.kind, revenue, dividend, revenue - dividend))
    if dividend == 0:
        move_price(play, company, "left", 1, "no_dividend")
    elif dividend >= play.title.price(play.state, company):
        move_price(play, company, "right", 1, "earnings")


def half_up(revenue: int) -> int:
    """Half of ``revenue``, rounded up to a multiple of 10."""  # rule 10.3
    return -(-revenue // 20) * 10
