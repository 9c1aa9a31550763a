"""Moments, days and spans of time in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from jinja2 import pass_context
from jinja2.runtime import Context


class Days(Protocol):
    """Days from ``first`` to ``last``, both included."""

    @property
    def first(self) -> date: ...
    @property
    def last(self) -> date: ...


class Words(Protocol):
    """The words of a language."""

    def say(self, table: str, key: str, /, **facts: Any) -> str: ...
    def listed(self, table: str, key: str, title: str = "") -> list[Any]: ...


_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def moment(own: Words, when: datetime | None, zone: str) -> str:
    """The date and time of ``when`` in the reader's time zone, as text; "" for None."""
    if when is None:
        return ""
    there = when.astimezone(ZoneInfo(zone))
    return own.say("words", "date.form", zone=zone, time=there.strftime("%H:%M"), **_parts(own, there.date()))


def day(own: Words, when: date) -> str:
    """A day as text."""
    return own.say("words", "date.day", **_parts(own, when))


def days(own: Words, when: Days) -> str:
    """Days from a first to a last one as text."""
    if when.first == when.last:
        return day(own, when.first)
    return own.say("words", "date.days", first=day(own, when.first), last=day(own, when.last))


def span(own: Words, seconds: int) -> str:
    """A span of time as text: days and hours, or minutes if it is shorter than an hour."""
    whole, hours = divmod(seconds // _HOUR, _DAY // _HOUR)
    if not whole and not hours:
        return own.say("words", "span.minutes", count=seconds // _MINUTE)
    if whole and hours:
        return own.say("words", "span.both", days=whole, hours=hours)
    return own.say("words", "span.days", count=whole) if whole else own.say("words", "span.hours", count=hours)


def in_words(own: Words, facts: dict[str, Any], zone: str) -> dict[str, Any]:
    """``facts`` with each moment among them as text, in the reader's time zone."""
    return {name: moment(own, fact, zone) if isinstance(fact, datetime) else fact for name, fact in facts.items()}


def filters(words: Callable[[str], Words]) -> dict[str, Callable[..., str]]:
    """The filters of templates for times. ``words``: language -> its words."""

    @pass_context
    def of_day(context: Context, when: date) -> str:
        return day(words(context["language"]), when)

    @pass_context
    def of_days(context: Context, when: Days) -> str:
        return days(words(context["language"]), when)

    @pass_context
    def of_week(context: Context, number: int) -> str:
        return str(words(context["language"]).listed("words", "date.whole_weekdays")[number])

    @pass_context
    def of_span(context: Context, seconds: int) -> str:
        return span(words(context["language"]), seconds)

    @pass_context
    def of_hours(context: Context, hours: int) -> str:
        return span(words(context["language"]), hours * _HOUR)

    return {"day": of_day, "days": of_days, "day_of_week": of_week, "span_of": of_span, "span": of_hours}


def _parts(own: Words, when: date) -> dict[str, Any]:
    return {
        "weekday": own.listed("words", "date.weekdays")[when.weekday()], "day": when.day,
        "month": own.listed("words", "date.months")[when.month - 1], "year": when.year,
    }  # fmt: skip
