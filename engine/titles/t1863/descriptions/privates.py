"""Descriptions of decisions about privates, and about lots of all kinds, for the players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.core.state import Frame
from engine.steps.descriptions import Told
from engine.titles.t1863.failures.lots import LotAuction
from engine.titles.t1863.privates.auction import PrivateRound
from engine.titles.t1863.privates.quick_deal import QuickDeal
from engine.titles.t1863.privates.sales import PrivateOffers


def _round(frame: PrivateRound) -> Told:
    return "opening of an auction", {"opener": frame.opener, "passes in a row": frame.passes}


def _deal(frame: QuickDeal) -> Told:
    return "privates dealt", {"still to answer for": [list(each) for each in frame.dealt]}


def _lot(frame: LotAuction) -> Told:
    return "auction", {
        "lot": frame.kind,
        "item": frame.item,
        "seller": frame.seller,
        "least first bid": frame.least,
        "high bidder": frame.holder,
        "bid": frame.amount,
        "still bidding": list(frame.waiting),
    }


def _offers(frame: PrivateOffers) -> Told:
    return "privates may be put up", {"by": [actor for _, actor in frame.waiting]}


PRIVATES: Final[Mapping[type[Frame], Callable[[Any], Told]]] = {
    PrivateRound: _round,
    QuickDeal: _deal,
    LotAuction: _lot,
    PrivateOffers: _offers,
}
