"""The frame of a stock round."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.core.ids import Actor, CompanyId, PlayerId, PrivateId
from engine.core.state import Frame
from engine.core.title import Play, Title
from engine.families.f1867.rulings import rulings_of
from engine.holders.succession import from_left_of


@dataclass(frozen=True, slots=True)
class StockRound(Frame):
    """``turn``: the player on turn. ``passes``: number of passes in a row. ``led``: the player who passed first in this
    row. ``actor``: the player who last bought or sold. ``sold``: players and the companies they sold in this round.
    ``sold_now``: companies sold in this turn, with the price. ``minimum``: least bid for the next private, where passes
    have reduced it."""

    turn: PlayerId
    passes: int = 0
    led: PlayerId | None = None
    actor: PlayerId | None = None
    sold: frozenset[tuple[Actor, CompanyId]] = frozenset()
    sold_now: dict[CompanyId, int] = field(default_factory=dict)
    minimum: int | None = None


def minimum_of(title: Title, frame: StockRound, private: PrivateId) -> int:
    """The least bid for the private on offer."""
    return title.privates[private].minimum if frame.minimum is None else frame.minimum


def end_turn(play: Play, frame: StockRound, actor: PlayerId, proposer: PlayerId) -> None:
    """End the turn. The player left of ``actor`` is next or, by a ruling, the one left of ``proposer``."""
    # rule 2.6, 3.3, 4.9, 16.5
    pivot = proposer if rulings_of(play.title).next_after_auction == "proposer" else actor
    play.become(replace(frame, turn=from_left_of(play.state, pivot)[0], passes=0, led=None, actor=actor, sold_now={}))


def pass_turn(play: Play, frame: StockRound) -> None:
    """End the turn of a player who has done nothing in it."""
    led = frame.turn if frame.passes == 0 else frame.led
    left = from_left_of(play.state, frame.turn)[0]
    play.become(replace(frame, turn=left, passes=frame.passes + 1, led=led, sold_now={}))
