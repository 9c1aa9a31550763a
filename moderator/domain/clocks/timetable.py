"""The terms of a game's clocks: the time for an answer, the time that does not count, warnings, and what follows when
an answer is late.

A timetable computes moments from moments. It knows neither the machine's clock nor the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, field_validator

from moderator.domain.clocks import wall
from moderator.domain.clocks.wall import UNSET, WallTime

Kind: TypeAlias = Literal["auction", "stock", "operating", "answer"]
"""A kind of decision that may have a time of its own: a bid, a turn of a stock round, a company's turn, an answer in
the turn of another player."""
Late: TypeAlias = Literal["master", "default", "robot", "open"]
"""The consequence when an answer is late and the grace has passed. ``master``: all wait until the game master decides.
``default``: the decision's default is taken. ``robot``: a caretaker moves until the player is back. ``open``: the seat
is offered to somebody else."""
Span: TypeAlias = tuple[datetime, datetime]
"""Two moments: the second is the first that no longer belongs to it."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
LATE: Final[tuple[Late, ...]] = get_args(Late)
_LONGEST: Final = timedelta(days=20 * 366)
"""After this time every moment counts, so that each clock finds its moment."""
_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_MOST_DAYS: Final = 400
"""The longest time without a day that counts. Holidays and absences are shorter."""
_LEAST_WARNING: Final = timedelta(hours=24)


class Days(BaseModel):
    """Days from ``first`` to ``last``, both included."""

    model_config = ConfigDict(frozen=True)

    first: date
    last: date

    @staticmethod
    def parse(text: str) -> Days:
        """Parse ``2026-12-24 to 2027-01-02``, or a single day. ``ValueError`` says what is wrong."""
        first, _, last = (part.strip() for part in text.partition(" to "))
        try:
            found = Days(first=date.fromisoformat(first), last=date.fromisoformat(last or first))
        except ValueError as error:
            raise ValueError(f"{text!r} names no days: write 2026-12-24 or 2026-12-24 to 2027-01-02") from error
        if found.last < found.first:
            raise ValueError(f"{text!r} ends before it begins")
        if found.count > _MOST_DAYS:
            raise ValueError(f"{text!r} is longer than {_MOST_DAYS} days")
        return found

    @property
    def count(self) -> int:
        return (self.last - self.first).days + 1

    def count_in(self, year: int) -> int:
        """The number of the days that lie in ``year``."""
        first, last = max(self.first, date(year, 1, 1)), min(self.last, date(year, 12, 31))
        return max(0, (last - first).days + 1)

    def span(self, zone: str) -> Span:
        """The days as moments, in the zone in which they are meant."""
        return _midnight(self.first, zone), _midnight(self.last + timedelta(days=1), zone)

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last

    def __str__(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"


class Timetable(BaseModel):
    """The terms of a game's clocks. ``hours`` is None in a game without deadlines."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hours: int | None = None
    """Hours for an answer."""
    time: str = ""
    """Time of day at which deadlines end, as ``20:00 Europe/Zurich``; empty if they end at any time."""
    zone: str = UNSET
    """IANA name of the zone of the game's days and hours, unless ``time`` names one."""
    kinds: Mapping[Kind, int] = Field(default_factory=dict)
    """Kind of decision -> hours, for those that have a time of their own."""
    rest: tuple[int, ...] = ()
    """Days of the week that do not count; 0 is Monday."""
    holidays: tuple[Days, ...] = ()
    """Other days that do not count."""
    between: tuple[str, str] | None = None
    """The hours of the day in which a deadline may end, as ``("08:00", "22:00")``. One that would end outside ends when
    they begin again."""
    grace: int = Field(default=0, ge=0)
    """Hours after a deadline until what follows happens."""
    warnings: tuple[int, ...] = ()
    """Hours before a deadline at which a player who has not answered is warned, the longest first. Empty: one warning,
    a day before the end, or in the last quarter of a shorter time."""
    bank: int | None = None
    """Hours in each player's bank of time; None if each answer has a time of its own."""
    increment: int = Field(default=0, ge=0)
    """Hours that each answer adds to the bank."""
    late: Late = "master"
    away_days: int = Field(default=30, ge=0, le=366)
    """Days in a year on which a player may be away."""
    floor: int = Field(default=0, ge=0, le=100)
    """Per cent of his earlier questions that somebody must have answered in time to take a seat; 0 asks for nothing."""

    @field_validator("rest")
    @classmethod
    def _some_day_counts(cls, rest: tuple[int, ...]) -> tuple[int, ...]:
        if not set(rest) <= set(range(7)) or len(set(rest)) == 7:
            raise ValueError("at least one day of the week must count")
        return tuple(sorted(set(rest)))

    @field_validator("warnings")
    @classmethod
    def _longest_first(cls, warnings: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(set(warnings), reverse=True))

    @field_validator("zone")
    @classmethod
    def _known(cls, zone: str) -> str:
        wall.zone_of(zone)
        return zone

    @staticmethod
    def of(hours: int | None, time: str, terms: Mapping[str, Any]) -> Timetable:
        """The timetable of a game from the columns in which it is stored."""
        return Timetable.model_validate({"hours": hours, "time": time, **terms})

    def stored(self) -> dict[str, Any]:
        """The terms that are stored besides ``hours`` and ``time``: those that differ from the usual ones."""
        return self.model_dump(mode="json", exclude={"hours", "time"}, exclude_defaults=True)

    @property
    def here(self) -> str:
        """The zone of the game's days and hours."""
        return WallTime.parse(self.time).zone if self.time else self.zone

    @property
    def runs(self) -> bool:
        """True if the game has deadlines."""
        return self.hours is not None or self.bank is not None

    @property
    def time_for_answers(self) -> tuple[object, ...]:
        """The terms that decide how much time an answer has."""
        return self.hours, dict(self.kinds), self.bank, self.increment

    def allowed(self, kind: Kind, bank: int | None = None) -> timedelta:
        """The time for a decision of ``kind``. ``bank``: seconds left in the player's bank; None for a full one."""
        if self.bank is not None:
            full = timedelta(hours=self.bank)
            least = timedelta(hours=max(1, self.increment))
            return full if bank is None else max(timedelta(seconds=bank), least)
        assert self.hours is not None
        return timedelta(hours=self.kinds.get(kind, self.hours))

    def counts(self, day: date) -> bool:
        """True if the game's clocks run on ``day``."""
        return day.weekday() not in self.rest and not any(day in days for days in self.holidays)

    def due(self, begin: datetime, allowed: timedelta, absent: Sequence[Span] = ()) -> tuple[datetime, str]:
        """The moment at which an answer is due for which ``allowed`` time begins at ``begin``, and that moment as wall
        time; the wall time is empty if no time of day decides it. ``absent``: times in which the player is away. The
        moment lies on a day that counts, and never earlier than the allowed time ends."""
        return self._at_a_good_hour(self.after(begin, allowed, absent), absent)

    def after(self, begin: datetime, span: timedelta, absent: Sequence[Span] = ()) -> datetime:
        """The moment at which ``span`` of time that counts has passed since ``begin``."""
        if not (self.rest or self.holidays or absent):
            return begin + span
        left = span
        for start, end in self._counting(begin, absent):
            if left < end - start:
                return start + left
            left -= end - start
        raise AssertionError("the last stretch has no end")

    def passed(self, begin: datetime, end: datetime, absent: Sequence[Span] = ()) -> timedelta:
        """The time that counts between two moments."""
        total = timedelta()
        if begin >= end:
            return total
        if not (self.rest or self.holidays or absent):
            return end - begin
        for start, stop in self._counting(begin, absent):
            if start >= end:
                break
            total += min(stop, end) - start
        return total

    def moved(
        self, due: datetime, now: datetime, before: Sequence[Span], later: Timetable, absent: Sequence[Span]
    ) -> tuple[datetime, str]:
        """The moment of a deadline at ``due`` when, from ``now`` on, the timetable ``later`` and the absences
        ``absent`` hold. It leaves the time that was left. ``before``: the absences that held until now."""
        return later.due(now, self.passed(now, due, before), absent)

    def next_warning(self, due: datetime, now: datetime) -> datetime | None:
        """The next moment after ``now`` at which a player is warned of a deadline at ``due``; None if there is none."""
        if not self.warnings:
            moment = due - min(_LEAST_WARNING, max(due - now, timedelta()) / 4)
            return moment if moment > now else None
        moments = (due - timedelta(hours=hours) for hours in self.warnings)
        return next((moment for moment in moments if moment > now), None)

    def _counting(self, begin: datetime, absent: Sequence[Span]) -> Iterator[Span]:
        """The stretches of time that count from ``begin`` on, in their order; a stretch lies within one day.
        The last one has no end."""
        zone = self.here
        day = begin.astimezone(wall.zone_of(zone)).date()
        start = begin
        while start - begin < _LONGEST:
            end = _midnight(day + timedelta(days=1), zone)
            if end > start:
                if self.counts(day):
                    yield from _without((start, end), absent)
                start = end
            day += timedelta(days=1)
        yield start, _NEVER

    def _at_a_good_hour(self, due: datetime, absent: Sequence[Span]) -> tuple[datetime, str]:
        """``due``, or the first moment after it at which a deadline of this game may end, with its wall time."""
        zone = self.here
        if not self.time:
            if self.between is None or self._open(due):
                return due, ""
            time_of_day = WallTime.parse(f"{self.between[0]} {zone}")
        else:
            time_of_day = WallTime.parse(self.time)
        shown = time_of_day.next_after(due)
        for _ in range(_MOST_DAYS * 3):
            moment = wall.instant(shown, zone)
            if self.counts(shown.date()) and not any(start <= moment < end for start, end in absent):
                return moment, wall.write(shown, zone)
            shown += timedelta(days=1)
        raise ValueError(f"no time counts after {due}")

    def _open(self, moment: datetime) -> bool:
        assert self.between is not None
        there = moment.astimezone(wall.zone_of(self.here)).strftime("%H:%M")
        return self.between[0] <= there <= self.between[1]


def _midnight(day: date, zone: str) -> datetime:
    """The moment at which ``day`` begins in ``zone``. If its first hour is skipped there, it begins after that hour."""
    return datetime.combine(day, time(), wall.zone_of(zone)).astimezone(UTC)


def _without(span: Span, absent: Iterable[Span]) -> Iterator[Span]:
    """The rest of ``span`` when the times in ``absent`` are taken out."""
    start, end = span
    for away, back in sorted(absent):
        if back <= start or away >= end:
            continue
        if away > start:
            yield start, away
        start = back
        if start >= end:
            return
    yield start, end
