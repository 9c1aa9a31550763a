"""A company's turn: its acts in the order of play."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.acts.act import Turn, turn_of
from engine.acts.buy_private import BuyPrivates
from engine.acts.buy_train import BuyTrains
from engine.acts.lay_track import LayRules, LayTrack
from engine.acts.pay_out import PAY, PayOut
from engine.acts.place_token import PlaceToken
from engine.acts.run_trains import Earned, RunTrains
from engine.acts.turns import END, End, Place, Turns
from engine.core.events import TurnEnded
from engine.core.ids import CompanyId
from engine.core.orders import Pay
from engine.core.title import Play
from engine.families.f1867.mergers.nationalisation import nationalise
from engine.families.f1867.mergers.state_markers import tile_laid
from engine.families.f1867.names import PUBLIC
from engine.families.f1867.stock.private_sales import check_private, private_sales
from engine.families.f1867.stock.redemption import RedeemShares
from engine.families.f1867.turn.earnings import (
    announcements_open,
    declare_run,
    distribute,
    may_run_less,
    others_announce,
    pay_as_chosen,
)
from engine.families.f1867.turn.interest import LOANS, TRAINS, Owing, SettleLoans, settle_in_time
from engine.families.f1867.turn.loans import WITH_LOANS
from engine.families.f1867.turn.trains import buy_train, check_train, list_trains, owes_train
from engine.holders.charters import charter_of

RULES: Final = LayRules(most_lays=2, most_upgrades=1, second_lay_fee=20)  # rule 7.1


def begin_turn(company: CompanyId, loans: int) -> Turn:
    """Return the turn of a company that begins it with this number of loans."""
    return TURNS.begin(company, Owing(loans))


def _earned(play: Play, turn: Turn) -> None:
    turn = replace(turn, stage=PAY)
    play.become(turn)
    if not announcements_open(play, turn):
        earnings_stand(play, turn)


def earnings_stand(play: Play, turn: Turn) -> None:
    """Distribute the final revenue and settle loans, unless a director has to choose the dividend."""
    if not turn.note(Earned).revenue or charter_of(play.title, play.state, turn.company).kind != PUBLIC:
        distribute(play, turn)
        settle_in_time(play, turn)


def window_closed(play: Play, revenue: int) -> None:
    """Continue the turn with the final ``revenue`` once no announcement is outstanding."""
    turn = turn_of(play.state).noting(Earned(revenue))
    play.become(turn)
    earnings_stand(play, turn)


def _idle(play: Play, turn: Turn) -> None:
    play.become(turn)
    distribute(play, turn)


def _pay(play: Play, turn: Turn, order: Pay) -> None:
    pay_as_chosen(play, turn, order)
    settle_in_time(play, turn)


def _over(play: Play, turn: Turn) -> None:
    """End the turn. A company left without a train could not afford one and is nationalised."""  # rule 11.8, 13.5
    now = play.state.companies[turn.company]
    if now.status == "open":
        if not now.trains and turn.ended:
            nationalise(play, turn.company, "trainless")
        play.emit(TurnEnded(turn.company))


PURCHASES: Final = BuyTrains(check_train, list_trains, buy_train, owes_train)


def turns(purchases: BuyTrains = PURCHASES) -> Turns:
    """The turns of companies that buy their trains so."""  # rule 6.3
    return Turns(
        stages=("redeem", "track", "token", "run", PAY, LOANS, TRAINS, END),
        places=(
            Place(BuyPrivates(check_private, private_sales), "redeem", TRAINS, rule="2.13"),
            Place(RedeemShares(), "redeem", "redeem", rule="6.4"),
            Place(LayTrack(RULES, WITH_LOANS, tile_laid), "track", "track", RULES.most_lays, "7.1"),
            Place(PlaceToken((PUBLIC,)), "token", "token", 1, "8.2"),
            Place(RunTrains(declare_run, may_run_less, _earned, _idle, others_announce), "run", "run", 1, "9.10"),
            Place(PayOut(("full", "half", "none"), _pay, (PUBLIC,)), PAY, PAY, 1, "10.3"),
            Place(SettleLoans(), LOANS, LOANS, 1, "6.8"),
            Place(purchases, TRAINS, TRAINS, rule="11.4"),
            Place(End(), END, END, 1, "6.3"),
        ),
        over=_over,
        asks={PAY: "company.pay"},
    )


TURNS: Final = turns()
