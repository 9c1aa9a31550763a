"""The frame of a stock round."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.state import Frame, State
from engine.core.title import Play
from engine.holders.succession import from_left_of


@dataclass(frozen=True, slots=True)
class StockRound(Frame):
    """``turn``: the player on turn. ``passes``: number of passes in a row. ``sold``: players and the companies they
    sold in this round. ``sold_now``: companies sold in this turn. ``bought``: players and the kinds of paper (mountain
    railway or tunnel certificate) they bought in this round."""

    turn: PlayerId
    passes: int = 0
    sold: frozenset[tuple[Actor, CompanyId]] = frozenset()
    sold_now: tuple[CompanyId, ...] = ()
    bought: frozenset[tuple[Actor, str]] = frozenset()


def end_turn(play: Play, frame: StockRound, passes: int = 0) -> None:
    """End the turn. After a purchase earlier passes no longer count."""  # rule 4.1, 4.2
    left = from_left_of(play.state, frame.turn)[0]
    play.become(replace(frame, turn=left, passes=passes, sold_now=()))


def is_first(state: State) -> bool:
    """True if this is the first stock round, after the auction."""  # rule 4.3
    return state.round.set == 1
