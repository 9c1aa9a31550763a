"""Descriptions of the steps and marks of a position that are specific to 1861."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.acts.act import Turn
from engine.core.title import Telling
from engine.steps.descriptions import SHARED, Told, company_turn
from engine.titles.t1861.mergers.announcement import AnnounceWindow
from engine.titles.t1861.mergers.formation import KeepMarkers
from engine.titles.t1861.mergers.merger_round import MergerRound
from engine.titles.t1861.mergers.state_railway import StateTurn
from engine.titles.t1861.names import FAILED_MERGER, FREE_MARKER, RAN_BEFORE
from engine.titles.t1861.phases import NationalisationOffers
from engine.titles.t1861.stock.frame import StockRound
from engine.titles.t1861.stock.share_offers import OpenOffers, ShareOffers
from engine.titles.t1861.turn.interest import Owing
from engine.titles.t1861.turn.operating_round import OperatingRound

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


def _operating_round(frame: OperatingRound) -> Told:
    facts = {"still to operate": list(frame.order), "incomes paid": frame.paid, "state railway due": frame.state_due}
    return "operating round", facts


def _turn(turn: Turn) -> Told:
    name, facts = company_turn(turn)
    return name, {**facts, "loans at the start": turn.note(Owing).loans}


def _announcements(frame: AnnounceWindow) -> Told:
    return "announcements", {"company": frame.company, "earned": frame.revenue, "not yet answered": list(frame.waiting)}


def _state_turn(frame: StateTurn) -> Told:
    told: dict[str, Any] = {"loans at the start": frame.loans, "has run": frame.run}
    return "turn of the state railway", {**told, "has bought": True} if frame.shopped else told


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


def _marks(marks: Mapping[str, Any]) -> dict[str, Any]:
    """Describe the marks. Marks that only some rulings make are left out when absent, so that the description of other
    positions does not change."""
    last, ran = marks.get("last_round"), marks.get(RAN_BEFORE)
    free = sorted(k.removeprefix(FREE_MARKER) for k in marks if k.startswith(FREE_MARKER))
    told: dict[str, Any] = {
        "Nikolaev sold": "nikolaev_sold" in marks,
        "last round": None if last is None else f"OR {last[0]}.{last[1]}",
        "acting directors": {k.removeprefix(_ACTING): player for k, player in marks.items() if k.startswith(_ACTING)},
    }
    if ran is not None:
        told["ran before the state railway"] = [f"OR {ran[0]}.{ran[1]}", *ran[2:]]
    if free:
        told["second marker free"] = free
    if FAILED_MERGER in marks:
        told["a merger has failed"] = True
    return told


TELLING = Telling(
    {
        **SHARED,
        StockRound: _stock_round,
        OperatingRound: _operating_round,
        Turn: _turn,
        AnnounceWindow: _announcements,
        StateTurn: _state_turn,
        NationalisationOffers: _nationalisation,
        MergerRound: _merger_round,
        KeepMarkers: _keep_markers,
        ShareOffers: _share_offers,
        OpenOffers: _open_offers,
    },
    _marks,
)
