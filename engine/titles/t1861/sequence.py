"""The course of the game: which round follows which, when it ends, and who is how rich then."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.events import EndSignalled, GameOver, Marked, MarkerPlaced, PrivateClosed, RoundBegan
from engine.core.ids import PlayerId
from engine.core.play import Play
from engine.core.state import Frame, Round, State
from engine.core.title import Title
from engine.finance.holdings import shares
from engine.steps.automatic import NobodyAsked
from engine.titles.t1861.merger_round import MergerRound
from engine.titles.t1861.names import MINOR, ST_PETERSBURG, STATE
from engine.titles.t1861.operating_round import OperatingRound
from engine.titles.t1861.rulings import rulings_of
from engine.titles.t1861.state_railway import has_marker
from engine.titles.t1861.stock_round import StockRound

ROUNDS_IN_A_SET = 2


@dataclass(frozen=True, slots=True)
class Course(Frame):
    """The lowest frame. ``begun``: the first stock round has been started."""

    begun: bool = False


def begin(title: Title, state: State) -> tuple[Frame, ...]:
    return (Course(),)


class CourseStep(NobodyAsked):
    """Starts one round after the other until the game is over."""

    def advance(self, play: Play, frame: Course) -> None:
        if not frame.begun:
            _set_up(play)
            play.become(Course(True))
            play.emit(RoundBegan(Round("SR", 1)))
            play.push(StockRound(play.state.priority))
            return
        _look_at_bank(play)
        now = play.state.round
        if _is_last(play.state):
            _finish(play)
        elif now.kind == "OR" and _mergers_follow(play):
            play.emit(RoundBegan(Round("MR", now.set, now.number)))
            order = play.title.policies.operating_order(play.title, play.state)
            play.push(MergerRound(tuple(c for c in order if play.title.companies[c].kind == MINOR)))
        elif now.kind == "SR" or now.number < rounds_in_set(play.state):
            play.emit(RoundBegan(Round("OR", now.set, 1 if now.kind == "SR" else now.number + 1)))
            play.push(OperatingRound(play.title.policies.operating_order(play.title, play.state)))
        else:
            play.emit(RoundBegan(Round("SR", now.set + 1)))
            play.push(StockRound(play.state.priority))


def _set_up(play: Play) -> None:
    """Lots and markers of the start that follow from the table and its options."""
    title, state = play.title, play.state
    removed = title.table[len(state.players)].privates_removed  # rule 1.1
    if removed and len(state.privates) == len(title.privates):
        for _ in range(removed):
            play.emit(PrivateClosed(play.draw("private removed", tuple(play.state.privates)), unused=True))
    if rulings_of(title).marker_at_start and not has_marker(state, ST_PETERSBURG):  # rule 16.3
        home = title.companies[STATE].home
        assert home is not None
        play.emit(MarkerPlaced(STATE, *home))


def rounds_in_set(state: State) -> int:
    """Operating rounds of the present set."""  # rule 6.11
    last = state.marks.get("last_round")
    return last[1] if last is not None and last[0] == state.round.set else ROUNDS_IN_A_SET


def _mergers_follow(play: Play) -> bool:
    """After an operating round that ends in phases 3 to 7, unless it is the last one of a broken bank."""
    # rule 14.1, 15.3
    title, state = play.title, play.state
    return title.reached(state, "3") and not title.reached(state, "8")


def _look_at_bank(play: Play) -> None:
    """A broken bank ends the game, unless the first 8-train has already settled its end."""
    # rule 15.4, 15.5, 15.6
    broke = play.state.broke
    if broke is None or "last_round" in play.state.marks:
        return
    last = (broke.set, 1 if broke.kind == "SR" else broke.number)
    play.emit(Marked("last_round", last), EndSignalled("bank", "this_round" if broke.kind == "OR" else "next_round"))


def _is_last(state: State) -> bool:
    last = state.marks.get("last_round")
    now = state.round
    return last is not None and now.kind == "OR" and (now.set, now.number) >= last


def _finish(play: Play) -> None:
    """Final wealth; equal wealth shares the place."""  # rule 15.8, 15.9
    rows = [(p, score(play.title, play.state, p)) for p in play.state.players]
    rows.sort(key=lambda row: -row[1])
    by_train = play.state.marks["last_round"][1] > ROUNDS_IN_A_SET  # only the last train brings a third round
    play.emit(GameOver(tuple(rows), "last_train" if by_train else "bank"))


def score(title: Title, state: State, player: PlayerId) -> int:
    """Cash, privates at face or not at all, shares at their final price, minors at twice theirs."""
    # rule 15.7, 15.8
    total = state.money(player)
    if rulings_of(title).private_score == "face":
        total += sum(title.privates[p].face for p, owner in state.privates.items() if owner == player)
    for company, marker in state.prices.items():
        held = shares(title, state, player, company)
        if held:
            loans = state.companies[company].loans
            cell = title.chart.move(title.companies[company].kind, marker.cell, "left", loans)
            total += held * title.chart.price(cell)
    return total
