"""Descriptions of decisions about conversions and mergers for the players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.core.state import Frame
from engine.steps.descriptions import Told
from engine.titles.t1863.mergers.halves import Halves
from engine.titles.t1863.mergers.markers import MarkersOver
from engine.titles.t1863.mergers.merger_round import MergerRound


def _round(frame: MergerRound) -> Told:
    return "merger round", {
        "step": frame.stage,
        "done": sorted(frame.done),
        "converted or merged": sorted(frame.used),
        "on turn": frame.turn,
        "refused": sorted([*sorted(group), into] for group, into in frame.failed),
    }


def _halves(frame: Halves) -> Told:
    return "half shares", {
        "company": frame.company,
        "by": "merger" if frame.merged else "refinancing",
        "step": frame.stage,
        "holders of half a share": list(frame.odd),
        "halves that were shares of the survivor": sorted(frame.own),
        "shares for the pool": frame.given,
        "players with half a short": list(frame.shorts),
    }


def _markers_over(frame: MarkersOver) -> Told:
    return "markers that are too many", {"company": frame.company, "most": frame.most}


MERGERS: Final[Mapping[type[Frame], Callable[[Any], Told]]] = {
    MergerRound: _round,
    Halves: _halves,
    MarkersOver: _markers_over,
}
