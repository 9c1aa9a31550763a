"""The connection of a lay to a company's track."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.board.map import End, Face, Hex
from engine.board.network import Reach, arrives_apart
from engine.core.checks import Fact, Failure
from engine.core.ids import CompanyId, TileId
from engine.core.state import State
from engine.core.title import Title


def kind_of(face: Face) -> str:
    """``city``, ``town`` or ``plain``; or the kind of its first city if the title has other kinds, such as ``pass``."""
    return face.cities[0].kind if face.cities else "town" if face.towns else "plain"


def check_joined(
    title: Title, state: State, company: CompanyId, hex: Hex, tile: TileId, rotation: int, new_track: frozenset[str],
    found: Reach,
) -> Iterator[Failure]:  # fmt: skip
    """Yield a failure if the tile, in this rotation, does not extend one of the routes ``found``. Any track of the tile
    may extend a route; but if the hex already has track and is of a kind in ``new_track`` (``LayRules``), only new
    track may."""
    new, sides = title.map.tiles[tile].face.turned(rotation), arrivals(hex, found)
    if is_joined(state, company, hex, new, new_track, found, sides):
        return
    facts: dict[str, Fact] = {
        "hex": hex.id,
        "tile": tile,
        "company": company,
        "edges": tuple(title.map.edge_names[e] for e in sides),
    }
    old = state.board.face(hex.id)
    if _any_track_counts(old, new, new_track):
        exits = tuple(title.map.edge_names[e] for e in sorted(new.exits))
        yield Failure("lay.unconnected", {**facts, "exits": exits})
    else:
        ends = {n for path in _fresh(old, new) for kind, n in path if kind == "e"}
        exits = tuple(title.map.edge_names[e] for e in sorted(ends))
        yield Failure("lay.new_unconnected", {**facts, "exits": exits})


def arrivals(hex: Hex, found: Reach) -> tuple[int, ...]:
    """Sides of the hex that a route reaches."""
    return tuple(e for e in hex.neighbors if (hex.id, e) in found)


def is_joined(
    state: State, company: CompanyId, hex: Hex, new: Face, new_track: frozenset[str], found: Reach,
    sides: Sequence[int],
) -> bool:  # fmt: skip
    """True if ``new`` extends one of the routes ``found``, which reach ``sides`` of the hex; see ``check_joined``."""
    old = state.board.face(hex.id)
    if _any_track_counts(old, new, new_track):  # rule 1861:7.5, 7.11
        return hex.id in found.beginnings or not new.exits.isdisjoint(sides)
    to_stop = False
    for (end, a), (other, b) in _fresh(old, new):  # rule 1861:7.10
        if end == other == "e":
            if a in sides and arrives_apart(found, (hex.id, a), b):
                return True
            if b in sides and arrives_apart(found, (hex.id, b), a):
                return True
        elif (a if end == "e" else b) in sides:
            return True
        else:
            to_stop = True
    return to_stop and _passes_through(state, company, hex, new, found)


def _any_track_counts(old: Face, new: Face, new_track: frozenset[str]) -> bool:
    """True if any track of the new face, old or new, may extend a route; False if only new track may."""
    return not old.paths or kind_of(new) not in new_track


@lru_cache(maxsize=4096)
def _fresh(old: Face, new: Face) -> tuple[tuple[End, End], ...]:
    """Track of the new face that the old one does not have."""
    before = {frozenset(path) for path in old.paths}
    return tuple(path for path in new.paths if frozenset(path) not in before)


def _passes_through(state: State, company: CompanyId, hex: Hex, new: Face, found: Reach) -> bool:
    """True if a route reaches a stop of the hex and could leave it by new track: a town, or a city in which the company
    has a marker or the new tile has a circle that others do not fill."""
    if any(("t", hex.id, i) in found for i in range(len(new.towns))):
        return True
    room = new.cities[0].slots if new.cities else 0
    return any(
        ("c", hex.id, i) in found and (company in there or len(there) < room)
        for i, there in enumerate(state.board.circles(hex.id))
    )
