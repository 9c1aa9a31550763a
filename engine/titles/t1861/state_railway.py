"""The Russian State Railway, which operates last in each operating round of phases 4 to 7, mostly by itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.acts.buy_train import cheapest_of_bank_or_pool, new_trains, next_new
from engine.acts.run_trains import able_to_run, cannot_run, declare, declare_best
from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import Distributed, Marked, MarkerPlaced, TurnBegan, TurnEnded
from engine.core.ids import BANK
from engine.core.orders import Order, Run, RunBest, Train
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.families.f1867.mergers.state_markers import has_marker
from engine.families.f1867.names import LAST_TRAIN
from engine.families.f1867.turn.loans import INTEREST, pay_with_loans, repay_all_possible
from engine.families.f1867.turn.trains import buy_train
from engine.holders.charters import charter_of
from engine.titles.t1861.names import RAN_BEFORE, ST_PETERSBURG, STATE
from engine.titles.t1861.rulings import rulings_of


@dataclass(frozen=True, slots=True)
class StateTurn(Frame):
    """``loans``: its loans at the start of its turn. ``begun``: it has its marker in St. Petersburg. ``run``: its
    revenue is in the treasury and its loans are settled. ``shopped``: it has bought all that it could at once."""

    loans: int
    begun: bool = False
    run: bool = False
    shopped: bool = False


def operates(title: Title, state: State) -> bool:
    """True from the first 4-train until the first 8-train; by a ruling only if it has taken something over."""
    # rule 12.1
    if not title.reached(state, "4") or title.reached(state, "8"):
        return False
    return rulings_of(title).state_railway_operates == "phase" or _has_taken_over(title, state)


def _has_taken_over(title: Title, state: State) -> bool:
    """True if the state railway has anything beyond its assets at the start. A takeover always brings something: a
    minor leaves at least its marker."""
    markers = len(state.board.places_of(STATE)) - rulings_of(title).marker_at_start
    now = state.companies[STATE]
    return bool(now.trains or now.loans or state.money(STATE)) or markers > 0 or STATE in state.privates.values()


def state_turn(play: Play) -> None:
    """Begin the turn of the state railway if it operates now."""
    if operates(play.title, play.state):
        play.emit(TurnBegan(STATE))
        play.push(StateTurn(play.state.companies[STATE].loans))


def place_in_st_petersburg(play: Play) -> None:
    """Place its marker in St. Petersburg, if it has none there: in its own space or the joined city."""  # rule 12.3
    board = play.state.board
    if has_marker(play.title, play.state, ST_PETERSBURG):
        return
    home = charter_of(play.title, play.state, STATE).home
    assert home is not None
    play.emit(MarkerPlaced(STATE, ST_PETERSBURG, board.home_city(*home)))


class StateTurnStep:
    """Runs trains, withholds, pays interest, repays loans and buys trains. By a ruling a player is asked for the
    run."""

    def asked(self, title: Title, state: State, frame: StateTurn) -> tuple[Ask, ...]:
        if not frame.begun or frame.run or rulings_of(title).state_railway_runs != "priority":
            return ()
        if not able_to_run(title, state, STATE):
            return ()
        return (Ask(state.priority, STATE, "state_railway.run", (STATE,), RunBest(STATE)),)  # rule 12.2

    def menu(self, title: Title, state: State, frame: StateTurn, ask: Ask) -> Menu:
        return (Exact(RunBest(STATE)), Exact(Run(STATE, ())))

    def decide(self, play: Play, frame: StateTurn, ask: Ask, order: Order) -> None:
        if not isinstance(order, Run | RunBest):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        revenue = declare(play, STATE, order)
        if revenue is not None:
            self._earn(play, frame, revenue)

    def _earn(self, play: Play, frame: StateTurn, revenue: int) -> None:
        """Withhold all the revenue, then pay interest and repay loans."""  # rule 12.6, 12.7
        play.pay(BANK, STATE, revenue, "withheld", STATE)
        play.emit(Distributed(STATE, "none", revenue, 0, revenue))
        pay_with_loans(play, STATE, BANK, frame.loans * INTEREST, "interest")
        repay_all_possible(play, STATE)
        play.become(replace(frame, run=True))

    def advance(self, play: Play, frame: StateTurn) -> None:
        if not frame.begun:
            place_in_st_petersburg(play)
            play.become(replace(frame, begun=True))
        elif not frame.run:
            if able_to_run(play.title, play.state, STATE):
                revenue = declare_best(play, STATE)
            else:
                revenue = 0
                cannot_run(play, STATE)
            self._earn(play, frame, revenue)
        elif not self._shop(play, frame):
            if RAN_BEFORE in play.state.marks:
                play.emit(Marked(RAN_BEFORE, None))
            play.emit(TurnEnded(STATE))
            play.pop()

    def _shop(self, play: Play, frame: StateTurn) -> bool:
        """Buy a train, or by a ruling all that its money lasts for, before anybody is asked. Once the questions that
        new phases bring are answered it shops again, with what the answers brought. False if it buys nothing."""
        # rule 12.8, 12.10
        if rulings_of(play.title).state_railway_phase_8 == "stops":
            return self._buy(play)
        bought, questions = False, dict[type[Frame], Frame]()
        while self._buy(play):
            bought, asked = True, list[Frame]()
            while not isinstance(play.state.top, StateTurn):
                asked.append(play.state.top)
                play.pop()
            questions |= {type(question): question for question in reversed(asked)}
        if bought:
            play.become(replace(frame, shopped=True))
        for question in questions.values():  # the last of each kind covers those before it
            play.push(question)
        return bought

    def _buy(self, play: Play) -> bool:
        """Buy one train: the cheapest, with loans, if it has none; otherwise a new one for cash. False if it buys
        none."""
        # rule 12.8
        title, state = play.title, play.state
        if title.reached(state, LAST_TRAIN) and rulings_of(title).state_railway_phase_8 == "stops":
            return False
        if not state.companies[STATE].trains:
            cheapest = cheapest_of_bank_or_pool(title, state)
            if cheapest is None:
                return False
            bought, source, _ = cheapest
            new = bought in new_trains(title, state)  # rule 12.8: a new train before a used one of the same price
            buy_train(play, Train(STATE, bought, BANK if new else source))
            return True
        train = next_new(title, state)
        if train is None or title.trains[train].cost > state.money(STATE):
            return False
        buy_train(play, Train(STATE, train))
        return True
