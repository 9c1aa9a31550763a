"""Rules of 1861 about the map: reserved spaces, upgrades, and the cost of track."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.board.map import Face
from engine.core.answer_cache import lately
from engine.core.ids import CompanyId, HexId
from engine.core.state import State
from engine.core.title import Title
from engine.families.f1867.names import MINOR
from engine.holders.charters import charter_of
from engine.titles.t1861.names import KHARKOV, MOSCOW, NIZHNII_NOVGOROD, SMALL_KHARKOV, STATE
from engine.titles.t1861.rulings import rulings_of

LAST_RESERVED_PHASE: Final = "4"
"""The last phase in which unstarted minors reserve their home spaces."""


def reserved(title: Title, state: State, hex: HexId, company: CompanyId) -> tuple[tuple[CompanyId, int], ...]:
    """Claims of other companies on cities of the hex, each with the city's number: of minors that may still start here,
    and of the state railway where it is to get a marker."""
    # rule 8.7, 8.8
    claims: list[tuple[CompanyId, int]] = []
    board = state.board
    minors = title.phase_index(state.phase) <= title.phase_index(LAST_RESERVED_PHASE)
    for other, city in _at_home(title, state).get(hex, ()):
        if other == company:
            continue
        kind, status = charter_of(title, state, other).kind, state.companies[other].status
        waiting = minors and kind == MINOR and status == "unstarted"
        if waiting or (other == STATE and not _stands(state, hex, STATE)):
            claims.append((other, board.home_city(hex, city)))
    if hex == MOSCOW and company != STATE and board.face(hex).color == "gray" and not _stands(state, hex, STATE):
        claims.append((STATE, 0))
    return tuple(claims)


@lately(8)  # a menu asks for every city
def _at_home(title: Title, state: State) -> Mapping[HexId, list[tuple[CompanyId, int]]]:
    """The companies with a home in each hex, with the number of the city."""
    found: dict[HexId, list[tuple[CompanyId, int]]] = {}
    for company in title.companies:
        if (home := charter_of(title, state, company).home) is not None:
            found.setdefault(home[0], []).append((company, home[1]))
    return found


def _stands(state: State, hex: HexId, company: CompanyId) -> bool:
    return any(company in city for city in state.board.circles(hex))


def lay_cost(title: Title, state: State, hex: HexId, new: Face) -> int:
    """Terrain cost on the tile to be replaced or, without one, in the hex; by a ruling in Nizhnii Novgorod."""
    # rule 7.8, 7.9
    placed = state.board.tiles.get(hex)
    if placed is not None:
        return title.map.tiles[placed[0]].face.terrain
    if hex == NIZHNII_NOVGOROD:
        return int(rulings_of(title).k7_upgrade)
    return title.map.hexes[hex].face.terrain


def upgrade_allowed(title: Title, hex: HexId, old: str, new: str) -> bool:
    """True if ``new`` may replace ``old``. In Kharkov the smaller brown tile is replaced only by a ruling."""
    # rule 7.14
    return not (hex == KHARKOV and old == SMALL_KHARKOV) or bool(rulings_of(title).kharkov_over_801)
