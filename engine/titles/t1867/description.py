"""Descriptions of the steps and marks of a position that are specific to 1867."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.title import Telling
from engine.families.f1867.description import FRAMES, marks_told, operating_round
from engine.families.f1867.turn.operating_round import OperatingRound
from engine.titles.t1867.names import HOME


def _marks(marks: Mapping[str, Any]) -> dict[str, Any]:
    chosen = {k.removeprefix(HOME): list(place) for k, place in marks.items() if k.startswith(HOME)}
    return {**marks_told(marks), "home chosen": chosen} if chosen else marks_told(marks)


TELLING = Telling({**FRAMES, OperatingRound: operating_round("train to be exported")}, _marks)
