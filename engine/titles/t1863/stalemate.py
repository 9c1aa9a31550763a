"""The end that no rule of the book brings: no company is left, nobody can start another, and nobody does anything about
it."""

from __future__ import annotations

from engine.core.events import Marked
from engine.core.ids import Owner, PlayerId, PrivateId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.ends import STALEMATE
from engine.titles.t1863.names import CLINK, ENDING, STILL, mark
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.shares import players_in
from engine.titles.t1863.starting import list_starts

Position = tuple[tuple[tuple[PlayerId, int], ...], tuple[tuple[PrivateId, Owner | None], ...]]
"""The money of the players, and the owners of the privates."""


def look_for_stalemate(play: Play) -> None:
    """Note how a stock round has ended after which nobody can do anything but sell privates. If all is as it was one
    set of rounds ago, or nobody has a private to sell, the game ends."""  # rule 12.69
    if rulings_of(play.title).stalemate == "goes_on" or ENDING in play.state.marks:
        return
    now = None if can_go_on(play.title, play.state) else _position(play.state)
    before: Position | None = mark(play.state, STILL, None)
    if now is not None and (now == before or not _on_sale(play.state)):
        play.emit(Marked(ENDING, STALEMATE))
    elif now != before:
        play.emit(Marked(STILL, now))


def can_go_on(title: Title, state: State) -> bool:
    """True if a company is in play, or somebody has the means to start one."""  # rule 12.69
    if state.prices:
        return True
    return any(next(list_starts(title, state, player, player), None) for player in players_in(state))


def stalled(title: Title, state: State) -> bool:
    """True if the stock round that is over was the last of a game in which nothing is left to do."""  # rule 12.69
    return state.marks.get(ENDING) == STALEMATE


def _on_sale(state: State) -> bool:
    """True if somebody has a private that may be sold: the Clink Club may not."""
    return any(owner is not None and private != CLINK for private, owner in state.privates.items())


def _position(state: State) -> Position:
    """All that may change in a set of rounds in which no company is in play."""
    money = tuple((player, state.money(player)) for player in state.players)
    return money, tuple(sorted(state.privates.items()))
