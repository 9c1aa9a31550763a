"""The policies of 1841 that shared steps use."""

from __future__ import annotations

from typing import Final

from engine.acts.act import Turn
from engine.board.map import Face
from engine.board.ways import ANY_WAY, Purpose, Ways
from engine.core.ids import CompanyId, HexId, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.holders.control import controller_of
from engine.titles.t1841.names import ACTING, FIRENZE, FIRST_PHASE, NO_CONCESSIONS_PHASE, SFMA
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.track.borders import borders

BASES: Final = frozenset({"city"})
"""Kinds of stop in which a token is a base."""
FROM_CITIES: Final = Ways(kinds=BASES)


def director(title: Title, state: State, company: CompanyId) -> PlayerId | None:
    """The player who controls an open company; None while it is frozen. Under a ruling, a company that freezes in its
    own turn is led until the end of that turn by the player who controlled it when the turn began."""
    # rule 11.2, 11.3
    if state.companies[company].status != "open":
        return None
    found = controller_of(title, state, company)
    top = state.top if state.agenda else None
    if found is None and isinstance(top, Turn) and top.company == company and ACTING in state.marks:
        return acting(title, state)
    return found


def acting(title: Title, state: State) -> PlayerId:
    """The player who controlled the company in turn when its turn began; the priority holder if none is recorded."""
    _, player = state.marks.get(ACTING) or (None, state.priority)
    return player


def operating_order(title: Title, state: State) -> tuple[CompanyId, ...]:
    """Open companies, including frozen ones, by price; equal prices further right first, then higher in the pile."""
    # rule 5.5

    def place(company: CompanyId) -> tuple[int, int, int]:
        marker = state.prices[company]
        return (-title.chart.price(marker.cell), -marker.cell[1], marker.since)

    return tuple(sorted((c for c in state.prices if state.companies[c].status == "open"), key=place))


def train_limit(title: Title, state: State, company: CompanyId) -> int:
    """The number of trains that the company may have."""  # rule 8.3
    return title.phase(state).train_limits[charter_of(title, state, company).kind]


def marker_cost(title: Title, state: State, company: CompanyId, hex: HexId) -> int:
    """Nothing: tokens are paid for when the company is started, and placed free of charge."""  # rule 6.21
    return 0


def lay_cost(title: Title, state: State, hex: HexId, new: Face) -> int:
    """The sum printed in the hex for its first tile, or 50 for the brown tile of a pass."""  # rule 6.14
    return state.board.face(hex).terrain


def ways(title: Title, state: State, company: CompanyId, purpose: Purpose) -> Ways:
    """The ways of a company for a purpose. They begin at tokens in cities. Ways for tokens never cross an active
    border; ways for track do not in phase 2."""
    # rule 6.7, 6.12, 6.13, 6.23, 7.2, clarification 1.8, 1.11, 2.15, 5.4
    if purpose == "run":
        return ANY_WAY if rulings_of(title).pass_tokens_run else FROM_CITIES
    barred = purpose == "token" or state.phase == FIRST_PHASE
    return Ways(borders(title, state) if barred else frozenset(), BASES)


def reserved(title: Title, state: State, hex: HexId, company: CompanyId) -> tuple[tuple[CompanyId, int], ...]:
    """Historical companies that may still be started here, each with a city. One that may choose between cities keeps
    every free place of both."""  # rule 6.22
    if title.reached(state, NO_CONCESSIONS_PHASE):
        return ()
    board = state.board
    claims: list[tuple[CompanyId, int]] = []
    for other in title.companies:
        if other == company or state.companies[other].status != "unstarted":
            continue
        for home, printed in charter_of(title, state, other).homes:
            if home != hex:
                continue
            if (other, hex) == (SFMA, FIRENZE) and rulings_of(title).sfma_home == "either":
                claims += [(other, i) for i in range(len(board.face(hex).cities)) for _ in range(board.free(hex, i))]
            else:
                claims.append((other, board.home_city(hex, printed)))
    return tuple(claims)
