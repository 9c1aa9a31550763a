"""The frame of a stock round, and the players who have turns in it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.state import Frame, State
from engine.core.title import Play
from engine.titles.t1841.names import RESIGNED


@dataclass(frozen=True, slots=True)
class StockRound(Frame):
    """``turn``: the player on turn. ``passes``: the number of passes in a row. ``sold``: pairs of seller and company in
    this round. ``sold_now``: companies sold in this turn; ``group``: the turn's group has been sold, beyond what limits
    forced. ``idle``: nobody could do anything but pass in this round."""

    turn: PlayerId
    passes: int = 0
    sold: frozenset[tuple[Actor, CompanyId]] = frozenset()
    sold_now: tuple[CompanyId, ...] = ()
    group: bool = False
    idle: bool = True


def active(state: State) -> tuple[PlayerId, ...]:
    """The players who have not resigned, in order of play."""
    resigned: frozenset[PlayerId] = state.marks.get(RESIGNED, frozenset())
    return tuple(p for p in state.players if p not in resigned)


def next_player(state: State, player: PlayerId) -> PlayerId:
    """The next player on the left who has not resigned."""
    at = state.players.index(player)
    playing = active(state)
    return next(p for p in (*state.players[at + 1 :], *state.players[: at + 1]) if p in playing)


def begin_stock_round(play: Play) -> None:
    """Put a stock round on the agenda; the priority holder begins."""
    state = play.state
    first = state.priority if state.priority in active(state) else next_player(state, state.priority)
    play.push(StockRound(first))
