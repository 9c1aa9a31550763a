"""Descriptions of the steps and marks of a position that are specific to 1844."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.acts.act import Turn
from engine.core.title import Telling
from engine.steps.descriptions import SHARED, Told, company_turn
from engine.titles.t1844.names import (
    ACTIVE,
    EXTRA_TILE,
    MOUNTAINS,
    PAID_AT_ONCE,
    REACHED,
    ROUNDS,
    SBB_DUE,
    TUNNELS,
)
from engine.titles.t1844.sbb import MarkerChoice
from engine.titles.t1844.sequence import END_KNOWN
from engine.titles.t1844.stock.auction import OpeningAuction, ParChoice
from engine.titles.t1844.stock.frame import StockRound
from engine.titles.t1844.turn.emergency import HelpSales
from engine.titles.t1844.turn.operating_round import OperatingRound


def _auction(frame: OpeningAuction) -> Told:
    skipped = {"auctioneers passed over": frame.skipped} if frame.skipped else {}  # only a ruling passes any over
    return "auction", {
        "item": frame.item,
        "least first bid": frame.least,
        "high bidder": frame.holder,
        "bid": frame.amount,
        "still bidding": list(frame.waiting),
        **skipped,
    }


def _par(frame: ParChoice) -> Told:
    return "choice of a par price", {"player": frame.player, "company": frame.company}


def _stock_round(frame: StockRound) -> Told:
    return "stock round", {
        "on turn": frame.turn,
        "passes in a row": frame.passes,
        "sold in this round": sorted([player, company] for player, company in frame.sold),
        "sold in this turn": list(frame.sold_now),
        "papers bought in this round": sorted([player, paper] for player, paper in frame.bought),
    }


def _operating_round(frame: OperatingRound) -> Told:
    return "operating round", {"still to operate": sorted(frame.waiting), "incomes paid": frame.paid}


def _turn(turn: Turn) -> Told:
    """Describe a turn. There are no loans in 1844, but the entry stays, because digests of earlier games include it."""
    name, facts = company_turn(turn)
    return name, {**facts, "loans at the start": 0, "sold to pay for a train": list(turn.note(HelpSales).companies)}


def _marker_choice(frame: MarkerChoice) -> Told:
    return "marker to keep", {}


def _marks(marks: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "destinations reached": sorted(marks.get(REACHED, ())),
        "all money at the launch": sorted(marks.get(PAID_AT_ONCE, ())),
        "mountain railways": dict(marks.get(MOUNTAINS, {})),
        "tunnels": dict(marks.get(TUNNELS, {})),
        "papers that pay": sorted(marks.get(ACTIVE, ())),
        "additional tile laid": bool(marks.get(EXTRA_TILE)),
        "SBB due": bool(marks.get(SBB_DUE)),
        "scrapped own trains": [],  # no rule fills it any more, but the digests of stored games have it
        "operating rounds in this set": marks.get(ROUNDS),
        "end announced": bool(marks.get(END_KNOWN)),
    }


TELLING = Telling(
    {
        **SHARED,
        OpeningAuction: _auction,
        ParChoice: _par,
        StockRound: _stock_round,
        OperatingRound: _operating_round,
        Turn: _turn,
        MarkerChoice: _marker_choice,
    },
    _marks,
)
