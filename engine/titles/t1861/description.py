"""Descriptions of the steps and marks of a position that are specific to 1861."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.title import Telling
from engine.families.f1867.description import FRAMES, marks_told, operating_round
from engine.families.f1867.turn.operating_round import OperatingRound
from engine.steps.descriptions import Told
from engine.titles.t1861.names import RAN_BEFORE
from engine.titles.t1861.state_railway import StateTurn


def _state_turn(frame: StateTurn) -> Told:
    told: dict[str, Any] = {"loans at the start": frame.loans, "has run": frame.run}
    return "turn of the state railway", {**told, "has bought": True} if frame.shopped else told


def _marks(marks: Mapping[str, Any]) -> dict[str, Any]:
    """Describe the marks. That of trains that have run is left out when absent."""
    told, ran = {"Nikolaev sold": "nikolaev_sold" in marks, **marks_told(marks)}, marks.get(RAN_BEFORE)
    if ran is not None:
        told["ran before the state railway"] = [f"OR {ran[0]}.{ran[1]}", *ran[2:]]
    return told


TELLING = Telling(
    {**FRAMES, OperatingRound: operating_round("state railway due"), StateTurn: _state_turn},
    _marks,
)
