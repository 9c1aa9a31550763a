"""The borders between the countries: the sides of hexes on which they lie, and the phases in which they are active."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from engine.core.ids import HexId
from engine.core.state import State
from engine.core.title import Title
from engine.facts.file import Facts, facts_of
from engine.titles.t1841.names import NO_CONCESSIONS_PHASE
from engine.titles.t1841.rulings import rulings_of

Side: TypeAlias = tuple[HexId, int]
"""A side of a hex: the hex and the edge."""

COUNTRIES, VENETO, LUGANO = "2", "4", "5"
"""Sets of borders: between all countries; of Veneto; of Lugano, which is never open."""


def borders(title: Title, state: State) -> frozenset[Side]:
    """The sides on which a border lies now; each border is listed from both of its hexes."""
    return sides(title, active(title, state))


def active(title: Title, state: State) -> str:
    """The set of borders of the present phase."""  # rule 6.13
    if not title.reached(state, NO_CONCESSIONS_PHASE):
        return COUNTRIES
    return LUGANO if title.reached(state, rulings_of(title).veneto_border_until) else VENETO


def listed(title: Title, name: str) -> tuple[tuple[Side, Side], ...]:
    """The borders of one set in the order of the map, without those at the edge of the map. Each is given from the hex
    that comes first on the map, and then from the other."""
    order = {hex: number for number, hex in enumerate(title.map.hexes)}
    found: list[tuple[Side, Side]] = []
    for hex, edge in sorted(sides(title, name), key=lambda side: (order[side[0]], side[1])):
        other = title.map.hexes[hex].neighbors.get(edge)
        if other is not None and order[hex] < order[other]:
            found.append(((hex, edge), (other, (edge + 3) % 6)))
    return tuple(found)


def sides(title: Title, name: str) -> frozenset[Side]:
    """The sides of one set of borders."""
    return _sides(facts_of(title), name)


@lru_cache(maxsize=16)
def _sides(facts: Facts, name: str) -> frozenset[Side]:
    sets: Mapping[str, Any] = facts.section("province_borders", dict)["sets"]
    return frozenset(
        side
        for border in sets[name]
        for side in (
            (HexId(border["hex"]), int(border["edge"])),
            (HexId(border["other_hex"]), int(border["other_edge"])),
        )
    )
