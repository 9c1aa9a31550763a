"""The end of the game, and the final wealth of the players."""

from __future__ import annotations

from typing import Final

from engine.core.events import GameOver
from engine.core.ids import PlayerId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.ledger import shares
from engine.steps.course import Course
from engine.titles.t1841.names import END, LOAN, RESIGNED
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.turn.operating_round import OperatingRound, next_company
from engine.titles.t1841.turn.uncontrolled import is_frozen

BANK_BROKEN: Final = "bank"
LAST_PLAYER: Final = "bankruptcy"


def reason_to_end(title: Title, state: State) -> str | None:
    """Why the game is over now, whatever is still on the agenda; None while it goes on. The game ends at once, or when
    the company's turn is over; under a ruling, prices and areas end it with the round."""
    # rule 12.2, 12.3, 12.4, 12.5
    last = len(state.players) - len(state.marks.get(RESIGNED, ())) <= 1
    reason: str | None = LAST_PLAYER if last else state.marks.get(END)
    if reason is None:
        return None
    rulings, top = rulings_of(title), type(state.top)
    if rulings.finish_round and not last:
        return reason if top is Course else None
    if last and rulings.ends == "turn" and top is OperatingRound and _frozen_is_next(title, state):
        return None
    return reason if rulings.ends == "at_once" or top in (Course, OperatingRound) else None


def _frozen_is_next(title: Title, state: State) -> bool:
    """True if a frozen company has the next turn. That turn belongs to the one before, because nobody is asked in
    between."""
    company = next_company(title, state)
    return company is not None and is_frozen(title, state, company)


def finish(play: Play, reason: str) -> None:
    """End the game with the players' final wealth; players with equal wealth share a place."""  # rule 12.6
    rows = [(p, score(play.title, play.state, p)) for p in play.state.players]
    play.emit(GameOver(tuple(sorted(rows, key=lambda row: -row[1])), reason))


def score(title: Title, state: State, player: PlayerId) -> int:
    """The player's cash and certificates at their price, less loans; under a ruling, also concessions."""  # rule 12.6
    total = state.money(player) - state.debt(player, LOAN)
    total += sum(shares(title, state, player, c) * title.price(state, c) for c in state.prices)
    held = sum(owner == player for owner in state.privates.values())
    return total + held * int(rulings_of(title).concession_value)


def end_at_once(play: Play) -> None:
    """End the game before the next question if it is over."""  # rule 12.2, 12.3, 12.4
    reason = None if play.state.finished else reason_to_end(play.title, play.state)
    if reason is not None:
        finish(play, reason)
