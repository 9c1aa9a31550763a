"""A company's turn in Two Valleys, and the course of its game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.acts.act import Turn
from engine.acts.buy_train import BuyTrains, next_new, train_room
from engine.acts.lay_track import LayRules, LayTrack
from engine.acts.pay_out import PAY, PayOut, pay_shares
from engine.acts.place_token import PlaceToken
from engine.acts.run_trains import Earned, RunTrains, declare
from engine.acts.turns import END, End, Place, Turns
from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.events import Distributed, GameOver, PhaseBegan, RoundBegan, TrainMoved, TurnBegan, TurnEnded
from engine.core.ids import BANK, CompanyId, PhaseName, PlayerId, TrainName
from engine.core.orders import Pay, Train
from engine.core.state import Frame, Round, State
from engine.core.title import Play, Title
from engine.holders.charters import all_shares
from engine.holders.control import controller_of
from engine.holders.ledger import shares
from engine.shares.price import move_price
from engine.steps.automatic import NobodyAsked
from engine.steps.course import After, Sequence
from tests.kit.twins.shares import Invest, StockRound

TRAINS: Final = "trains"
SETS: Final = 6
GREEN: Final = PhaseName("3")


def _earned(play: Play, turn: Turn) -> None:
    if turn.note(Earned).revenue:
        play.become(replace(turn, stage=PAY))
    else:
        _idle(play, replace(turn, stage=TRAINS))


def _idle(play: Play, turn: Turn) -> None:
    play.become(turn)
    move_price(play, turn.company, "left", 1, "nothing")


def _pay(play: Play, turn: Turn, order: Pay) -> None:
    revenue, company = turn.note(Earned).revenue or 0, turn.company
    play.become(replace(turn, stage=TRAINS))
    if order.kind == "full":
        per_share = revenue // all_shares(play.title, play.state, company)
        play.emit(Distributed(company, "full", revenue, per_share, 0))
        pay_shares(play, company, per_share)
        move_price(play, company, "right", 1, "dividend")
    else:
        play.pay(BANK, company, revenue, "withheld", company)
        play.emit(Distributed(company, "none", revenue, 0, revenue))
        move_price(play, company, "left", 1, "withheld")


def _check_train(title: Title, state: State, turn: Turn, order: Train) -> list[Failure]:
    """The next new train, from the bank, at its price."""
    failures, cash = list[Failure](), state.money(turn.company)
    if order.train != next_new(title, state) or order.source not in (None, BANK) or order.price is not None:
        return [Failure("train.not_next", {"train": order.train, "next": next_new(title, state)})]
    if train_room(title, state, turn.company) < 1:
        owned, limit = len(state.companies[turn.company].trains), title.policies.train_limit(title, state, turn.company)
        failures.append(Failure("train.limit", {"owned": owned, "limit": limit, "phase": state.phase}))
    if cash < (cost := title.trains[order.train].cost):
        failures.append(Failure("train.money", {"train": order.train, "cost": cost, "cash": cash}))
    return failures


def _list_trains(title: Title, state: State, turn: Turn) -> Iterator[Choice]:
    train = next_new(title, state)
    if train is not None and not _check_train(title, state, turn, order := Train(turn.company, train)):
        yield Exact(order)


def _buy_train(play: Play, order: Train) -> None:
    play.pay(order.actor, BANK, play.title.trains[order.train].cost, "train", order.train)
    play.emit(TrainMoved(order.train, BANK, order.actor))
    play.title.policies.train_bought(play, CompanyId(order.actor), order.train)


def train_bought(play: Play, company: CompanyId, train: TrainName) -> None:
    """The first train of 3 begins the green phase."""
    if train == "3" and not play.title.reached(play.state, GREEN):
        play.emit(PhaseBegan(GREEN))


def _owes_none(title: Title, state: State, company: CompanyId) -> Failure | None:
    return None


def _over(play: Play, turn: Turn) -> None:
    play.emit(TurnEnded(turn.company))


TURNS: Final = Turns(
    stages=("track", "token", "run", PAY, TRAINS, END),
    places=(
        Place(Invest(), "track", TRAINS, 1, "5"),
        Place(LayTrack(LayRules(most_lays=2)), "track", "track", 2, "6"),
        Place(PlaceToken(), "token", "token", 1, "7"),
        Place(RunTrains(declare, lambda title: True, _earned, _idle), "run", "run", 1, "8"),
        Place(PayOut(("full", "none"), _pay), PAY, PAY, 1, "9"),
        Place(BuyTrains(_check_train, _list_trains, _buy_train, _owes_none), TRAINS, TRAINS, None, "10"),
        Place(End(), END, END, 1, "4"),
    ),
    over=_over,
    asks={PAY: "company.pay"},
)


@dataclass(frozen=True, slots=True)
class OperatingRound(Frame):
    waiting: tuple[CompanyId, ...]


class OperatingRoundStep(NobodyAsked):
    def advance(self, play: Play, frame: OperatingRound) -> None:
        if not frame.waiting:
            play.pop()
            return
        company = frame.waiting[0]
        play.become(OperatingRound(frame.waiting[1:]))
        if controller_of(play.title, play.state, company) is not None:
            play.emit(TurnBegan(company))
            play.push(TURNS.begin(company))


def operating_order(title: Title, state: State) -> tuple[CompanyId, ...]:
    return tuple(sorted(state.prices, key=lambda c: (-title.price(state, c), c)))


def score(title: Title, state: State, player: PlayerId) -> int:
    """Cash and shares at their price."""
    return state.money(player) + sum(shares(title, state, player, c) * title.price(state, c) for c in state.prices)


def _trade(play: Play) -> None:
    now = play.state.round
    play.emit(RoundBegan(Round("SR", now.set + 1 if now.kind == "OR" else 1)))
    play.push(StockRound(play.state.priority))


def _operate(play: Play) -> None:
    play.emit(RoundBegan(Round("OR", play.state.round.set, 1)))
    play.push(OperatingRound(operating_order(play.title, play.state)))


def _finish(play: Play) -> None:
    rows = [(p, score(play.title, play.state, p)) for p in play.state.players]
    play.emit(GameOver(tuple(sorted(rows, key=lambda row: -row[1])), "rounds"))


def _last_set(title: Title, state: State) -> bool:
    return state.round.set == SETS


SEQUENCE: Final = Sequence(
    start=("trade",),
    rows=(
        After("SR", "", ("operate",), "3"),
        After("OR", "last_set", ("finish",), "11"),
        After("OR", "", ("trade",), "3"),
    ),
    conditions={"last_set": _last_set},
    does={"trade": _trade, "operate": _operate, "finish": _finish},
    over=lambda play: None,
)
