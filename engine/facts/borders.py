"""The borders of hexes in a file of facts: sides that are closed, and rivers, which cost something to cross."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.board.map import Hex
from engine.core.ids import HexId
from engine.facts.box_shapes import CLOSED, DRAWN, RIVER
from engine.facts.file import Facts


def borders(facts: Facts, entry: Any, place: tuple[str, ...]) -> tuple[frozenset[int], Mapping[int, int]]:
    """The edges of the hex that are closed, and those that cost something to cross."""
    walls, crossings = set[int](), dict[int, int]()
    for border in entry.get("borders", ()):
        kind, edge = facts.get(border, "type", str, *place), facts.get(border, "edge", int, *place)
        facts.need(kind in (CLOSED, RIVER, DRAWN), f"a border cannot be {kind!r}", *place)
        facts.need(kind == RIVER or "cost" not in border, f"a border that is {kind!r} has no cost", *place)
        if kind == RIVER:
            crossings[edge] = facts.get(border, "cost", int, *place)
        elif kind == CLOSED:
            walls.add(edge)
    return frozenset(walls), crossings


def both_banks(facts: Facts, hexes: Mapping[HexId, Hex]) -> dict[HexId, Hex]:
    """The hexes, each with the crossings that the file has on either hex of an edge."""
    found: dict[HexId, dict[int, int]] = {}
    for hex in hexes.values():
        for edge, cost in hex.crossings.items():
            facts.need(edge in hex.neighbors, f"has no neighbour across edge {edge}", "hexes", hex.id, "borders")
            for id, side in ((hex.id, edge), (hex.neighbors[edge], (edge + 3) % 6)):
                known = found.setdefault(id, {}).setdefault(side, cost)
                facts.need(known == cost, f"edge {edge} costs {cost} here, {known} across", "hexes", hex.id, "borders")
    return {id: replace(hex, crossings=found[id]) if id in found else hex for id, hex in hexes.items()}


def one_sided(facts: Facts, hexes: Mapping[HexId, Hex]) -> frozenset[tuple[HexId, int]]:
    """The sides of hexes whose barriers the file has on the neighbour alone."""
    found: set[tuple[HexId, int]] = set()
    for given in facts.data.get("one_sided_borders", ()):
        facts.need(isinstance(given, list) and len(given) == 2, "a border is a hex and an edge", "one_sided_borders")
        coord, edge = given
        facts.need(coord in hexes, "is not known", "one_sided_borders", coord)
        neighbor = hexes[HexId(coord)].neighbors.get(edge)
        facts.need(neighbor is not None, f"has no neighbour across edge {edge}", "one_sided_borders", coord)
        assert neighbor is not None
        found.add((neighbor, (edge + 3) % 6))
    return frozenset(found)


def closed(hexes: Mapping[HexId, Hex], sides: frozenset[tuple[HexId, int]]) -> dict[HexId, Hex]:
    """The hexes with the sides closed."""
    closed = {id: frozenset(e for h, e in sides if h == id) for id, _ in sides}
    return {
        id: replace(hex, closed_edges=hex.closed_edges | closed[id]) if id in closed else hex
        for id, hex in hexes.items()
    }
