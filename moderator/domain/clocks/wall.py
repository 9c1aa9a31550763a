"""Wall-clock times, and the instants that they stand for.

A deadline "at 20:00 in Zurich" is stored both in these words and as an instant. If a government changes its time zone,
the instant changes and the words stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_FORM: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d) ([A-Za-z0-9_+\-/]{1,64})")


UNSET: Final = "UTC"
"""The zone of a seat that has none of its own: it is told times in the zone of its game's deadlines."""
TRUE_UTC: Final = "Etc/UTC"
"""The zone of a person who has asked for UTC."""


@dataclass(frozen=True, slots=True)
class WallTime:
    """A time of day in a time zone, such as ``20:00 Europe/Zurich``."""

    hour: int
    minute: int
    zone: str

    @staticmethod
    def parse(text: str) -> WallTime:
        """Parse a time of day and its zone. ``ValueError`` says what is wrong."""
        found = _FORM.fullmatch(" ".join(text.split()))
        if found is None:
            raise ValueError(f"{text!r} is not a time and zone, such as 20:00 Europe/Zurich")
        zone_of(found[3])
        return WallTime(int(found[1]), int(found[2]), found[3])

    def __str__(self) -> str:
        return f"{self.hour:02}:{self.minute:02} {self.zone}"

    def next_after(self, moment: datetime) -> datetime:
        """The wall time (a naive datetime) of the next occurrence of this time of day, at ``moment`` or later."""
        day = moment.astimezone(zone_of(self.zone)).date()
        while instant(shown := self._on(day), self.zone) < moment:
            day += timedelta(days=1)
        return shown

    def _on(self, day: date) -> datetime:
        return datetime.combine(day, time(self.hour, self.minute))


def parse(text: str) -> tuple[datetime, str]:
    """Parse a text such as ``2026-12-24 20:00 Europe/Zurich`` into a wall time and a zone. The zone is UTC if none is
    given. ``ValueError`` says what is wrong."""
    day, _, rest = " ".join(text.split()).partition(" ")
    try:
        there = WallTime.parse(rest if " " in rest else f"{rest} UTC")
        shown = datetime.combine(date.fromisoformat(day), time(there.hour, there.minute))
    except ValueError as error:
        raise ValueError(f"{text!r} is not a moment, such as 2026-12-24 20:00 Europe/Zurich") from error
    return shown, there.zone


def zone_of(name: str) -> ZoneInfo:
    """The time zone called ``name``. ``ValueError`` if it is not known."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"{name!r} is not a time zone, such as Europe/Zurich") from error


def instant(shown: datetime, zone: str) -> datetime:
    """The instant, in UTC, at which the wall clock shows ``shown``. A time that is skipped in spring or that comes
    twice in autumn stands for the later of the two possible instants, so that nobody has less time than he read."""
    there = zone_of(zone)
    return max(shown.replace(tzinfo=there, fold=fold).astimezone(UTC) for fold in (0, 1))


def write(shown: datetime, zone: str) -> str:
    """The text in which a wall time and its zone are stored."""
    return f"{shown:%Y-%m-%dT%H:%M} {zone}"


def read(kept: str) -> tuple[datetime, str]:
    """The wall time and zone in the text of ``write``."""
    shown, _, zone = kept.partition(" ")
    return datetime.fromisoformat(shown), zone
