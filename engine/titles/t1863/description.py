"""The description of a position of 1863: the steps and marks that other titles do not have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.acts.act import Turn
from engine.core.title import Telling
from engine.steps.descriptions import SHARED, Told, company_turn
from engine.titles.t1863 import names
from engine.titles.t1863.descriptions.failures import FAILURES
from engine.titles.t1863.descriptions.mergers import MERGERS
from engine.titles.t1863.descriptions.privates import PRIVATES
from engine.titles.t1863.descriptions.stock import STOCK
from engine.titles.t1863.mergers.refinancing import HasRefinanced
from engine.titles.t1863.privates.extra_life import SurvivingTrains
from engine.titles.t1863.privates.marker_powers import MarkersMoved
from engine.titles.t1863.privates.powers import LaidBeside
from engine.titles.t1863.turn.queue import OperatingRound


def _operating_round(frame: OperatingRound) -> Told:
    return "operating round", {"still to operate": list(frame.waiting)}


def _turn(turn: Turn) -> Told:
    name, known = company_turn(turn)
    moved, beside = sorted(turn.note(MarkersMoved).privates), list(turn.note(LaidBeside).hexes)
    more = {"laid beside the two": beside} if beside else {}
    return name, {**known, "markers of privates placed": moved, "refinanced": turn.note(HasRefinanced).once, **more}


def _surviving_trains(frame: SurvivingTrains) -> Told:
    told = {"company": frame.company, "rusted": list(frame.trains), "until operating round": list(frame.until)}
    return "trains that may stay", told


def _marks(marks: Mapping[str, Any]) -> dict[str, Any]:
    """The marks of the position. Later additions appear only where they apply, so that older digests stay."""
    later: dict[str, Any] = {}
    if names.STILL in marks:
        later["nothing has changed since"] = [dict(part) for part in marks[names.STILL]]
    if names.ACQUIRED in marks:
        later["acquired another or were acquired in this round"] = _sorted(marks[names.ACQUIRED])
    return {
        "interest on a loan": marks.get(names.RATE),
        "loans taken in this round": dict(marks.get(names.BORROWED) or {}),
        "bills of companies in liquidation": dict(marks.get(names.OWED) or {}),
        "still due for markers": dict(marks.get(names.MARKERS_DUE) or {}),
        "bankrupt": _sorted(marks.get(names.OUT)),
        "pirate marker": _listed(marks.get(names.PIRATE_AT)),
        "mail markers": _sorted(marks.get(names.MAIL_AT)),
        "powers used": sorted(list(used) for used in marks.get(names.USED) or ()),
        "trains that outlast their rust": [list(kept) for kept in marks.get(names.EXTRA) or ()],
        "laid by the London Necropolis": [_listed(laid) for laid in marks.get(names.LAID) or ()],
        "the end comes by": marks.get(names.ENDING),
        "the last rounds have begun": bool(marks.get(names.FINAL)),
        "privates put up in this round": _sorted(marks.get(names.OFFERED)),
        **later,
    }


def _sorted(given: Iterable[str] | None) -> list[str]:
    return sorted(given or ())


def _listed(given: Any) -> Any:
    return list(given) if isinstance(given, tuple) else given


TELLING = Telling(
    {
        **SHARED,
        **FAILURES,
        **MERGERS,
        **PRIVATES,
        **STOCK,
        OperatingRound: _operating_round,
        Turn: _turn,
        SurvivingTrains: _surviving_trains,
    },
    _marks,
)
