"""A company's turn: its acts in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.acts.act import Act, Turn
from engine.acts.buy_train import BuyTrains
from engine.acts.run_trains import RunTrains, declare
from engine.acts.turns import END, End, Place, Turns
from engine.core.agenda import Choice
from engine.core.checks import Failure
from engine.core.events import TurnEnded
from engine.core.ids import PlayerId
from engine.core.orders import Dividend, Order
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.mergers.refinancing import RefinanceCompany
from engine.titles.t1863.money.crisis import settle_bill
from engine.titles.t1863.privates.marker_powers import PlacePrivateMarkers
from engine.titles.t1863.privates.purchase import BUY_PRIVATES
from engine.titles.t1863.privates.tolls import collect
from engine.titles.t1863.turn.dividends import (
    check_dividend,
    most_dividend,
    pay_dividend,
    payable,
    ranges,
    revenue_of,
)
from engine.titles.t1863.turn.markers import PlaceMarker
from engine.titles.t1863.turn.track import BuildTrack
from engine.titles.t1863.turn.trains import buy_train, check_train, list_trains, owes_train
from engine.titles.t1863.turn.turn_loans import Repay, TakeLoans

TRACK: Final = "track"
RUN: Final = "run"
PAY: Final = "pay"
TRAINS: Final = "trains"
"""Stages of a turn. The last is ``END``."""


@dataclass(frozen=True, slots=True)
class DeclareDividend(Act):
    """The company declares its dividend as a total. A company that cannot pay anything pays nothing and is not
    asked."""

    # rule 5.4

    takes = (Dividend,)
    follows = True

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        sums = payable(title, state, turn.company, revenue_of(state, turn.company))
        yield from ranges(turn.company, sums)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Dividend)
        play.note(check_dividend(play.title, play.state, turn.company, order.amount))
        if not play.failures:
            play.become(replace(turn, stage=TRAINS))
            pay_dividend(play, turn.company, order.amount)

    def due(self, title: Title, state: State, turn: Turn) -> Failure | None:
        most = most_dividend(title, state, turn.company, revenue_of(state, turn.company))
        return Failure("dividend.first", {"company": turn.company, "most": most}) if most else None

    def skipped(self, play: Play, turn: Turn) -> None:
        pay_dividend(play, turn.company, 0)


@dataclass(frozen=True, slots=True)
class EndTurn(End):
    """The company ends its turn and pays its bill."""  # rule 5.6

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        End.carry_out(self, play, turn, player, order)
        settle_bill(play, turn.company, "costs")


def _may_run_less(title: Title) -> bool:
    """True: a company may declare a run that is worse than its best."""
    return True


def _earned(play: Play, turn: Turn) -> None:
    """Collect the revenue into the treasury, where it stays until a dividend is declared."""  # rule 5.4
    play.become(replace(turn, stage=PAY))
    collect(play, turn.company)


def _idle(play: Play, turn: Turn) -> None:
    play.become(turn)


def _over(play: Play, turn: Turn) -> None:
    play.emit(TurnEnded(turn.company))


TURNS: Final = Turns(
    stages=(TRACK, RUN, PAY, TRAINS, END),
    places=(
        Place(TakeLoans(), TRACK, END, rule="5.1"),
        Place(Repay(), TRACK, TRACK, rule="5.1"),
        Place(RefinanceCompany(), TRACK, TRACK, 1, "13.4"),
        Place(BUY_PRIVATES, TRACK, END, rule="9.14"),
        Place(PlacePrivateMarkers(), TRACK, END, rule="9.11"),
        Place(BuildTrack(), TRACK, TRACK, rule="5.2"),
        Place(PlaceMarker(), TRACK, TRACK, 1, "5.2"),
        Place(RunTrains(declare, _may_run_less, _earned, _idle), RUN, RUN, 1, "5.3"),
        Place(DeclareDividend(), PAY, PAY, 1, "5.4"),
        Place(BuyTrains(check_train, list_trains, buy_train, owes_train), TRAINS, TRAINS, rule="5.5"),
        Place(EndTurn(), END, END, 1, "5.6"),
    ),
    over=_over,
    asks={PAY: "company.dividend"},
)  # rule 5.7
