"""Checks the machine's clock against the time that has passed (fault 60).

A clock that is wrong would end every question at once, or none for a year. So the service notes moments while it runs,
each with a count of seconds that nobody can set.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

_DRIFT: Final = 0.001
"""So much faster or slower may a clock go that is being corrected."""
_LONGEST_STOP: Final = timedelta(days=60)
"""Nobody's service was switched off for longer, as far as it can tell: rather the year is wrong."""


@dataclass(frozen=True, slots=True)
class Tick:
    """``wall`` is the time that the clock shows; ``running`` are seconds since the machine started; ``boot`` names that
    start."""

    wall: datetime
    running: float
    boot: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """``jumped``: seconds that the clock is ahead of the time that has passed, 0 if it can be believed. ``idle``: the
    time for which nothing was noted."""

    jumped: float
    idle: timedelta


def judge(last: Tick, now: Tick, tolerance: float) -> Judgement:
    """Compare two ticks; ``tolerance`` is in seconds. If the machine was restarted in between, only the clock is left:
    it can be seen to go back, or to be far beyond any stop."""
    passed = now.wall - last.wall
    if now.boot == last.boot and now.boot:
        lapse = max(0.0, now.running - last.running)
        ahead = passed.total_seconds() - lapse
        return Judgement(ahead if abs(ahead) > max(tolerance, lapse * _DRIFT) else 0.0, timedelta(seconds=lapse))
    if passed.total_seconds() < -tolerance or passed > _LONGEST_STOP:
        return Judgement(passed.total_seconds(), timedelta(0))
    return Judgement(0.0, max(passed, timedelta(0)))
