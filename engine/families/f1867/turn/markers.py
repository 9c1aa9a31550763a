"""The cost of markers, hexes that are closed, and cities that must take the tile with the most exits."""

from __future__ import annotations

from typing import Final

from engine.core.ids import CompanyId, HexId
from engine.core.state import State
from engine.core.title import Title
from engine.families.f1867.names import FREE_MARKER
from engine.families.f1867.rulings import rulings_of

MARKER_COST: Final = (0, 20, 40)
"""Cost for each hex of distance, by the number of markers that the company already has on the map."""


def hex_closed(title: Title, state: State, hex: HexId) -> bool:
    """True while the hex of a private company is closed: in the first phase, whoever owns the private."""  # rule 2.15
    until = title.map.hexes[hex].closed_until
    return bool(until) and not title.reached(state, until)


def most_exits(title: Title, color: str) -> bool:
    """True if cities must take the ``color`` tile with the most exits: brown or, by a ruling, any."""  # rule 7.13
    return color == "brown" or rulings_of(title).most_exits == "all"


def marker_cost(title: Title, state: State, company: CompanyId, hex: HexId) -> int:
    """Cost of the next marker: 20 for each hex from the first, then 40 for each from the nearest."""  # rule 8.4, 8.6
    standing = [at for at, _ in state.board.places_of(company)]
    return marker_rate(state, company) * min((title.map.distance(at, hex) for at in standing), default=0)


def marker_rate(state: State, company: CompanyId) -> int:
    """Cost of the company's next marker for each hex of distance."""
    standing = len(state.board.places_of(company))
    if standing == 1 and FREE_MARKER + company in state.marks:
        return 0
    return MARKER_COST[min(standing, len(MARKER_COST) - 1)]
