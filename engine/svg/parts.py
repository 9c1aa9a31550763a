"""Parts of a map: the rectangle around some hexes, and strips of it that are narrow enough for a small screen."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from engine.board.map import Map
from engine.core.ids import HexId


def part(map: Map, hexes: Iterable[HexId] | None, rings: int = 1) -> tuple[HexId, ...]:
    """The hexes around the given ones, as a full rectangle of the map, in the order of the map; all hexes if none are
    given."""
    if hexes is None:
        return tuple(map.hexes)
    chosen = {hex: map.hexes[hex] for hex in hexes}
    if not chosen:
        return tuple(map.hexes)
    for _ in range(rings):
        more = {n for hex in chosen.values() for n in hex.neighbors.values()}
        chosen.update({hex: map.hexes[hex] for hex in more})
    columns, rows = [h.x for h in chosen.values()], [h.y for h in chosen.values()]
    return tuple(
        id for id, hex in map.hexes.items() if min(columns) <= hex.x <= max(columns) and min(rows) <= hex.y <= max(rows)
    )


def strips(map: Map, hexes: Iterable[HexId], rings: int, most: float) -> tuple[tuple[HexId, ...], ...]:
    """The part around ``hexes`` as strips of at most ``most`` columns of hexes, from left to right: the hexes of each.
    A strip is as high as the given hexes in it and beside it need. The whole part is a single strip if it is narrow."""
    chosen = tuple(hexes)
    shown = part(map, chosen, rings)
    left, right = min(map.hexes[hex].x for hex in shown), max(map.hexes[hex].x for hex in shown)
    count = ceil(columns(map, shown) / most)
    if count < 2:
        return (shown,)
    found = []
    wide = ceil((right - left + 1) / count)
    for first in range(left, right + 1, wide):
        last = min(first + wide - 1, right)
        near = [map.hexes[hex].y for hex in chosen if first - 1 <= map.hexes[hex].x <= last + 1]
        if near:
            high = 2 if map.flat else 1
            rows = range(min(near) - high * rings, max(near) + high * rings + 1)
            found.append(tuple(h for h in shown if first <= map.hexes[h].x <= last and map.hexes[h].y in rows))
    return tuple(strip for strip in found if strip)


def columns(map: Map, hexes: Iterable[HexId]) -> float:
    """The width of a part of the map, in columns of hexes."""
    across = {map.hexes[hex].x for hex in hexes}
    return (max(across) - min(across)) / (1 if map.flat else 2) + 1
