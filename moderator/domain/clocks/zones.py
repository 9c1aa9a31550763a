"""The names of time zones that people write, and the IANA names that they may mean."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import Final
from zoneinfo import available_timezones

from moderator.domain.clocks.wall import TRUE_UTC

GAME: Final = "game"
"""The word for the zone of each game's deadlines."""
_MOST: Final = 3
_NEAR: Final = 0.7
_NO_PLACE: Final = frozenset({"Factory", "localtime", "posixrules"})
_PARTS: Final = frozenset(
    {"Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}
)
_UTC: Final = frozenset({"utc", "gmt", "z", "zulu", "universal"})


def zone_called(text: str) -> str:
    """The IANA name that ``text`` stands for, whatever its case; empty if there is none. ``Etc/UTC`` for UTC."""
    said = _folded(text)
    return TRUE_UTC if said in _UTC else _names().get(said, "")


def zones_near(text: str) -> tuple[str, ...]:
    """The IANA names nearest to ``text``, the nearest first: zones of a city of that name, then names that are spelled
    much like it. Empty if none is near."""
    said = _folded(text)
    city = said.rpartition("/")[2]
    cities = _cities()
    spelled = get_close_matches(said, _names(), _MOST, _NEAR)
    places = get_close_matches(city, cities, _MOST, _NEAR)
    begun = sorted(name for name in cities if len(city) > 3 and name.startswith(city))
    found = [*cities.get(city, ()), *(_names()[name] for name in spelled)]
    found += [zone for name in (*begun, *places) for zone in cities[name]]
    return tuple(dict.fromkeys(found))[:_MOST]


def _folded(text: str) -> str:
    return re.sub(r"[\s_]+", "_", text.strip().rstrip(".").casefold())


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """Name in small letters -> the name."""
    return {name.casefold(): name for name in sorted(available_timezones() - _NO_PLACE)}


@lru_cache(maxsize=1)
def _cities() -> dict[str, tuple[str, ...]]:
    """City in small letters -> the zones named after it. Zones that only old names have come last."""
    found: dict[str, list[str]] = {}
    for name in sorted(_names().values(), key=lambda name: (name.partition("/")[0] not in _PARTS, name)):
        place, slash, city = name.rpartition("/")
        if slash and place != "Etc":
            found.setdefault(city.casefold(), []).append(name)
    return {city: tuple(names) for city, names in found.items()}
