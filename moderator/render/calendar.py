"""Deadlines as calendar entries (RFC 5545)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from moderator.domain.info import CalendarEntry, GameInfo
from moderator.words.texts import words

_PRODUCT = "-//Railpost//Railpost//EN"


def calendar(info: GameInfo, entries: Sequence[CalendarEntry], now: datetime, language: str = "en") -> str:
    """The calendar with ``entries``, written at ``now``; empty if there are none. It asks for no answer."""
    if not entries:
        return ""
    from icalendar import Calendar, Event  # it takes a tenth of a second, and most commands write no mail

    own, found = words(language), Calendar()
    found.add("prodid", _PRODUCT)
    found.add("version", "2.0")
    found.add("method", "PUBLISH")
    for entry in entries:
        event = Event()
        event.add("uid", entry.uid)
        event.add("sequence", entry.sequence)
        event.add("dtstamp", now)
        event.add("dtstart", entry.due)
        event.add("summary", own.say("words", "calendar.summary", info=info))
        event.add("description", own.say("words", "calendar.description", info=info))
        event.add("status", "CANCELLED" if entry.cancelled else "CONFIRMED")
        event.add("transp", "TRANSPARENT")
        found.add_component(event)
    return str(found.to_ical().decode())
