"""Crossings of the Thames, and the line between Nine Elms and Waterloo."""

from __future__ import annotations

from collections.abc import Iterator

from engine.board.map import Face
from engine.core.ids import HexId
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1863.names import NINE_ELMS_HEX, WATERLOO_HEX
from engine.titles.t1863.pieces import bank_of


def joined_exits(face: Face) -> Iterator[frozenset[int]]:
    """Yield the sets of exits that the track of the face joins: the two ends of plain track, and all exits of a
    station."""
    for (kind, a), (other, b) in face.paths:
        if kind == other == "e":
            yield frozenset((a, b))
    for kind, stops in (("c", face.cities), ("t", face.towns), ("o", face.offboards)):
        for index in range(len(stops)):
            yield face.exits_of(kind, index)


# ---- the Thames ------------------------------------------------------------------------------------------------------


def crosses(title: Title, hex: HexId, face: Face) -> bool:
    """True if the track of the face, laid in the hex, crosses the Thames. It does if the hex is a river hex and the
    track joins an exit toward the northern bank with one toward the southern bank."""  # rule 9.6
    if bank_of(title, hex) != "river":
        return False
    banks = {edge: bank_of(title, other) for edge, other in title.map.hexes[hex].neighbors.items()}
    found = ({banks.get(edge) for edge in exits} for exits in joined_exits(face))
    return any({"N", "S"} <= each for each in found)


def river_crossings(title: Title, state: State) -> tuple[HexId, ...]:
    """The hexes with track across the Thames, whoever laid it."""
    return tuple(hex for hex in state.board.tiles if crosses(title, hex, state.board.face(hex)))


# ---- Nine Elms to Waterloo -------------------------------------------------------------------------------------------


def on_line(title: Title, hex: HexId) -> bool:
    """True if the hex lies on a shortest path between Nine Elms and Waterloo, including these two hexes."""  # rule 9.5
    apart = title.map.distance
    return apart(NINE_ELMS_HEX, hex) + apart(hex, WATERLOO_HEX) == apart(NINE_ELMS_HEX, WATERLOO_HEX)


def follows_line(title: Title, hex: HexId, face: Face) -> bool:
    """True if the track of the face, laid in a hex of the line, follows the line. At either end it must lead to the
    next hex of the line. In between it must join a hex nearer to Nine Elms with one nearer to Waterloo."""  # rule 9.5
    here = title.map.distance(NINE_ELMS_HEX, hex)
    ahead = {
        edge: title.map.distance(NINE_ELMS_HEX, other) - here
        for edge, other in title.map.hexes[hex].neighbors.items()
        if on_line(title, other)
    }
    wanted = {1} if hex == NINE_ELMS_HEX else {-1} if hex == WATERLOO_HEX else {-1, 1}
    return any(wanted <= {ahead.get(edge) for edge in exits} for exits in joined_exits(face))
