"""The map of Two Valleys: ten hexes in two columns, four towns that can become cities, five kinds of tile."""

from __future__ import annotations

from typing import Final

from engine.board.map import End, Face, Hex, Map, Stop, Tile
from engine.core.ids import HexId, TileId

NAMES: Final = ("S", "SW", "NW", "N", "NE", "SE")
DELTAS: Final = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))
PLACES: Final = {HexId(f"{column}{row}"): (x, row) for x, column in enumerate("AB") for row in range(1 + x, 11, 2)}
CITIES: Final = {HexId("A1"): "Lionport", HexId("A7"): "Midway", HexId("B4"): "Ford", HexId("B10"): "Unicorn Hill"}
HOMES: Final = {HexId("A1"): (0, 5), HexId("B10"): (2, 3)}
"""Printed yellow, with track to these edges."""
HILLS: Final = {HexId("A5"): 20, HexId("B6"): 20}


def _track(*edges: int) -> tuple[tuple[End, End], ...]:
    """Track from each edge to the city."""
    return tuple((("e", edge), ("c", 0)) for edge in edges)


def _city(color: str, revenue: int, slots: int, *edges: int) -> Face:
    return Face(color, (Stop("city", revenue, slots),), paths=_track(*edges))


FACES: Final = {
    "7": Face("yellow", paths=((("e", 0), ("e", 1)),)),
    "8": Face("yellow", paths=((("e", 0), ("e", 2)),)),
    "9": Face("yellow", paths=((("e", 0), ("e", 3)),)),
    "57": _city("yellow", 20, 1, 0, 3),
    "14": _city("green", 30, 2, 0, 1, 3, 4),
}
COUNTS: Final = {"7": 4, "8": 6, "9": 6, "57": 4, "14": 3}


def _neighbors(hex: HexId) -> dict[int, HexId]:
    x, y = PLACES[hex]
    at = {place: name for name, place in PLACES.items()}
    return {edge: at[x + dx, y + dy] for edge, (dx, dy) in enumerate(DELTAS) if (x + dx, y + dy) in at}


def _printed(hex: HexId) -> Hex:
    stops = (Stop("city", 0, 1),) if hex in CITIES else ()
    face = Face("white", stops, terrain=HILLS.get(hex, 0))
    if hex in HOMES:
        face = _city("yellow", 20, 1, *HOMES[hex])
    return Hex(hex, *PLACES[hex], CITIES.get(hex, ""), face, _neighbors(hex), frozenset())


def _fitting(hex: HexId, tile: str) -> tuple[int, ...]:
    """Turns of the tile whose track leads nowhere off the map."""
    near = _neighbors(hex)
    return tuple(turn for turn in range(6) if FACES[tile].turned(turn).exits <= near.keys())


def load_map() -> Map:
    """The map, its tiles, and which of them fit where."""
    yellow = {hex: ["57"] if hex in CITIES else ["7", "8", "9"] for hex in PLACES if hex not in HOMES}
    lays = {hex: {TileId(t): turns for t in tiles if (turns := _fitting(hex, t))} for hex, tiles in yellow.items()}
    return Map(
        flat=True, edge_names=NAMES, edge_deltas=DELTAS,
        hexes={hex: _printed(hex) for hex in PLACES},
        tiles={TileId(name): Tile(TileId(name), face, COUNTS[name]) for name, face in FACES.items()},
        upgrades={TileId("57"): {TileId("14"): (0, 2, 3, 5)}}, relabelled={}, first_lays=lays,
    )  # fmt: skip
