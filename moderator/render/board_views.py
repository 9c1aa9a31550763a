"""The map as lines of facts: hexes that play has changed, what was laid over them, and the off-board areas.

No words here, only names, numbers and keys.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.board.map import Face, Stop
from engine.core.ids import HexId, TileId
from engine.core.orders import Space
from engine.core.state import State
from engine.core.title import Title
from grammar import write_space


@dataclass(frozen=True, slots=True)
class HexLine:
    """A hex that play has changed. ``tile`` None: printed. ``cities``: exits and markers of each city, None for a
    free circle, where the hex has any. ``pieces``: what was laid over it."""

    id: str
    name: str
    tile: str | None
    rotation: int
    cities: tuple[CityLine, ...]
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """Something laid over a hex: ``kind`` is ``tunnel``, ``track`` or ``panel``; ``ends``: edges that track joins;
    ``values``: of a panel, phase by phase; ``now``: the one that counts; ``owners``: privates that lie there."""

    kind: str
    ends: tuple[str, ...]
    values: tuple[int, ...] = ()
    now: int = 0
    owners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Area:
    """An off-board area: its hexes and what it counts now."""

    name: str
    hexes: tuple[HexId, ...]
    now: int


@dataclass(frozen=True, slots=True)
class CityLine:
    exits: tuple[str, ...]
    markers: tuple[str, ...]
    free: int


def board(title: Title, state: State) -> tuple[HexLine, ...]:
    """Hexes with a tile, a marker or a piece laid over them, by letter and number."""
    changed = {*state.board.tiles, *state.board.markers, *state.board.overlays}
    return tuple(hex_line(title, state, hex) for hex in sorted(changed, key=_by_letter))


def tiles(title: Title, state: State) -> dict[str, tuple[tuple[str, int | None], ...]]:
    """Tiles that are left, by colour: ``{"yellow": (("3", 2), ("57", None))}``, None for any number."""
    found: dict[str, list[tuple[str, int | None]]] = {}
    for tile in title.map.tiles.values():
        left = None if tile.count is None else tile.count - state.board.in_play(tile.id)
        if not tile.overlay and left != 0:
            found.setdefault(tile.face.color, []).append((tile.id, left))
    return {color: tuple(sorted(some, key=_by_number)) for color, some in found.items()}


def _by_number(row: tuple[str, int | None]) -> tuple[int, str]:
    digits = "".join(c for c in row[0] if c.isdigit())
    return int(digits or 0), row[0]


def hex_line(title: Title, state: State, hex: HexId) -> HexLine:
    tile, rotation = state.board.tiles.get(hex, (None, 0))
    face = state.board.face(hex)
    names = title.map.edge_names
    cities = tuple(
        CityLine(
            tuple(names[e] for e in sorted(face.exits_of("c", i))) if len(face.cities) > 1 else (),
            state.board.at(hex, i),
            state.board.free(hex, i),
        )
        for i in range(len(face.cities))
    )
    pieces = tuple(_lying(title, state, hex, *laid) for laid in state.board.overlays.get(hex, ()))
    return HexLine(hex, title.map.hexes[hex].name, tile, rotation, cities, pieces)


def _lying(title: Title, state: State, hex: HexId, tile: TileId, rotation: int) -> Piece:
    shown = piece(title, tile, rotation)
    if shown.kind != "panel":
        return shown
    now = value_now(title, state, title.map.tiles[tile].face.offboards[0])
    lying = (p for p in state.privates if title.policies.remarks(title, state, p).get("hex") == hex)
    return replace(shown, now=now, owners=tuple(lying))


def piece(title: Title, tile: TileId, rotation: int) -> Piece:
    """The kind of a piece laid over a hex, whoever owns it and whatever counts now."""
    face = title.map.tiles[tile].face.turned(rotation)
    if not face.paths:
        return Piece("panel", (), panel(title, tile))
    ends = tuple(title.map.edge_names[e] for e in sorted(face.exits))
    return Piece("tunnel" if face.tunnels else "track", ends)


def panel(title: Title, tile: TileId) -> tuple[int, ...]:
    """The incomes on a panel, from the first colour of track to the last; nothing for other tiles."""
    for stop in title.map.tiles[tile].face.offboards:
        return (stop.revenue,) if isinstance(stop.revenue, int) else tuple(stop.revenue.values())
    return ()


def value_now(title: Title, state: State, stop: Stop) -> int:
    """The value of a stop in the present phase."""
    return stop.value(title.phase(state).revenue_color)


def areas(title: Title, state: State) -> tuple[Area, ...]:
    """The off-board areas, each with all its hexes."""
    found: dict[str, list[HexId]] = {}
    for hex in title.map.hexes.values():
        for stop in _offboards(hex.face):
            found.setdefault(stop.group or hex.name, []).append(hex.id)

    def name(group: str, hexes: list[HexId]) -> str:
        return next((title.map.hexes[hex].name for hex in hexes if title.map.hexes[hex].name), group)

    return tuple(
        Area(name(group, hexes), tuple(hexes), value_now(title, state, _offboards(title.map.hexes[hexes[0]].face)[0]))
        for group, hexes in found.items()
    )


def _offboards(face: Face) -> tuple[Stop, ...]:
    """The off-board areas of a hex; those where markers stand are kept as cities."""
    return tuple(stop for stop in (*face.offboards, *face.cities) if stop.kind == "offboard")


def _by_letter(hex: str) -> tuple[str, int]:
    letters = hex.rstrip("0123456789")
    return letters, int(hex[len(letters) :] or 0)


def place(title: Title, state: State, hex: HexId, city: int) -> str:
    """A city space as orders name it."""
    face = state.board.face(hex)
    if len(face.cities) < 2:
        return str(hex)
    exits = sorted(face.exits_of("c", city))
    return write_space(Space(hex, exits[0] if exits else None), title.map.edge_names)
