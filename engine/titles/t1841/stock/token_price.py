"""The price of a station token when a company is started: fixed for historical companies, otherwise by the distance
from its home to the nearest hex with track."""

from __future__ import annotations

from typing import Final

from engine.core.ids import CompanyId, HexId
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1841.names import HISTORICAL
from engine.titles.t1841.track.borders import borders

HISTORICAL_PRICE: Final = 50
BY_DISTANCE: Final = (200, 100, 50)
"""Price by the distance in hexes, as the crow flies."""
FAR: Final = 25
"""Price at any greater distance."""


def token_price(title: Title, state: State, company: CompanyId) -> int:
    """The price of each token of a company whose home tokens stand; with two homes, the dearer price counts."""
    # rule 4.14
    if company in HISTORICAL:
        return HISTORICAL_PRICE
    return max(price_from(title, state, hex) for hex, _ in state.board.places_of(company))


def price_from(title: Title, state: State, home: HexId) -> int:
    """The price of a token of a company at home in this hex."""
    distance = _nearest(title, state, home)
    return FAR if distance is None else BY_DISTANCE[distance]


def _nearest(title: Title, state: State, home: HexId) -> int | None:
    """The distance in hexes to the nearest connected hex, at most the last distance with a price of its own. That hex
    must be within reach inside that circle, without crossing a barrier or an active border. None if there is none."""
    closed, most = borders(title, state), len(BY_DISTANCE) - 1
    found, waiting, best = {home}, [home], None
    while waiting:
        now = waiting.pop()
        distance = title.map.distance(home, now)
        if is_connected(title, state, now) and (best is None or distance < best):
            best = distance
        if distance >= most:
            continue
        for edge, neighbor in title.map.hexes[now].neighbors.items():
            if (now, edge) in closed or edge in title.map.hexes[now].closed_edges or neighbor in found:
                continue
            if title.map.distance(home, neighbor) <= most:
                found.add(neighbor)
                waiting.append(neighbor)
    return best


def is_connected(title: Title, state: State, hex: HexId) -> bool:
    """True if the hex counts as connected: a tile lies there, a city is printed there with track, or printed track
    meets a laid tile."""  # rule 4.14
    board = state.board
    if hex in board.tiles:
        return True
    face = board.face(hex)
    if not face.paths:
        return False
    return bool(face.cities) or any(_meets_tile(title, state, hex, edge) for edge in face.exits)


def _meets_tile(title: Title, state: State, hex: HexId, edge: int) -> bool:
    """True if track leads from the hex over this edge to a laid tile."""
    there = title.map.hexes[hex]
    neighbor = there.neighbors.get(edge)
    if neighbor is None or edge in there.closed_edges or (hex, edge) in borders(title, state):
        return False
    return neighbor in state.board.tiles and (edge + 3) % 6 in state.board.face(neighbor).exits
