"""The London Passenger Transport Board: seizures, purchases, and its markers."""

from __future__ import annotations

from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.names import LPTB
from engine.titles.t1863.pieces import lptb_markers


def begin_lptb(play: Play) -> None:
    """Put the acts of the LPTB after an operating round on the agenda."""  # rule 10.1
    raise NotImplementedError


def markers_left(title: Title, state: State) -> int:
    """Markers of the LPTB that are not on the map."""  # rule 10.4
    return lptb_markers(title) - len(state.board.places_of(LPTB))
