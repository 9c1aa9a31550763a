"""The terms of a game's clocks as people write them, ``rest=Sat,Sun`` for example, and read back from text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import time
from difflib import get_close_matches
from typing import Any, Final

from pydantic import ValidationError

from moderator.domain.clocks import wall
from moderator.domain.clocks.timetable import KINDS, LATE, Days, Timetable
from moderator.domain.clocks.wall import WallTime

DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
NONE: Final = ("none", "off", "")
"""The words that take a term back."""
_MOST_HOURS: Final = 87_600


def changed(terms: Timetable, wishes: Iterable[tuple[str, str]]) -> Timetable:
    """``terms`` with the terms in ``wishes``, each a name and a text. ``ValueError`` says what is wrong and what would
    be right."""
    values = terms.model_dump()
    for name, text in wishes:
        said = text.strip()
        if name not in TERMS and name not in KINDS:
            raise ValueError(_unknown(name))
        off = said.casefold() in NONE
        if name in KINDS:
            kinds = {kind: hours for kind, hours in values["kinds"].items() if kind != name}
            values["kinds"] = kinds if off else {**kinds, name: _hours(said)}
        elif name == "holidays" and said.startswith("+"):
            values["holidays"] = (*values["holidays"], *_holidays(said[1:]))
        else:
            values[name] = (
                Timetable.model_fields[name].get_default(call_default_factory=True) if off else (TERMS[name](said))
            )
    try:
        found = Timetable.model_validate(values)
    except ValidationError as error:
        raise ValueError("; ".join(str(one["msg"]).removeprefix("Value error, ") for one in error.errors())) from error
    if found.late != "master" and not found.runs:
        raise ValueError("`late` needs a time for answers: give `hours` or `bank` too")
    return found


def _unknown(name: str) -> str:
    known = (*TERMS, *KINDS)
    near = get_close_matches(name, known, n=1)
    meant = f" Did you mean `{near[0]}`?" if near else ""
    return f"{name!r} is no term of a clock.{meant} There are: {', '.join(known)}"


def parse_rest(text: str) -> tuple[int, ...]:
    """Parse days of the week such as ``Sat,Sun``. ``ValueError`` names what is none."""
    found = []
    for word in text.replace(",", " ").split():
        number = next((n for n, day in enumerate(DAYS) if day.casefold() == word[:3].casefold()), None)
        if number is None:
            raise ValueError(f"{word!r} is not a day of the week: {', '.join(DAYS)}")
        found.append(number)
    return tuple(found)


def parse_between(text: str) -> tuple[str, str]:
    """Parse hours of the day such as ``08:00-22:00``. ``ValueError`` says what is wrong."""
    first, dash, last = text.replace(" ", "").partition("-")
    try:
        begin, end = time.fromisoformat(first), time.fromisoformat(last)
    except ValueError as error:
        raise ValueError(f"{text!r} is not a span of hours, such as 08:00-22:00") from error
    if not dash or begin >= end:
        raise ValueError(f"{text!r} is not a span of hours within a day, such as 08:00-22:00")
    return f"{begin:%H:%M}", f"{end:%H:%M}"


def _hours(text: str) -> int:
    hours = int(text) if text.isdecimal() else 0
    if not 1 <= hours <= _MOST_HOURS:
        raise ValueError(f"{text!r} is not a number of hours from 1 to {_MOST_HOURS}")
    return hours


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"{text!r} is not a number")
    return int(text)


def _holidays(text: str) -> tuple[Days, ...]:
    return tuple(Days.parse(part.strip()) for part in text.split(",") if part.strip())


def _warnings(text: str) -> tuple[int, ...]:
    return tuple(_hours(part) for part in text.replace(",", " ").split())


def _zone(text: str) -> str:
    wall.zone_of(text)
    return text


def _late(text: str) -> str:
    if text not in LATE:
        raise ValueError(f"{text!r} is not what may follow lateness: {', '.join(LATE)}")
    return text


def _time(text: str) -> str:
    return str(WallTime.parse(text))


TERMS: Final[Mapping[str, Callable[[str], Any]]] = {
    "hours": _hours,
    "time": _time,
    "zone": _zone,
    "rest": parse_rest,
    "holidays": _holidays,
    "between": parse_between,
    "warnings": _warnings,
    "grace": _number,
    "bank": _hours,
    "increment": _number,
    "late": _late,
    "away_days": _number,
    "floor": _number,
}
"""Term -> the function that reads its text. The names are those of ``Timetable``."""
