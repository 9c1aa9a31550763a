"""Lots of auctions: the one now offered, and those that may still follow."""

from __future__ import annotations

from engine.core.agenda import Lot
from engine.core.ids import BANK
from engine.core.state import State
from engine.core.title import Title
from engine.families.f1867.names import MINOR
from engine.families.f1867.stock.frame import StockRound
from engine.families.f1867.stock.starts import on_offer
from engine.holders.charters import of_kind
from engine.holders.succession import from_player
from engine.steps.auction import running_lot


def lot(title: Title, state: State) -> Lot | None:
    """The item under auction, or the private that is on offer to the players who have not passed."""
    frame, private = state.agenda[-1] if state.agenda else None, on_offer(title, state)
    if isinstance(frame, StockRound) and private is not None:
        return Lot(private, from_player(state, frame.turn)[: len(state.players) - frame.passes])
    return running_lot(state)


def lots_to_come(title: Title, state: State) -> tuple[str, ...]:
    """The unsold privates and, before phase 5, the unstarted minors."""
    privates = tuple(p for p in title.privates if state.privates.get(p, BANK) is None)
    minors = (c for c in of_kind(title, state, MINOR) if state.companies[c].status == "unstarted")
    return privates if title.reached(state, "5") else (*privates, *minors)
