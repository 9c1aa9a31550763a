"""The end of the game, and who is how rich then. What ends it at once ends it before the next question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.core.agenda import Ask, Menu
from engine.core.events import GameOver
from engine.core.ids import PlayerId
from engine.core.orders import Order
from engine.core.state import Frame, State
from engine.core.title import Play, Priced, Step, Title
from engine.holders.ledger import shares
from engine.steps.course import Course
from engine.titles.t1841.names import END, LOAN, RESIGNED
from engine.titles.t1841.operating_round import OperatingRound
from engine.titles.t1841.rulings import rulings_of

BANK_BROKEN: Final = "bank"
LAST_PLAYER: Final = "bankruptcy"


def reason_to_end(title: Title, state: State) -> str | None:
    """Why the game is over now, whatever is still on the agenda; None while it goes on. Of prices and areas: at once,
    or when the company's turn is over, or with the round."""  # rule 12.2, 12.3, 12.4, 12.5
    if len(state.players) - len(state.marks.get(RESIGNED, ())) <= 1:
        return LAST_PLAYER
    reason: str | None = state.marks.get(END)
    if reason is None:
        return None
    rulings, top = rulings_of(title), type(state.top)
    if rulings.finish_round:
        return reason if top is Course else None
    return reason if rulings.ends == "at_once" or top in (Course, OperatingRound) else None


def finish(play: Play, reason: str) -> None:
    """Final wealth; equal wealth shares the place."""  # rule 12.6
    rows = [(p, score(play.title, play.state, p)) for p in play.state.players]
    play.emit(GameOver(tuple(sorted(rows, key=lambda row: -row[1])), reason))


def score(title: Title, state: State, player: PlayerId) -> int:
    """Cash and certificates at their price, less loans; by a ruling also concessions."""  # rule 12.6
    total = state.money(player) - state.debt(player, LOAN)
    total += sum(shares(title, state, player, c) * title.price(state, c) for c in state.prices)
    held = sum(owner == player for owner in state.privates.values())
    return total + held * int(rulings_of(title).concession_value)


@dataclass(frozen=True, slots=True)
class WithEnd:
    """A step that asks nothing more when the game is over."""

    step: Step[Any]

    def asked(self, title: Title, state: State, frame: Frame) -> tuple[Ask, ...]:
        return () if reason_to_end(title, state) is not None else self.step.asked(title, state, frame)

    def menu(self, title: Title, state: State, frame: Frame, ask: Ask) -> Menu:
        return self.step.menu(title, state, frame, ask)

    def cost(self, title: Title, state: State, frame: Frame, order: Order) -> int | None:
        return self.step.cost(title, state, frame, order) if isinstance(self.step, Priced) else None

    def decide(self, play: Play, frame: Frame, ask: Ask, order: Order) -> None:
        self.step.decide(play, frame, ask, order)

    def advance(self, play: Play, frame: Frame) -> None:
        reason = reason_to_end(play.title, play.state)
        if reason is None:
            self.step.advance(play, frame)
        else:
            finish(play, reason)
