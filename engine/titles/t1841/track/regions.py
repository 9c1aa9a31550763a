"""Parts of the map that active borders keep apart."""

from __future__ import annotations

from engine.core.ids import CompanyId, HexId
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1841.track.borders import borders


def region_of(title: Title, state: State, hex: HexId) -> frozenset[HexId]:
    """The hexes that can be reached from ``hex`` without crossing an active border or a barrier."""
    closed, found, waiting = borders(title, state), {hex}, [hex]
    while waiting:
        now = waiting.pop()
        if title.map.hexes[now].face.offboards:
            continue  # nothing leads through an off-board area
        for edge, neighbor in title.map.hexes[now].neighbors.items():
            if neighbor not in found and (now, edge) not in closed and edge not in title.map.hexes[now].closed_edges:
                found.add(neighbor)
                waiting.append(neighbor)
    return frozenset(found)


def apart(title: Title, state: State, company: CompanyId, other: CompanyId) -> tuple[HexId, ...]:
    """The hexes with tokens of ``other`` that active borders separate from every token of ``company``."""
    own = [region_of(title, state, hex) for hex, _ in state.board.places_of(company)]
    return tuple(hex for hex, _ in state.board.places_of(other) if not any(hex in region for region in own))
