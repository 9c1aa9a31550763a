"""The frame of a stock round."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.state import Frame, State
from engine.core.title import Play
from engine.titles.t1863.stock.shares import seats_after


@dataclass(frozen=True, slots=True)
class StockRound(Frame):
    """``turn``: the player on turn. ``passes``: the number of passes in a row. ``sold``: the sellers in this round,
    each with the company sold. ``last``: the last player who did anything except pass. ``idle``: nobody could have done
    anything else in this round.

    For the turn: ``entity``: the entity for which the player acts. ``sold_now``: companies sold. ``shorted``: a share
    has been sold short. ``acted``: something other than loans was done.
    """

    turn: PlayerId
    passes: int = 0
    sold: frozenset[tuple[Actor, CompanyId]] = frozenset()
    last: PlayerId | None = None
    idle: bool = True
    entity: Actor | None = None
    sold_now: tuple[CompanyId, ...] = ()
    shorted: bool = False
    acted: bool = False


def next_seat(state: State, player: PlayerId) -> PlayerId:
    """The next player on the left who is not bankrupt."""
    return next(iter(seats_after(state, player)), player)


def next_turn(play: Play, frame: StockRound, acted: bool, idle: bool = False) -> None:
    """End the turn. If the player ``acted``, the count of passes starts again. ``idle``: he could have done nothing but
    pass."""
    # rule 4.9, 12.62
    turn = next_seat(play.state, frame.turn)
    if acted:
        play.become(StockRound(turn, 0, frame.sold, frame.turn, False))
    else:
        play.become(StockRound(turn, frame.passes + 1, frame.sold, frame.last, frame.idle and idle))


def turn_goes_to(play: Play, frame: StockRound, player: PlayerId) -> None:
    """Make ``player`` the next player on turn."""
    play.become(replace(frame, turn=player))
