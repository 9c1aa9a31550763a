"""How tiles fit over each other and over what is printed: by colour, label, stops and track."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine.board.map import End, Face, Hex, Tile
from engine.core.ids import TileId

NEXT: Final[Mapping[str, str]] = {"white": "yellow", "yellow": "green", "green": "brown", "brown": "gray"}
"""Colour -> the colour of what is laid over it."""


def why_not(old: Face, new: Face, rotation: int, barred: frozenset[int] | None = None) -> str:
    """The reason why ``new``, turned, does not fit over ``old``; empty if it does. ``barred``: edges of the hex that
    track may not meet."""
    turned = new.turned(rotation)
    if NEXT.get(old.color) != new.color:
        return f"{new.color} does not follow {old.color}"
    if barred and (over := sorted(turned.exits & barred)):
        return f"turned {rotation} it would lead to the edges {over}, which are closed or lead off the map"
    lost = sorted(old.exits - turned.exits)
    if lost:
        return f"turned {rotation} it would lose the track to the edges {lost}"
    groups = _joined(turned.paths)
    for row in _joined(old.paths):
        if not any(row <= group for group in groups):
            return f"turned {rotation} it would part the track between the edges {sorted(row)}"
    return ""


def alike(old: Face, new: Face, label: str = "") -> bool:
    """True if the tile has the label that is asked for, and as many stops of every kind."""
    return (
        new.label == label
        and len(old.towns) == len(new.towns)
        and sorted(s.kind for s in old.cities) == sorted(s.kind for s in new.cities)
    )


def fitting(
    old: Face, label: str, tiles: Mapping[TileId, Tile], barred: frozenset[int] | None = None
) -> Mapping[TileId, tuple[int, ...]]:
    """Every tile that fits over ``old`` with its rotations."""
    found: dict[TileId, tuple[int, ...]] = {}
    for tile in tiles.values():
        if tile.overlay or NEXT.get(old.color) != tile.face.color or not alike(old, tile.face, label):
            continue
        turns = tuple(r for r in range(6) if not why_not(old, tile.face, r, barred))
        if turns:
            found[tile.id] = turns
    return found


def barred(hex: Hex) -> frozenset[int]:
    """Edges of a hex that track may not meet."""
    return frozenset(e for e in range(6) if e not in hex.neighbors) | hex.closed_edges


def _joined(paths: Iterable[tuple[End, End]]) -> list[frozenset[int]]:
    """Edges that one piece of track, or the pieces at one stop, join."""
    stops: dict[End, set[int]] = {}
    found: list[frozenset[int]] = []
    for a, b in paths:
        if a[0] == "e" and b[0] == "e":
            found.append(frozenset({a[1], b[1]}))
        for stop, edge in ((a, b), (b, a)):
            if stop[0] != "e" and edge[0] == "e":
                stops.setdefault(stop, set()).add(edge[1])
    return [*found, *map(frozenset, stops.values())]


def first_lays(
    hexes: Iterable[Hex], tiles: Mapping[TileId, Tile]
) -> Iterator[tuple[Hex, Mapping[TileId, tuple[int, ...]]]]:
    """The first lays of every hex on which track can be laid, as they follow from what is printed."""
    for hex in hexes:
        if hex.buildable:
            yield hex, fitting(hex.face, hex.face.label, tiles, barred(hex))
