"""A company's turn: its acts in the order of play."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.acts.act import Turn
from engine.acts.buy_train import BuyTrains
from engine.acts.pay_out import PAY, PayOut
from engine.acts.run_trains import Earned, RunTrains, declare
from engine.acts.turns import END, End, Place, Turns
from engine.core.events import Marked, TurnEnded
from engine.core.orders import Pay
from engine.core.title import Play, Title
from engine.titles.t1841.mergers.partners import MergeCompanies
from engine.titles.t1841.mergers.transform import TransformCompany
from engine.titles.t1841.money.bankruptcy import GoBankrupt
from engine.titles.t1841.money.emergency import SellToRaise, buy_with_help, check_with_help, list_with_help
from engine.titles.t1841.names import ACTING
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.history import remember_turn
from engine.titles.t1841.track.builds import BuildTrack
from engine.titles.t1841.track.crossings import PlaceInCountry
from engine.titles.t1841.turn.earnings import nothing_earned, pay_as_chosen
from engine.titles.t1841.turn.financial import MERGE, BuyShare, SellShares, StartCompany
from engine.titles.t1841.turn.token_purchase import BuyTokens
from engine.titles.t1841.turn.trains import owes_train
from engine.titles.t1841.turn.uncontrolled import sell_to_leave_circle

ACQUIRE: Final = "acquire"
TRAINS: Final = "trains"
SELL: Final = "sell"
BUY: Final = "buy"


def _any_run(title: Title) -> bool:
    """True: a company may declare a worse run than the best."""
    return True


def _earned(play: Play, turn: Turn) -> None:
    if turn.note(Earned).revenue:
        play.become(replace(turn, stage=PAY))
    else:
        play.become(replace(turn, stage=ACQUIRE))
        nothing_earned(play, turn.company)


def _idle(play: Play, turn: Turn) -> None:
    play.become(turn)
    nothing_earned(play, turn.company)


def _pay(play: Play, turn: Turn, order: Pay) -> None:
    play.become(replace(turn, stage=ACQUIRE))
    pay_as_chosen(play, turn.company, turn.note(Earned).revenue or 0, order)


def _asks(title: Title) -> bool:
    return rulings_of(title).consent == "asked"  # rule 3.12, 8.2


def _over(play: Play, turn: Turn) -> None:
    """End the turn. If its financial step is still to come, the company sells shares to leave a circle into which the
    first 4-train has brought it."""
    if play.state.companies[turn.company].status == "open":
        if not turn.ended and not TURNS.is_past(turn, SELL):
            sell_to_leave_circle(play, turn.company)  # clarification 2.24
        remember_turn(play, turn.company)
    if ACTING in play.state.marks:
        play.emit(Marked(ACTING, None))
    play.emit(TurnEnded(turn.company))


TURNS: Final = Turns(
    stages=("track", "token", "run", PAY, ACQUIRE, TRAINS, SELL, BUY, MERGE, END),
    places=(
        Place(BuildTrack(), "track", "track", rule="6.4"),
        Place(PlaceInCountry(), "token", "token", 1, "6.21"),
        Place(RunTrains(declare, _any_run, _earned, _idle), "run", "run", 1, "7.1"),
        Place(PayOut(("full", "none"), _pay), PAY, PAY, 1, "7.11"),
        Place(BuyTokens(), ACQUIRE, ACQUIRE, 1, "6.24"),
        Place(BuyTrains(check_with_help, list_with_help, buy_with_help, owes_train, _asks), TRAINS, TRAINS, rule="8.1"),
        Place(SellToRaise(), TRAINS, TRAINS, rule="8.10"),
        Place(GoBankrupt(), TRAINS, TRAINS, 1, "8.18"),
        Place(SellShares(), SELL, SELL, rule="10.1"),
        Place(BuyShare(), BUY, BUY, 1, "10.4"),
        Place(StartCompany(), BUY, BUY, 1, "10.9"),
        Place(MergeCompanies(), MERGE, MERGE, 1, "10.10"),
        Place(TransformCompany(), MERGE, MERGE, 1, "10.22"),
        Place(End(), END, END, 1, "6.2"),
    ),
    over=_over,
    asks={PAY: "company.pay"},
)  # rule 6.2
