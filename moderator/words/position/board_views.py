"""Views of the map: hexes that play has changed, pieces laid over them, the printed board, and the off-board areas.

The module contains no words of any language, only names, numbers and keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.board.map import Face, Map, Stop
from engine.core.ids import CompanyId, HexId, TileId
from engine.core.orders import Space
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from grammar import write_space


@dataclass(frozen=True, slots=True)
class HexLine:
    """A hex. ``tile``: None if no tile was laid. ``pieces``: the pieces laid over it. ``track``: the sides that its
    track joins; several cities are left out, because each has its own ``exits``. ``values``: the present values of its
    stops, in order, without repetitions. ``towns``: their number."""

    id: str
    name: str
    tile: str | None
    rotation: int
    cities: tuple[CityLine, ...]
    pieces: tuple[Piece, ...] = ()
    track: tuple[str, ...] = ()
    values: tuple[int, ...] = ()
    towns: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece laid over a hex. ``kind``: ``tunnel``, ``track`` or ``panel``. ``ends``: the sides that its track joins.
    For a panel, ``values``: its incomes by phase; ``now``: the present one; ``owners``: the privates in the hex."""

    kind: str
    ends: tuple[str, ...]
    values: tuple[int, ...] = ()
    now: int = 0
    owners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Printed:
    """A hex as printed. ``line``: its track, cities and values (for an off-board area, those of all phases). ``cost``:
    the cost of the first tile; ``ground``: the terrain that it is paid for. ``homes``: the companies that may still
    start here."""

    line: HexLine
    color: str
    towns: int
    label: str
    cost: int
    ground: str
    homes: tuple[CompanyId, ...]


@dataclass(frozen=True, slots=True)
class Area:
    """An off-board area. ``now``: its present value. ``then``: its value in the next phase; ``now`` if that phase is
    not known. ``ways``: the hexes from which track leads into it."""

    name: str
    hexes: tuple[HexId, ...]
    now: int
    then: int
    ways: tuple[HexId, ...] = ()


@dataclass(frozen=True, slots=True)
class CityLine:
    """A city, or another stop that takes tokens. ``kind``: ``city``, ``pass`` or ``offboard``. ``exits``: the sides
    that it joins, if the hex has several cities. ``free``: the number of free token spaces."""

    kind: str
    exits: tuple[str, ...]
    markers: tuple[str, ...]
    free: int


def board(title: Title, state: State) -> tuple[HexLine, ...]:
    """The hexes with a tile, a token or a piece laid over them, by letter and number."""
    changed = {*state.board.tiles, *state.board.markers, *state.board.overlays}
    return tuple(hex_line(title, state, hex) for hex in sorted(changed, key=_by_letter))


def printed(title: Title, state: State) -> tuple[Printed, ...]:
    """The hexes in which something is printed (a name, city, track, terrain cost or label), by letter and number."""
    return _printed(title, state, title.map.hexes)


def _printed(title: Title, state: State, hexes: Iterable[HexId]) -> tuple[Printed, ...]:
    homes = _homes(title, state)
    rows = (printed_hex(title, state, hex, homes) for hex in sorted(hexes, key=_by_letter))
    return tuple(row for row in rows if row.line.name or row.line.cities or row.line.track or row.cost or row.label)


def printed_near(title: Title, state: State, hexes: Iterable[HexId]) -> tuple[Printed, ...]:
    """Of ``hexes`` and those around them, the ones with no tile, token or piece in which something is printed."""
    near = set(hexes)
    near.update([other for hex in near for other in title.map.hexes[hex].neighbors.values()])
    return _printed(title, state, (hex for hex in near if not is_changed(state, hex)))


def printed_hex(
    title: Title, state: State, hex: HexId, homes: Mapping[HexId, tuple[CompanyId, ...]] | None = None
) -> Printed:
    """A hex as printed, without the tile and tokens that lie there now. ``homes``: the result of ``_homes``, to save
    computing it for each hex."""
    face, of = title.map.hexes[hex].face, title.map.hexes[hex]
    stops = (*face.cities, *face.towns, *face.offboards)
    table = next((tuple(stop.revenue.values()) for stop in stops if not isinstance(stop.revenue, int)), ())
    line = HexLine(
        hex, of.name, None, 0,
        tuple(CityLine(stop.kind, _exits(title, face, i), (), stop.slots) for i, stop in enumerate(face.cities)),
        track=track(title, face), values=table or values(title, state, face),
    )  # fmt: skip
    found = (_homes(title, state) if homes is None else homes).get(hex, ())
    return Printed(line, face.color, len(face.towns), face.label, face.terrain, face.ground, found)


def home_hexes(title: Title, state: State, company: CompanyId) -> tuple[HexId, ...]:
    """The printed homes of a company, as far as the title says that they count."""
    printed = tuple(hex for hex, _ in charter_of(title, state, company).homes)
    return tuple(title.policies.remarks(title, state, company).get("homes", printed))


def _homes(title: Title, state: State) -> dict[HexId, tuple[CompanyId, ...]]:
    """Hex -> the companies that have it as a home and have not started yet."""
    found: dict[HexId, tuple[CompanyId, ...]] = {}
    for company, now in state.companies.items():
        for hex in dict.fromkeys(home_hexes(title, state, company)):
            if now.status == "unstarted":
                found[hex] = (*found.get(hex, ()), company)
    return found


def is_changed(state: State, hex: HexId) -> bool:
    """True if a tile, a token or another piece lies in the hex."""
    return hex in state.board.tiles or hex in state.board.markers or hex in state.board.overlays


def neighbors(title: Title, hex: HexId) -> tuple[tuple[str, HexId, str, bool], ...]:
    """The neighbours of a hex: side, hex, name, and True if a barrier is between."""
    of, names = title.map.hexes[hex], title.map.edge_names
    return tuple(
        (names[edge], other, title.map.hexes[other].name, edge in of.closed_edges)
        for edge, other in sorted(of.neighbors.items())
    )


def upgrades(title: Title, state: State, hex: HexId) -> tuple[tuple[TileId, int | None], ...]:
    """The tiles to which the tile in a hex can be upgraded, with the number left of each; empty if no tile was laid.
    Unlike the menu, this considers only the tile, not the phase, the reach of companies or the cost."""
    lying = state.board.tiles.get(hex)
    if lying is None:
        return ()
    counts = {tile: title.map.tiles[tile].count for tile in title.map.upgrades.get(lying[0], {})}
    return tuple((tile, None if n is None else n - state.board.in_play(tile)) for tile, n in counts.items())


def tiles(title: Title, state: State) -> dict[str, tuple[tuple[str, int | None], ...]]:
    """The tiles that are left, by colour: ``{"yellow": (("3", 2), ("57", None))}``. None means an unlimited number."""
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
    cities = tuple(
        CityLine(
            face.cities[i].kind,
            _exits(title, face, i),
            state.board.at(hex, i),
            state.board.free(hex, i),
        )
        for i in range(len(face.cities))
    )
    pieces = tuple(_lying(title, state, hex, *laid) for laid in state.board.overlays.get(hex, ()))
    name = title.map.hexes[hex].name
    counted = () if any(piece.kind == "panel" for piece in pieces) else values(title, state, face)
    return HexLine(hex, name, tile, rotation, cities, pieces, track(title, face), counted, len(face.towns))


def _exits(title: Title, face: Face, city: int) -> tuple[str, ...]:
    """The sides that a city joins, if the hex has several cities; empty otherwise."""
    names = title.map.edge_names
    return tuple(names[e] for e in sorted(face.exits_of("c", city))) if len(face.cities) > 1 else ()


def track(title: Title, face: Face) -> tuple[str, ...]:
    """The sides joined by each stop, and by each piece of track without a stop, such as ``N-NE-S``. The cities of a hex
    with several are left out."""
    return _sides(title.map.edge_names, face)


@lru_cache(maxsize=4096)
def _sides(names: tuple[str, ...], face: Face) -> tuple[str, ...]:
    found = list[list[int]]()
    for kind, stops in (("c", face.cities if len(face.cities) == 1 else ()), ("t", face.towns), ("o", face.offboards)):
        for i in range(len(stops)):
            found.append(sorted(face.exits_of(kind, i)))
    found += [sorted((i, j)) for (a, i), (b, j) in face.paths if a == b == "e"]
    return tuple("-".join(names[e] for e in exits) for exits in found if exits)


def values(title: Title, state: State, face: Face) -> tuple[int, ...]:
    """The present values of the stops of a hex, without repetitions and without 0."""
    stops = (*face.cities, *face.towns, *face.offboards)
    return tuple(dict.fromkeys(value for stop in stops if (value := value_now(title, state, stop))))


def _lying(title: Title, state: State, hex: HexId, tile: TileId, rotation: int) -> Piece:
    shown = piece(title, tile, rotation)
    if shown.kind != "panel":
        return shown
    now = value_now(title, state, title.map.tiles[tile].face.offboards[0])
    lying = (p for p in state.privates if title.policies.remarks(title, state, p).get("hex") == hex)
    return replace(shown, now=now, owners=tuple(lying))


def piece(title: Title, tile: TileId, rotation: int) -> Piece:
    """The view of a piece laid over a hex, without ``now`` and ``owners``."""
    face = title.map.tiles[tile].face.turned(rotation)
    if not face.paths:
        return Piece("panel", (), panel(title, tile))
    ends = tuple(title.map.edge_names[e] for e in sorted(face.exits))
    return Piece("tunnel" if face.tunnels else "track", ends)


def panel(title: Title, tile: TileId) -> tuple[int, ...]:
    """The incomes on a panel, from the first colour of track to the last; empty for other tiles."""
    for stop in title.map.tiles[tile].face.offboards:
        return (stop.revenue,) if isinstance(stop.revenue, int) else tuple(stop.revenue.values())
    return ()


def value_now(title: Title, state: State, stop: Stop) -> int:
    """The value of a stop in the present phase."""
    return stop.value(title.phase(state).revenue_color)


def areas(title: Title, state: State, then: str | None = None) -> tuple[Area, ...]:
    """The off-board areas, each with all its hexes. ``then``: the column of values that counts in the next phase."""
    found: dict[str, list[HexId]] = {}
    for hex in title.map.hexes.values():
        for stop in _offboards(hex.face):
            found.setdefault(stop.group or hex.name or hex.id, []).append(hex.id)

    def name(group: str, hexes: list[HexId]) -> str:
        return next((title.map.hexes[hex].name for hex in hexes if title.map.hexes[hex].name), group)

    found_areas = []
    for group, hexes in found.items():
        stop = _offboards(title.map.hexes[hexes[0]].face)[0]
        now = value_now(title, state, stop)
        value = now if then is None else stop.value(then)
        found_areas.append(Area(name(group, hexes), tuple(hexes), now, value, _ways_into(title, hexes)))
    return tuple(found_areas)


def _ways_into(title: Title, hexes: Iterable[HexId]) -> tuple[HexId, ...]:
    """The hexes around ``hexes`` from which printed track leads into them, by letter and number."""
    found = {
        other
        for hex in hexes
        for edge, other in title.map.hexes[hex].neighbors.items()
        if edge in title.map.hexes[hex].face.exits and edge not in title.map.hexes[hex].closed_edges
    }
    return tuple(sorted(found.difference(hexes), key=_by_letter))


def _offboards(face: Face) -> tuple[Stop, ...]:
    """The off-board stops of a hex. Those that take tokens are stored as cities."""
    return tuple(stop for stop in (*face.offboards, *face.cities) if stop.kind == "offboard")


def _by_letter(hex: str) -> tuple[str, int]:
    letters = hex.rstrip("0123456789")
    return letters, int(hex[len(letters) :] or 0)


def place(title: Title, state: State, hex: HexId, city: int) -> str:
    """A city as orders name it: the hex, with an exit if the hex has several cities."""
    face = state.board.face(hex)
    if len(face.cities) < 2:
        return str(hex)
    exits = sorted(face.exits_of("c", city))
    return write_space(Space(hex, exits[0] if exits else None), title.map.edge_names)


@lru_cache(maxsize=64)
def example_hexes(map: Map) -> tuple[HexId, HexId]:
    """Two hexes of a map for examples of orders: a third of the way across it, and two thirds."""
    hexes = map.hexes.values()
    left, top = min(hex.x for hex in hexes), min(hex.y for hex in hexes)
    wide, high = max(hex.x for hex in hexes) - left, max(hex.y for hex in hexes) - top

    def nearest(thirds: int) -> HexId:
        x, y = 3 * left + thirds * wide, 3 * top + thirds * high
        return min(hexes, key=lambda hex: (abs(3 * hex.x - x) + abs(3 * hex.y - y), hex.id)).id

    return nearest(1), nearest(2)
