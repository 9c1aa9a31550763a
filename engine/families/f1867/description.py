"""Descriptions of the steps and marks of a position that all cousins have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.acts.act import Turn
from engine.core.state import Frame
from engine.families.f1867.mergers.announcement import AnnounceWindow
from engine.families.f1867.mergers.formation import KeepMarkers
from engine.families.f1867.mergers.merger_round import MergerRound
from engine.families.f1867.names import FAILED_MERGER, FREE_MARKER
from engine.families.f1867.phases import NationalisationOffers
from engine.families.f1867.stock.frame import StockRound
from engine.families.f1867.stock.share_offers import OpenOffers, ShareOffers
from engine.families.f1867.turn.interest import Owing
from engine.families.f1867.turn.operating_round import OperatingRound
from engine.steps.descriptions import SHARED, Told, company_turn

_ACTING = "acting "


def _stock_round(frame: StockRound) -> Told:
    return "stock round", {
        "on turn": frame.turn,
        "passes in a row": frame.passes,
        "first to pass": frame.led,
        "last to act": frame.actor,
        "sold in this round": sorted([player, company] for player, company in frame.sold),
        "sold in this turn, at": dict(frame.sold_now),
        "least bid for the next private": frame.minimum,
    }


def operating_round(due: str) -> Callable[[OperatingRound], Told]:
    """The description of an operating round that ends with ``due``, a word of the title."""

    def told(frame: OperatingRound) -> Told:
        facts = {"still to operate": list(frame.order), "incomes paid": frame.paid, due: frame.state_due}
        return "operating round", facts

    return told


def _turn(turn: Turn) -> Told:
    name, facts = company_turn(turn)
    return name, {**facts, "loans at the start": turn.note(Owing).loans}


def _announcements(frame: AnnounceWindow) -> Told:
    return "announcements", {"company": frame.company, "earned": frame.revenue, "not yet answered": list(frame.waiting)}


def _nationalisation(frame: NationalisationOffers) -> Told:
    return "offers to nationalise", {"companies": list(frame.companies)}


def _merger_round(frame: MergerRound) -> Told:
    return "merger round", {
        "still to come": list(frame.order),
        "tried in vain": sorted(sorted(group) for group in frame.failed),
    }


def _keep_markers(frame: KeepMarkers) -> Told:
    return "markers to keep", {"company": frame.company, "places": [list(place) for place in frame.places]}


def _share_offers(frame: ShareOffers) -> Told:
    return "offers of shares", {
        "company": frame.company,
        "to": "holders" if frame.holders else "everybody",
        "still to answer": list(frame.waiting),
        "last to answer": frame.last,
    }


def _open_offers(frame: OpenOffers) -> Told:
    return "offers of shares", {"company": frame.company, "to": "everybody", "until": "the Priority Deal can no more"}


def marks_told(marks: Mapping[str, Any]) -> dict[str, Any]:
    """Describe the marks that all cousins make. Those that only some rulings make are left out when absent, so that the
    description of other positions does not change."""
    last = marks.get("last_round")
    free = sorted(k.removeprefix(FREE_MARKER) for k in marks if k.startswith(FREE_MARKER))
    told: dict[str, Any] = {
        "last round": None if last is None else f"OR {last[0]}.{last[1]}",
        "acting directors": {k.removeprefix(_ACTING): player for k, player in marks.items() if k.startswith(_ACTING)},
    }
    if free:
        told["second marker free"] = free
    if FAILED_MERGER in marks:
        told["a merger has failed"] = True
    return told


FRAMES: Final[Mapping[type[Frame], Callable[[Any], Told]]] = {
    **SHARED,
    StockRound: _stock_round,
    Turn: _turn,
    AnnounceWindow: _announcements,
    NationalisationOffers: _nationalisation,
    MergerRound: _merger_round,
    KeepMarkers: _keep_markers,
    ShareOffers: _share_offers,
    OpenOffers: _open_offers,
}
"""Descriptions of the frames of every cousin; that of an operating round is the title's."""
