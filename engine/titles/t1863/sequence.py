"""The course of the game: the auction of privates, then stock rounds. After each stock round come two operating rounds,
each followed by a merger round."""

from __future__ import annotations

from typing import Final

from engine.core.events import Marked, PrivateClosed, RoundBegan
from engine.core.ids import PrivateId
from engine.core.state import Round, State
from engine.core.title import Play, Title
from engine.steps.course import After, Sequence
from engine.titles.t1863.ending.ends import finish
from engine.titles.t1863.ending.stalemate import stalled
from engine.titles.t1863.failures.lptb import begin_lptb, has_begun
from engine.titles.t1863.mergers.merger_round import begin_merger_round
from engine.titles.t1863.names import (
    ACQUIRED,
    AUCTION_ROUND,
    BORROWED,
    CLINK,
    ENDING,
    FINAL,
    MERGER_ROUND,
    OFFERED,
    OPERATING_ROUND,
    RATE,
    STOCK_ROUND,
    mark,
)
from engine.titles.t1863.pieces import loan_rates, privates_dealt
from engine.titles.t1863.privates.auction import begin_privates
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.stock_round import begin_stock_round
from engine.titles.t1863.turn.operating_round import begin_operating_round
from engine.titles.t1863.turn.supplies import cut_first_supply


def _begin(play: Play, kind: str, set: int, number: int = 0) -> None:
    """Begin a round. Reset what counts for one round only."""
    play.emit(RoundBegan(Round(kind, set, number)))
    for key in (BORROWED, OFFERED, ACQUIRED):
        if key in play.state.marks:
            play.emit(Marked(key, None))


def _set_up(play: Play) -> None:
    """Set the interest rate, remove the privates that are not in this game, and begin the auction round."""
    # rule 2.1, 12.3
    play.emit(Marked(RATE, loan_rates(play.title)[0]))
    if CLINK in play.state.privates and not rulings_of(play.title).clink_club:
        play.emit(PrivateClosed(CLINK, unused=True))
    wanted = privates_dealt(play.title, len(play.state.players))
    while len(there := [p for p in play.state.privates if p != CLINK]) > wanted:
        play.emit(PrivateClosed(PrivateId(play.draw("private unused", there)), unused=True))
    _begin(play, AUCTION_ROUND, 1)


def _first_stock_round(play: Play) -> None:
    _begin(play, STOCK_ROUND, play.state.round.set)


def _next_set(play: Play) -> None:
    _begin(play, STOCK_ROUND, play.state.round.set + 1)


def _last_set(play: Play) -> None:
    """Begin the last set: a stock round and the last two operating rounds."""  # rule 11.1
    play.emit(Marked(FINAL, True))
    _next_set(play)


def _trade(play: Play) -> None:
    begin_stock_round(play)


def _operate(play: Play) -> None:
    now = play.state.round
    _begin(play, OPERATING_ROUND, now.set, 1 if now.kind == STOCK_ROUND else now.number + 1)
    begin_operating_round(play)


def _cut_supply(play: Play) -> None:
    cut_first_supply(play)


def _lptb(play: Play) -> None:
    begin_lptb(play)


def _merge(play: Play) -> None:
    now = play.state.round
    _begin(play, MERGER_ROUND, now.set, now.number)
    begin_merger_round(play)


def _finish(play: Play) -> None:
    finish(play)


def _nothing(play: Play) -> None:
    pass


# ---- conditions ------------------------------------------------------------------------------------------------------


def _is_final(title: Title, state: State) -> bool:
    return mark(state, FINAL, False)


def _over(title: Title, state: State) -> bool:
    return _is_final(title, state) and state.round.number == 2


def _first_of_all(title: Title, state: State) -> bool:
    return state.round.set == 1 and state.round.number == 1


def _set_goes_on(title: Title, state: State) -> bool:
    """True if the set has another operating round."""
    return state.round.number < 2


def _ending(title: Title, state: State) -> bool:
    return ENDING in state.marks


SEQUENCE: Final = Sequence(  # rule 3.9
    start=("set_up", "sell_privates"),
    rows=(
        After(AUCTION_ROUND, "", ("first_stock_round", "trade"), "3.9"),
        After(STOCK_ROUND, "stalled", ("finish",), "12.69"),
        After(STOCK_ROUND, "", ("operate",), "3.9"),
        After(OPERATING_ROUND, "over", ("finish",), "11.1"),
        After(OPERATING_ROUND, "is_final", ("operate",), "11.1"),
        After(OPERATING_ROUND, "first_of_all", ("cut_supply", "merge"), "5.5"),
        After(OPERATING_ROUND, "lptb_acts", ("lptb", "merge"), "10.1"),
        After(OPERATING_ROUND, "", ("merge",), "3.9"),
        After(MERGER_ROUND, "set_goes_on", ("operate",), "3.9"),
        After(MERGER_ROUND, "ending", ("last_set", "trade"), "11.1"),
        After(MERGER_ROUND, "", ("next_set", "trade"), "3.9"),
    ),
    conditions={
        "stalled": stalled,
        "over": _over,
        "is_final": _is_final,
        "first_of_all": _first_of_all,
        "lptb_acts": has_begun,
        "set_goes_on": _set_goes_on,
        "ending": _ending,
    },
    does={
        "set_up": _set_up,
        "sell_privates": begin_privates,
        "first_stock_round": _first_stock_round,
        "next_set": _next_set,
        "last_set": _last_set,
        "trade": _trade,
        "operate": _operate,
        "cut_supply": _cut_supply,
        "lptb": _lptb,
        "merge": _merge,
        "finish": _finish,
    },
    over=_nothing,
)
