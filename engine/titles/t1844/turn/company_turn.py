"""A company's turn: its acts in the order of play."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.acts.act import Turn
from engine.acts.buy_private import BuyPrivates
from engine.acts.buy_train import BuyTrains
from engine.acts.pay_out import PAY, PayOut
from engine.acts.place_token import PlaceToken
from engine.acts.run_trains import Earned, RunTrains
from engine.acts.turns import END, End, Place, Turns
from engine.core.events import TurnEnded
from engine.core.orders import Pay
from engine.core.title import Play, Title
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.stock.launches import look_at_destinations
from engine.titles.t1844.stock.private_sales import check_private, private_sales
from engine.titles.t1844.turn.earnings import declare, nothing_earned, pay_as_chosen
from engine.titles.t1844.turn.emergency import GoBankrupt, SellToHelp, check_with_help, list_with_help
from engine.titles.t1844.turn.track import BuildTunnel, LayTile
from engine.titles.t1844.turn.trains import buy_train, owes_train

TRAINS: Final = "trains"


def _may_run_less(title: Title) -> bool:
    """True if the director may declare less than the best run."""  # rule 8.17
    return rulings_of(title).runs == "any"


def _earned(play: Play, turn: Turn) -> None:
    if turn.note(Earned).revenue:
        play.become(replace(turn, stage=PAY))
    else:
        play.become(replace(turn, stage=TRAINS))
        nothing_earned(play, turn.company)


def _idle(play: Play, turn: Turn) -> None:
    play.become(turn)
    nothing_earned(play, turn.company)


def _pay(play: Play, turn: Turn, order: Pay) -> None:
    play.become(replace(turn, stage=TRAINS))
    pay_as_chosen(play, turn.company, turn.note(Earned).revenue or 0, order)


def _asks(title: Title) -> bool:
    return rulings_of(title).consent != "not_asked"  # rule 10.10


def _over(play: Play, turn: Turn) -> None:
    play.emit(TurnEnded(turn.company))


TURNS: Final = Turns(
    stages=("track", "token", "run", PAY, TRAINS, END),
    places=(
        Place(BuyPrivates(check_private, private_sales), "track", TRAINS, rule="5.8"),
        Place(LayTile(), "track", "track", 1, "6.1"),
        Place(BuildTunnel(), "track", "track", rule="6.17"),
        Place(PlaceToken(brings=look_at_destinations), "token", "token", 1, "7.1"),
        Place(RunTrains(declare, _may_run_less, _earned, _idle), "run", "run", 1, "8.17"),
        Place(PayOut(("full", "none"), _pay), PAY, PAY, 1, "9.1"),
        Place(BuyTrains(check_with_help, list_with_help, buy_train, owes_train, _asks), TRAINS, TRAINS, rule="10.17"),
        Place(SellToHelp(), TRAINS, TRAINS, rule="11.5"),
        Place(GoBankrupt(), TRAINS, TRAINS, 1, "11.9"),
        Place(End(), END, END, 1, "5.6"),
    ),
    over=_over,
    asks={PAY: "company.pay"},
)  # rule 5.6
