"""Tile lays by the powers of privates: a check for each, and the list of all legal lays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from engine.acts.lay_track import LayRules, check_lay
from engine.acts.reach import reach_for
from engine.acts.track_connection import check_joined, kind_of
from engine.board.map import Face
from engine.core.checks import Fact, Failure
from engine.core.ids import CompanyId, HexId, PrivateId, TileId
from engine.core.orders import Lay
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1863.names import IMPROVEMENTS, LAID, MAIL_AT, NECROPOLIS, PIRATE_AT, REDEVELOPMENT, TUNNEL, mark
from engine.titles.t1863.pieces import bank_of
from engine.titles.t1863.privates.powers import LAY, has_power, owns
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.turn.crossings import crosses, follows_line, on_line

ANY_MONEY: Final = 10**6
RULES: Final = LayRules(99, 99, new_track=frozenset(), chosen_homes=False, home_first=False)
"""Rules for the shared checks without limits on the number of lays. The caller checks this number and the money."""
JOINING: Final = frozenset({"lay.unconnected", "lay.new_unconnected"})
EACH: Final = 2
"""The number of tiles of each colour that the London Necropolis may lay."""
YELLOW: Final = "yellow"
GREEN: Final = "green"
STATIONS: Final = MappingProxyType({REDEVELOPMENT: ("city", "plain"), IMPROVEMENTS: ("town", "city")})
"""Private -> the kind of hex that it changes, and the kind that results."""


def check_power_lay(title: Title, state: State, company: CompanyId, order: Lay) -> list[Failure]:
    """Every reason why this lay with the power of ``order.using`` is not allowed: the owner, the tile and its
    connection. The caller checks the number of lays in the turn and the money."""
    private = order.using
    if private not in CHECKS:
        return [Failure("power.none", {"private": private, "privates": tuple(CHECKS)})]
    assert private is not None
    failures = []
    if not owns(state, company, private):
        facts: dict[str, Fact] = {"private": private, "owner": state.privates.get(private), "company": company}
        failures.append(Failure("power.owner", facts))
    elif not has_power(state, company, private, LAY):
        failures.append(Failure("power.used", {"private": private}))
    if order.hex not in title.map.hexes:
        return [*failures, Failure("lay.no_hex", {"hex": order.hex})]
    if order.tile not in title.map.tiles:
        return [*failures, Failure("lay.no_tile", {"tile": order.tile})]
    return [*failures, *CHECKS[private](title, state, company, order)]


def list_power_lays(title: Title, state: State, company: CompanyId) -> Iterator[Lay]:
    """Every lay that passes ``check_power_lay``. If several rotations give the same track, only the first."""
    for private in CHECKS:
        if has_power(state, company, private, LAY):
            for hex in _hexes(title, state, company, private):
                yield from _in_hex(title, state, company, private, hex)


def _in_hex(title: Title, state: State, company: CompanyId, private: PrivateId, hex: HexId) -> Iterator[Lay]:
    for tile in _tiles(title, state, private, hex):
        seen = set()
        for rotation in range(6):
            look = frozenset(map(frozenset, title.map.tiles[tile].face.turned(rotation).paths))
            order = Lay(company, tile, hex, rotation, private)
            if look not in seen and not check_power_lay(title, state, company, order):
                seen.add(look)
                yield order


def _hexes(title: Title, state: State, company: CompanyId, private: PrivateId) -> Iterable[HexId]:
    """The hexes in which the private might lay a tile."""
    hexes = title.map.hexes
    if private == TUNNEL:
        return tuple(h for h in hexes if h not in state.board.tiles and bank_of(title, h) == "river")
    if private == NECROPOLIS:
        return tuple(h for h in hexes if on_line(title, h))
    found = reach_for(title, state, company, "lay")
    near = found.hexes | found.beginnings
    return tuple(h for h in hexes if h in near and _changeable(title, state, private, h))


def _tiles(title: Title, state: State, private: PrivateId, hex: HexId) -> Iterable[TileId]:
    """The tiles that the private might lay in the hex."""
    if private in STATIONS:
        kind = STATIONS[private][1]
        return tuple(t for t, tile in title.map.tiles.items() if _is(tile.face, YELLOW, kind) and not tile.overlay)
    placed = state.board.tiles.get(hex)
    if placed is None:
        bare = private == NECROPOLIS and rulings_of(title).necropolis_green == "bare"
        green = (t for t, tile in title.map.tiles.items() if bare and tile.face.color == GREEN)
        return (*title.map.first_lays.get(hex, {}), *green)
    upgrades = {**title.map.upgrades.get(placed[0], {}), **title.map.relabelled.get(hex, {}).get(placed[0], {})}
    return tuple(upgrades)


def _is(face: Face, color: str, kind: str) -> bool:
    return face.color == color and kind_of(face) == kind


# ---- the Thames Tunnel -----------------------------------------------------------------------------------------------


def _check_tunnel(title: Title, state: State, company: CompanyId, order: Lay) -> Iterator[Failure]:
    """Check for a yellow tile across the Thames. It may be anywhere."""  # rule 9.6, 12.50
    yield from check_unjoined(title, state, company, order)
    face = title.map.tiles[order.tile].face.turned(order.rotation)
    facts: dict[str, Fact] = {"hex": order.hex, "tile": order.tile, "rotation": order.rotation}
    if face.color != YELLOW:
        yield Failure("power.yellow", {**facts, "private": TUNNEL, "color": face.color})
    elif not crosses(title, order.hex, face):
        yield Failure("power.crossing", facts)


def check_unjoined(title: Title, state: State, company: CompanyId, order: Lay) -> Iterator[Failure]:
    """Make all checks of an ordinary lay but those of its connection."""
    found = check_lay(title, state, company, order, (), ANY_MONEY, RULES)
    return (f for f in found if f.check not in JOINING)


# ---- the London Necropolis -------------------------------------------------------------------------------------------


def _check_necropolis(title: Title, state: State, company: CompanyId, order: Lay) -> Iterator[Failure]:
    """Check for one of two yellow and two green tiles, each along the line from Nine Elms to Waterloo. By a ruling
    green tiles may be laid in bare hexes."""
    # rule 9.5, 12.50, 12.74
    bare = rulings_of(title).necropolis_green == "bare" and order.hex not in state.board.tiles
    green = bare and title.map.tiles[order.tile].face.color == GREEN
    found = check_unjoined(title, state, company, order)
    yield from (failure for failure in found if not (green and failure.check == "lay.wrong_step"))
    if green:
        yield from _check_edges(title, order)
    face = title.map.tiles[order.tile].face.turned(order.rotation)
    facts: dict[str, Fact] = {"hex": order.hex, "tile": order.tile, "rotation": order.rotation}
    laid: tuple[tuple[HexId, TileId], ...] = mark(state, LAID, ())
    number = sum(title.map.tiles[tile].face.color == face.color for _, tile in laid)
    if face.color not in (YELLOW, GREEN) or number >= EACH:
        yield Failure("power.colors", {**facts, "color": face.color, "laid": number, "most": EACH})
    if not on_line(title, order.hex) or not follows_line(title, order.hex, face):
        yield Failure("power.line", facts)


# ---- Area Redevelopment and Area Improvements ------------------------------------------------------------------------


def _changeable(title: Title, state: State, private: PrivateId, hex: HexId) -> bool:
    """True if the hex has no tile yet, and has the kind of station that the private changes."""
    there = title.map.hexes[hex]
    return there.buildable and hex not in state.board.tiles and kind_of(there.face) == STATIONS[private][0]


def _check_station(title: Title, state: State, company: CompanyId, order: Lay) -> Iterator[Failure]:
    """Check for a yellow tile that changes the kind of the hex: plain track in place of a major station, or a major
    station in place of a minor one."""  # rule 9.8
    assert order.using is not None
    old, new = STATIONS[order.using]
    tile, hex = title.map.tiles[order.tile], title.map.hexes[order.hex]
    face = tile.face.turned(order.rotation)
    facts: dict[str, Fact] = {"hex": order.hex, "tile": order.tile}
    if not _changeable(title, state, order.using, order.hex):
        yield Failure("power.hex", {**facts, "private": order.using, "kind": old})
        return
    if old == "city" and order.hex in _marked(state):
        yield Failure("power.marker", {"hex": order.hex})
    if not _is(face, YELLOW, new) or tile.overlay:
        yield Failure("power.tile", {**facts, "private": order.using, "kind": new})
    if tile.count is not None and state.board.in_play(order.tile) >= tile.count:
        yield Failure("lay.used_up", {**facts, "count": tile.count})
    yield from _check_edges(title, order)
    found = reach_for(title, state, company, "lay")
    yield from check_joined(title, state, company, hex, order.tile, order.rotation % 6, frozenset(), found)


def _check_edges(title: Title, order: Lay) -> Iterator[Failure]:
    """Refuse a tile with track that leads off the map or into a side that no track may touch."""
    exits, shut = title.map.tiles[order.tile].face.turned(order.rotation).exits, _shut(title, order.hex)
    astray = tuple(sorted(e for e in exits if e not in title.map.hexes[order.hex].neighbors or e in shut))
    if astray:
        edges = tuple(title.map.edge_names[e] for e in astray)
        facts: dict[str, Fact] = {"hex": order.hex, "tile": order.tile, "rotation": order.rotation}
        yield Failure("lay.edge", {**facts, "edges": edges, "allowed": ()})


def _marked(state: State) -> frozenset[HexId]:
    """The hexes with any marker: of a company, the LPTB, the mail or the pirate."""
    pirate: tuple[HexId, int] | None = mark(state, PIRATE_AT, None)
    mail: tuple[HexId, ...] = mark(state, MAIL_AT, ())
    own = (hex for hex, cities in state.board.markers.items() if any(cities))
    return frozenset((*own, *mail, *(() if pirate is None else (pirate[0],))))


def _shut(title: Title, hex: HexId) -> frozenset[int]:
    """The sides of the hex that no track may touch, whether closed in this hex or in its neighbor."""
    here, hexes = title.map.hexes[hex], title.map.hexes
    across = (e for e, other in here.neighbors.items() if (e + 3) % 6 in hexes[other].closed_edges)
    return here.closed_edges.union(across)


Check = Callable[[Title, State, CompanyId, Lay], Iterator[Failure]]
CHECKS: Final[Mapping[PrivateId, Check]] = MappingProxyType(
    {
        REDEVELOPMENT: _check_station,
        IMPROVEMENTS: _check_station,
        TUNNEL: _check_tunnel,
        NECROPOLIS: _check_necropolis,
    }
)
"""The check for each private that lays tiles in a company's turn."""
