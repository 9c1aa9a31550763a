"""An end of the game that the rulebook does not have: no company is left, nobody can start another, and nobody changes
that."""

from __future__ import annotations

from engine.core.events import Marked
from engine.core.ids import Owner, PlayerId, PrivateId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.ending.ends import STALEMATE
from engine.titles.t1863.names import CLINK, ENDING, STILL, mark
from engine.titles.t1863.stock.shares import players_in
from engine.titles.t1863.stock.start_right import list_starts

Position = tuple[tuple[tuple[PlayerId, int], ...], tuple[tuple[PrivateId, Owner | None], ...]]
"""The money of the players, and the owners of the privates."""


def look_for_stalemate(play: Play) -> None:
    """Record the end of a stock round after which nobody can do anything except sell privates. If nothing has changed
    since the last set, or nobody has a private to sell, signal the end of the game."""  # rule 12.69
    if ENDING in play.state.marks:
        return
    now = None if can_go_on(play.title, play.state) else _position(play.state)
    before: Position | None = mark(play.state, STILL, None)
    if now is not None and (now == before or not _on_sale(play.state)):
        play.emit(Marked(ENDING, STALEMATE))
    elif now != before:
        play.emit(Marked(STILL, now))


def can_go_on(title: Title, state: State) -> bool:
    """True if a company is in play, or a player has the means to start one."""  # rule 12.69
    if state.prices:
        return True
    return any(next(list_starts(title, state, player, player), None) for player in players_in(state))


def stalled(title: Title, state: State) -> bool:
    """True if the game must end after this stock round, because nothing is left to do."""  # rule 12.69
    return state.marks.get(ENDING) == STALEMATE


def _on_sale(state: State) -> bool:
    """True if somebody owns a private that may be sold, which the Clink Club may not."""
    return any(owner is not None and private != CLINK for private, owner in state.privates.items())


def _position(state: State) -> Position:
    """Everything that may change during a set without companies in play."""
    money = tuple((player, state.money(player)) for player in state.players)
    return money, tuple(sorted(state.privates.items()))
