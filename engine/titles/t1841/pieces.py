"""Facts that only 1841 has: countries, cities where companies may have homes, and external boxes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from engine.core.ids import HexId
from engine.core.title import Title
from engine.facts.file import Facts, facts_of
from engine.titles.t1841.names import LUGANO

PIEDMONT: Final = "Piedmont"
TUSCANY: Final = "Tuscany"
CONSERVATIVE: Final = "Conservative zone"
LOMBARDY: Final = "Lombardy"
VENETO: Final = "Veneto"
"""Zones of home cities. Lombardy and Veneto are one country, Austria, until the first 4-train."""
AUSTRIA: Final = frozenset({LOMBARDY, VENETO})


def zones(title: Title) -> Mapping[str, tuple[HexId, ...]]:
    """The cities in which companies may have homes, by zone. Lugano is not among them."""
    return _zones(facts_of(title))


@lru_cache(maxsize=8)
def _zones(facts: Facts) -> Mapping[str, tuple[HexId, ...]]:
    given: Mapping[str, Any] = facts.section("zones", dict)
    return MappingProxyType(
        {zone: tuple(HexId(h) for h in hexes if h != LUGANO) for zone, hexes in given.items() if hexes}
    )


def zone_of(title: Title, hex: HexId) -> str | None:
    """The zone of a city; None if no company may have a home there."""
    return next((zone for zone, hexes in zones(title).items() if hex in hexes), None)


def major_cities(title: Title) -> frozenset[HexId]:
    """Cities in which no minor may have a home."""
    return _group(facts_of(title), "major_cities")


def historical_cities(title: Title) -> frozenset[HexId]:
    """Homes of historical companies, in which no other may have a home before the first 4-train."""
    return _group(facts_of(title), "historical_cities")


def veneto_tokens(title: Title) -> frozenset[HexId]:
    """Hexes whose tokens the Secession gives to the fragment in Veneto."""
    return _group(facts_of(title), "secession_veneto")


@lru_cache(maxsize=32)
def _group(facts: Facts, name: str) -> frozenset[HexId]:
    given: Mapping[str, Any] = facts.section("city_groups", dict)
    return frozenset(HexId(h) for h in given[name])


def external_boxes(title: Title) -> Mapping[str, tuple[HexId, ...]]:
    """The hexes of the external boxes, by the name of the area."""
    return _boxes(facts_of(title))


@lru_cache(maxsize=8)
def _boxes(facts: Facts) -> Mapping[str, tuple[HexId, ...]]:
    found: dict[str, tuple[HexId, ...]] = {}
    for entry in facts.section("hexes", list):
        for area in entry.get("offboards", ()):
            name = (area.get("groups") or [entry["coord"]])[0]
            found[name] = (*found.get(name, ()), HexId(entry["coord"]))
    return MappingProxyType(found)
