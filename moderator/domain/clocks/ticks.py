"""Check the machine's clock against the time that has passed (fault 60).

With a wrong clock every deadline would pass at once, or none for a year. So the service records ticks while it runs,
each with a count of seconds that nobody can set.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

_DRIFT: Final = 0.001
"""The relative drift allowed for a clock that is being corrected."""
_LONGEST_STOP: Final = timedelta(days=60)
"""The longest plausible time for which the service was switched off; after a longer one the clock is taken to be
wrong."""


@dataclass(frozen=True, slots=True)
class Tick:
    """One reading of the clocks. ``wall``: the time that the clock shows. ``running``: seconds since the machine
    started. ``boot``: identifies that start; empty if unknown."""

    wall: datetime
    running: float
    boot: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """``jumped``: seconds by which the clock is ahead of the time that has passed (negative: behind); 0 if the clock is
    trusted. ``idle``: the time since the last tick."""

    jumped: float
    idle: timedelta


def judge(last: Tick, now: Tick, tolerance: float) -> Judgement:
    """Compare two ticks. ``tolerance`` is in seconds. If the machine was restarted in between, there is only the clock
    to go by: it is wrong if it went back, or forward by more than ``_LONGEST_STOP``."""
    passed = now.wall - last.wall
    if now.boot == last.boot and now.boot:
        lapse = max(0.0, now.running - last.running)
        ahead = passed.total_seconds() - lapse
        return Judgement(ahead if abs(ahead) > max(tolerance, lapse * _DRIFT) else 0.0, timedelta(seconds=lapse))
    if passed.total_seconds() < -tolerance or passed > _LONGEST_STOP:
        return Judgement(passed.total_seconds(), timedelta(0))
    return Judgement(0.0, max(passed, timedelta(0)))
