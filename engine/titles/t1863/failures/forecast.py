"""Auctions as the moderator sees them: the current lot, and the lots that may still come."""

from __future__ import annotations

from engine.core.agenda import Lot
from engine.core.ids import BANK
from engine.core.state import State
from engine.core.title import Title
from engine.steps.auction import running_lot
from engine.titles.t1863.entities import decider_of
from engine.titles.t1863.failures.lots import LotAuction


def lot(title: Title, state: State) -> Lot | None:
    """The current auction: of the right to start a company, of a private, of a part of a company in liquidation, or of
    a whole company."""
    frame = state.agenda[-1] if state.agenda else None
    if not isinstance(frame, LotAuction):
        return running_lot(state)
    if frame.holder is None:
        return Lot(frame.item, frame.waiting, least=frame.low)
    return Lot(frame.item, frame.waiting, decider_of(title, state, frame.holder), frame.amount, frame.low)


def lots_to_come(title: Title, state: State) -> tuple[str, ...]:
    """The privates that nobody owns, the companies that may be started, and whatever else is being auctioned."""
    privates = (p for p in title.privates if state.privates.get(p, BANK) is None)
    companies = (c for c, now in state.companies.items() if now.status == "unstarted")
    found, now = (*privates, *companies), lot(title, state)
    return found if now is None or now.item in found else (*found, now.item)
