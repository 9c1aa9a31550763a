"""The rules of 1844 that shared steps consult: directors, operating order, limits, markers and costs."""

from __future__ import annotations

from typing import Final

from engine.board.map import Face
from engine.core.ids import CompanyId, HexId, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.holders.control import controller_of
from engine.titles.t1844.names import GB, GOTTHARD, HISTORICAL, NATIONAL, PRE_SBB, REACHED, SBB
from engine.titles.t1844.rulings import rulings_of

MARKERS_BY_PAR: Final = {60: 1, 70: 2, 80: 3, 90: 4, 100: 5}
SBB_TRAINS: Final = 4
FIRST_MARKER_COST, MARKER_COST = 40, 100
CAPITAL: Final = {PRE_SBB: 2}
USUAL_CAPITAL: Final = 5
"""Number of pars that a company gets at its launch, and again at its destination, unless ``CAPITAL`` differs."""


def director(title: Title, state: State, company: CompanyId) -> PlayerId | None:
    """The player with the director's certificate of a launched company; None before its launch."""
    if state.companies[company].status != "open":
        return None
    return controller_of(title, state, company)


def operating_order(title: Title, state: State) -> tuple[CompanyId, ...]:
    """Launched companies by price, then further right, then higher in the stack."""  # rule 5.4

    def place(company: CompanyId) -> tuple[int, int, int]:
        marker = state.prices[company]
        return (-title.chart.price(marker.cell), -marker.cell[1], marker.since)

    return tuple(sorted((c for c in state.prices if state.companies[c].status == "open"), key=place))


def train_limit(title: Title, state: State, company: CompanyId) -> int:
    """The most trains that the company may have."""  # rule 10.1
    kind = charter_of(title, state, company).kind
    return SBB_TRAINS if kind == NATIONAL else title.phase(state).train_limits[kind]


def markers(title: Title, state: State, company: CompanyId) -> int:
    """Number of markers of a company, including its home marker. A historical company's depends on its par."""
    # rule 1.10
    if charter_of(title, state, company).kind == HISTORICAL:
        par = state.companies[company].par
        return MARKERS_BY_PAR[par] if par is not None else 0
    return charter_of(title, state, company).markers


def marker_cost(title: Title, state: State, company: CompanyId, hex: HexId) -> int:
    """Cost of the company's next marker. The first besides the home marker is cheaper, except for the SBB."""
    # rule 7.3, 13.4
    first = len(state.board.places_of(company)) <= 1 and company != SBB
    return FIRST_MARKER_COST if first else MARKER_COST


def reserved(title: Title, state: State, hex: HexId, company: CompanyId) -> tuple[tuple[CompanyId, int], ...]:
    """Companies with a home in the hex that have no marker there yet, each with the number of its city."""
    # rule 7.4, 7.5
    board = state.board
    return tuple(
        (other, board.home_city(hex, home[1]))
        for other in title.companies
        if (home := charter_of(title, state, other).home) is not None
        and home[0] == hex
        and other != company
        and state.companies[other].status != "closed"
        and not any(other in city for city in board.circles(hex))
    )


def lay_cost(title: Title, state: State, hex: HexId, new: Face) -> int:
    """Cost printed in the hex, for the first tile laid there. A ruling decides if a tile that replaces a printed yellow
    one pays it too."""  # rule 6.8, 6.9
    face = title.map.hexes[hex].face
    replaced = hex in state.board.tiles or (face.color == "yellow" and rulings_of(title).aarau_upgrade == "0")
    return 0 if replaced else face.terrain


def capital(title: Title, state: State, company: CompanyId) -> int:
    """Capital that the company gets at its launch, and again when it reaches its destination."""  # rule 4.20, 6.23
    par = state.companies[company].par
    assert par is not None
    return CAPITAL.get(charter_of(title, state, company).kind, USUAL_CAPITAL) * par


def bound_for(title: Title, state: State, company: CompanyId) -> HexId | None:
    """The destination for which the company can still get a bonus; None if there is none."""
    if company in state.marks.get(REACHED, frozenset()):
        return None
    return GOTTHARD if company == GB else title.companies[company].destination
