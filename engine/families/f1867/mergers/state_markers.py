"""Markers of the state railway on the map."""

from __future__ import annotations

from engine.core.events import MarkerPlaced
from engine.core.ids import CompanyId, HexId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867.kin import kin

MARKERS_ELSEWHERE = 6
"""The most markers that the state railway may have outside the capitals."""


def has_marker(title: Title, state: State, hex: HexId) -> bool:
    """True if the state railway has a marker anywhere in the hex."""
    return any(kin(title).state in city for city in state.board.circles(hex))


def markers_elsewhere(title: Title, state: State) -> int:
    """Number of markers of the state railway outside the capitals."""
    own = kin(title)
    return sum(1 for hex, _ in state.board.places_of(own.state) if hex not in own.capitals)


def may_take(title: Title, state: State, hex: HexId) -> bool:
    """True if the state railway may replace a marker in the hex by its own."""  # rule 13.8, 12.5
    if has_marker(title, state, hex):
        return False
    return hex in kin(title).capitals or markers_elsewhere(title, state) < MARKERS_ELSEWHERE


def tile_laid(play: Play, company: CompanyId, hex: HexId) -> None:
    """Place the state railway's marker in the metropolis as soon as the gray tile lies there."""  # rule 12.4
    title, state = play.title, play.state
    own = kin(title)
    if hex == own.metropolis and state.board.face(hex).color == "gray" and not has_marker(title, state, hex):
        play.emit(MarkerPlaced(own.state, hex, 0))
