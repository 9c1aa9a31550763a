"""Descriptions of decisions in stock rounds, and about offers of shares, for the players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.core.state import Frame
from engine.steps.descriptions import Told
from engine.titles.t1863.stock.floats import Floating
from engine.titles.t1863.stock.frame import StockRound
from engine.titles.t1863.stock.windows import Window


def _round(frame: StockRound) -> Told:
    return "stock round", {
        "on turn": frame.turn,
        "acts as": frame.entity,
        "passes in a row": frame.passes,
        "sold in this round": sorted([seller, company] for seller, company in frame.sold),
        "sold in this turn": list(frame.sold_now),
        "sold short in this turn": frame.shorted,
        "more than loans in this turn": frame.acted,
        "last who acted": frame.last,
        "nobody could act yet": frame.idle,
    }


def _float(frame: Floating) -> Told:
    return "float of a company", {"company": frame.company, "winner": frame.winner, "bid": frame.bid}


def _window(frame: Window) -> Told:
    return "offer of shares", {
        "company": frame.company,
        "buyer": frame.buyer,
        "the others may": frame.others,
        "still to answer": list(frame.waiting),
    }


STOCK: Final[Mapping[type[Frame], Callable[[Any], Told]]] = {
    StockRound: _round,
    Floating: _float,
    Window: _window,
}
