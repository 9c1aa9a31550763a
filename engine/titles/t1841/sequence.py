"""The course of the game: concessions, then stock rounds and sets of operating rounds."""

from __future__ import annotations

from typing import Final

from engine.core.events import EndSignalled, Marked, OrderOfPlay, RoundBegan
from engine.core.state import Round, State
from engine.core.title import Play, Title
from engine.holders.succession import from_player
from engine.steps.course import After, Sequence
from engine.titles.t1841.auction.concessions import CONCESSIONS_ROUND, concessions_round
from engine.titles.t1841.ending.ends import BANK_BROKEN, finish
from engine.titles.t1841.names import BANK_KNOWN, ROUNDS
from engine.titles.t1841.stock.frame import begin_stock_round
from engine.titles.t1841.turn.operating_round import operating_round


def _set_up(play: Play) -> None:
    """Seat the players from the priority holder, if they have settled who begins, and begin the concessions round."""
    # rule 1.6
    state = play.state
    if state.players[0] != state.priority:
        play.emit(OrderOfPlay(from_player(state, state.priority)))
    play.emit(RoundBegan(Round(CONCESSIONS_ROUND, 1)))


def _sell_concessions(play: Play) -> None:
    play.push(concessions_round(play.title, play.state))


def _first_stock_round(play: Play) -> None:
    play.emit(RoundBegan(Round("SR", play.state.round.set)))


def _trade(play: Play) -> None:
    begin_stock_round(play)


def _count_rounds(play: Play) -> None:
    """Record the number of operating rounds in the set, given by the phase in which the stock round ends."""
    # rule 8.8
    play.emit(Marked(ROUNDS, play.title.phase(play.state).rounds))


def _operate(play: Play) -> None:
    now = play.state.round
    play.emit(RoundBegan(Round("OR", now.set, 1 if now.kind == "SR" else now.number + 1)))
    play.push(operating_round(play.title, play.state))


def _next_set(play: Play) -> None:
    play.emit(RoundBegan(Round("SR", play.state.round.set + 1)))


def _finish(play: Play) -> None:
    finish(play, BANK_BROKEN)


def _look_at_bank(play: Play) -> None:
    """Announce once that a bank which broke in a stock round ends the game with the next operating round."""
    # rule 12.1
    state = play.state
    if state.broke is not None and state.round.kind != "OR" and BANK_KNOWN not in state.marks:
        play.emit(Marked(BANK_KNOWN, True), EndSignalled(BANK_BROKEN, "next_round"))


def _bank_broken(title: Title, state: State) -> bool:
    return state.broke is not None


def _set_goes_on(title: Title, state: State) -> bool:
    """True if the set has another operating round."""
    return bool(state.round.number < state.marks[ROUNDS])


SEQUENCE: Final = Sequence(
    start=("set_up", "sell_concessions"),
    rows=(
        After(CONCESSIONS_ROUND, "", ("first_stock_round", "trade"), "2.1"),
        After("SR", "", ("count_rounds", "operate"), "3.2"),
        After("OR", "bank_broken", ("finish",), "12.1"),
        After("OR", "set_goes_on", ("operate",), "8.8"),
        After("OR", "", ("next_set", "trade"), "3.1"),
    ),
    conditions={"bank_broken": _bank_broken, "set_goes_on": _set_goes_on},
    does={
        "set_up": _set_up,
        "sell_concessions": _sell_concessions,
        "first_stock_round": _first_stock_round,
        "trade": _trade,
        "count_rounds": _count_rounds,
        "operate": _operate,
        "next_set": _next_set,
        "finish": _finish,
    },
    over=_look_at_bank,
)
