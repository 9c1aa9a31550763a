"""The map and the tile catalogue from a file of facts and its companion of first lays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

from engine.board.map import End, Face, Hex, Map, Stop, Tile
from engine.core.ids import HexId, TileId
from engine.facts.borders import borders, both_banks, closed, one_sided
from engine.facts.file import Facts
from engine.facts.tile_fit import first_lays, fitting

COLORS = frozenset({"white", "yellow", "green", "brown", "gray", "red", "blue", "purple"})
STOPS = (("cities", "city", "c"), ("passes", "pass", "p"), ("towns", "town", "t"), ("offboards", "offboard", "o"))
SPECIAL_STOPS = frozenset({("offboard", "mountain"), ("town", "port"), ("city", "offboard")})
NARROW, TERMINAL, FUTURE = {"gauge": "narrow"}, {"terminal": True}, {"future": True}
"""The attributes of a piece of track, of which it has one at most."""
_END = re.compile(r"([a-z]?)([0-9])")

Path: TypeAlias = tuple[End, End]
Rotations = Mapping[TileId, tuple[int, ...]]


@lru_cache(maxsize=8)
def load_map(facts: Facts, lays: Facts, blind_ends: bool = False) -> Map:
    """The map of a title. ``blind_ends``: track may end at a barrier that is printed on the other side alone.
    ``FactsError`` where neighbours, tile numbers or ends of track do not hold."""
    layout = facts.section("layout", dict)
    edges = facts.get(layout, "edges", list, "layout")
    deltas = tuple((int(dx), int(dy)) for dx, dy in facts.get(layout, "edge_deltas", list, "layout"))
    facts.need(len(edges) == 6 and len(deltas) == 6, "a hex has six edges", "layout")
    hexes = {}
    for entry in facts.section("hexes", list):
        hex = _hex(facts, entry)
        facts.need(hex.id not in hexes, "is listed twice", "hexes", hex.id)
        hexes[hex.id] = hex
    _check_grid(facts, hexes, deltas)
    hexes = both_banks(facts, hexes)
    from_across = one_sided(facts, hexes)
    if not blind_ends:
        hexes = closed(hexes, from_across)
    tiles = {TileId(n): _tile(facts, n, entry) for n, entry in facts.section("tiles", dict).items()}
    upgrades = _upgrades(facts, facts.section("upgrades", dict), tiles, "upgrades")
    merging = _upgrades(facts, facts.data.get("merging_upgrades", {}), tiles, "merging_upgrades")
    upgrades = {**upgrades, **{old: {**upgrades.get(old, {}), **new} for old, new in merging.items()}}
    return Map(
        flat=facts.get(layout, "orientation", str, "layout") == "flat",
        edge_names=tuple(edges),
        edge_deltas=deltas,
        hexes=hexes,
        tiles=tiles,
        upgrades=upgrades,
        relabelled=_relabelled(facts, hexes, tiles, upgrades),
        first_lays=_first_lays(lays, hexes, tiles),
        cities_apart=facts.section("rules", dict).get("cities_of_a_hex") == "apart",
        blind_ends=from_across if blind_ends else frozenset(),
    )


@lru_cache(maxsize=8)
def unlaid(facts: Facts) -> Map:
    """The map and the tiles alone: without first lays and, if the file lists none, without upgrades."""
    data = {**facts.data, "upgrades": facts.data.get("upgrades", {})}
    return load_map(replace(facts, data=data), _lays(facts, {}), True)


@lru_cache(maxsize=8)
def complete(facts: Facts) -> tuple[Facts, Facts]:
    """The facts with the upgrades of every tile, and the first lays of every hex. What the file does not list of them
    (``upgrades`` by tile, ``lays`` by hex) follows from colours, labels, stops and track."""
    map, listed = unlaid(facts), facts.data.get("upgrades", {})
    free = (tile for tile in map.tiles.values() if tile.id not in listed and not tile.overlay)
    upgrades = {**listed, **{tile.id: _as_lists(fitting(tile.face, tile.face.label, map.tiles)) for tile in free}}
    rows = {str(hex.id): _as_lists(found) for hex, found in first_lays(map.hexes.values(), map.tiles)}
    full = replace(facts, data={**facts.data, "upgrades": upgrades})
    return full, _lays(facts, {**rows, **facts.data.get("lays", {})})


def _as_lists(fitting: Rotations) -> dict[str, list[int]]:
    """Tiles and rotations as a file has them."""
    return {str(tile): list(turns) for tile, turns in fitting.items()}


def _lays(facts: Facts, rows: Mapping[str, Any]) -> Facts:
    return Facts(facts.name, facts.text, {"lays": rows})


def _hex(facts: Facts, entry: Any) -> Hex:
    coord = facts.get(entry, "coord", str, "hexes")
    place = ("hexes", coord)
    future = entry.get("future_label")
    shut = frozenset(facts.number(e, "a closed edge", *place) for e in entry.get("closed_edges", ()))
    walls, crossings = borders(facts, entry, place)
    return Hex(
        id=HexId(coord),
        x=facts.get(entry, "x", int, *place),
        y=facts.get(entry, "y", int, *place),
        name=entry.get("name", ""),
        face=_face(facts, entry, place),
        neighbors={
            facts.number(e, "an edge", *place): HexId(n) for e, n in facts.get(entry, "neighbors", dict, *place).items()
        },
        closed_edges=shut | walls,
        walls=walls,
        crossings=crossings,
        closed_until=str(entry.get("closed_until_phase", "")),
        future_label=(
            (facts.get(future, "label", str, *place), facts.get(future, "from_color", str, *place)) if future else None
        ),
    )


def _face(facts: Facts, entry: Any, place: tuple[str, ...]) -> Face:
    entry = _with_spaces(entry)
    color = facts.get(entry, "color", str, *place)
    facts.need(color in COLORS, f"unknown colour {color!r}; there are: {', '.join(sorted(COLORS))}", *place)
    sizes = {letter: len(entry.get(key, ())) for key, _, letter in STOPS}
    paths: list[Path] = []
    tunnels: list[Path] = []
    terminal: list[Path] = []
    later: set[End] = set()
    for given in entry.get("paths", ()):
        facts.need(isinstance(given, list) and len(given) in (2, 3), f"track cannot be {given!r}", *place)
        path = (_end(facts, given[0], sizes, place), _end(facts, given[1], sizes, place))
        attributes = given[2] if len(given) == 3 else {}
        facts.need(attributes in ({}, NARROW, TERMINAL, FUTURE), f"track cannot have {attributes!r}", *place)
        if attributes == FUTURE:
            later.update(path)
            continue
        paths.append(path)
        if attributes == NARROW:
            tunnels.append(path)
        if attributes == TERMINAL:
            facts.need(any(kind == "c" for kind, _ in path), "terminal track ends in a city", *place)
            terminal.append(path)
    stems = {end for path in terminal for end in path if end[0] == "c"}
    several = [path for path in paths if stems.intersection(path) and path not in terminal]
    facts.need(not several, "a city has terminal track only, or none", *place)
    hidden = {(kind, i) for kind, i in later if kind != "e"} - {end for path in paths for end in path}
    stops = {key: _stops(facts, entry, key, kind, letter, hidden, place) for key, kind, letter in STOPS}
    return Face(
        color=color,
        cities=stops["cities"] + stops["passes"],
        towns=stops["towns"],
        offboards=stops["offboards"],
        paths=tuple(paths),
        label=str(entry.get("label", "")),
        terrain=sum(facts.get(t, "cost", int, *place) for t in entry.get("terrain", ())),
        ground=next((str(t["type"]) for t in entry.get("terrain", ()) if t.get("type")), ""),
        tunnels=tuple(tunnels),
        stems=frozenset(i for _, i in stems),
    )


def _with_spaces(entry: Any) -> Any:
    """The entry of a hex or tile whose off-board areas have spaces for markers (``slots``, also none): these lie in the
    map as cities do, and keep their kind."""
    areas = entry.get("offboards", ())
    if not any("slots" in area for area in areas):
        return entry
    cities = [area | {"kind": area.get("kind", "offboard")} for area in areas]
    paths = [[str(end).replace("o", "c") if isinstance(end, str) else end for end in path] for path in entry["paths"]]
    return entry | {"cities": cities, "offboards": [], "paths": paths}


def _stops(
    facts: Facts, entry: Any, key: str, kind: str, letter: str, hidden: set[End], place: tuple[str, ...]
) -> tuple[Stop, ...]:
    """Stops of one sort without those that are ``hidden``: drawn for track that comes later, with that track."""
    given = entry.get(key, ())
    shown = [i for i in range(len(given)) if (letter, i) not in hidden]
    facts.need(shown == list(range(len(shown))), "a stop for later track must come after the others", *place)
    return tuple(_stop(facts, kind, given[i], place) for i in shown)


def _stop(facts: Facts, kind: str, entry: Any, place: tuple[str, ...]) -> Stop:
    names = facts.names()
    groups = entry.get("groups", ())
    special = "port" if entry.get("port") else entry.get("kind", kind)
    facts.need(special == kind or (kind, special) in SPECIAL_STOPS, f"a stop cannot be a {special!r}", *place)
    return Stop(
        kind=special,
        revenue=facts.get(entry, "revenue", (int, dict), *place),
        slots=entry.get("slots", 0),
        reserved_for=tuple(names.get(sym, sym) for sym in entry.get("reserved_for", ())),
        group=groups[0] if groups else "",
    )


def _end(facts: Facts, text: Any, sizes: Mapping[str, int], place: tuple[str, ...]) -> End:
    """An end as written: ``"3"`` an edge, ``"c0"`` a city and so on; a pass ``"p0"`` comes after the cities."""
    match = _END.fullmatch(str(text))
    facts.need(match, f"track ends in {text!r}, which is no edge and no stop", *place)
    assert match is not None
    kind, number = match[1] or "e", int(match[2])
    there = 6 if kind == "e" else sizes.get(kind, 0)
    facts.need(number < there, f"track ends in {text!r}, which the hex or tile does not have", *place)
    return ("c", sizes["c"] + number) if kind == "p" else (kind, number)


def _tile(facts: Facts, number: str, entry: Any) -> Tile:
    place = ("tiles", number)
    count = facts.get(entry, "count", (int, str), *place)
    facts.need(isinstance(count, int) or count == "unlimited", f"count cannot be {count!r}", *place)
    amount = count if isinstance(count, int) else None
    return Tile(TileId(number), _face(facts, entry, place), amount, overlay="use" in entry)


def _check_grid(facts: Facts, hexes: Mapping[HexId, Hex], deltas: tuple[tuple[int, int], ...]) -> None:
    """Neighbours are where the coordinates say, and each of two hexes knows the other."""
    at = {(h.x, h.y): h.id for h in hexes.values()}
    for hex in hexes.values():
        found = {e: at[p] for e, (dx, dy) in enumerate(deltas) if (p := (hex.x + dx, hex.y + dy)) in at}
        for edge in sorted(set(found) | set(hex.neighbors)):
            given, right = hex.neighbors.get(edge), found.get(edge)
            facts.need(given == right, f"the neighbour across edge {edge} is {right}, not {given}", "hexes", hex.id)
        facts.need(hex.closed_edges <= set(range(6)), "a closed edge is no edge", "hexes", hex.id)
        loose = sorted(hex.face.exits - set(hex.neighbors))
        facts.need(not loose, f"printed track leaves the map by edge {loose}", "hexes", hex.id)


def _known(facts: Facts, name: str, there: Mapping[Any, Any], *place: str) -> None:
    facts.need(name in there, "is not known", *place, name)


def _upgrades(
    facts: Facts, given: Mapping[str, Mapping[str, list[int]]], tiles: Mapping[TileId, Tile], *place: str
) -> Mapping[TileId, Rotations]:
    for old in given:
        _known(facts, old, tiles, *place)
    return {TileId(old): _rotations(facts, new, tiles, *place, old) for old, new in given.items()}


def _relabelled(
    facts: Facts,
    hexes: Mapping[HexId, Hex],
    tiles: Mapping[TileId, Tile],
    upgrades: Mapping[TileId, Rotations],
) -> Mapping[HexId, Mapping[TileId, Rotations]]:
    """Upgrades in hexes that get a label: those to the first tile with it as the file has them, and from there on those
    that every tile with the label has."""
    found: dict[HexId, Mapping[TileId, Rotations]] = {}
    for coord, given in facts.data.get("relabelled_upgrades", {}).items():
        _known(facts, coord, hexes, "relabelled_upgrades")
        future = hexes[HexId(coord)].future_label
        further = {t: u for t, u in upgrades.items() if future and tiles[t].face.label == future[0]}
        found[HexId(coord)] = {**further, **_upgrades(facts, given, tiles, "relabelled_upgrades", coord)}
    return found


def _rotations(facts: Facts, given: Mapping[str, list[int]], tiles: Mapping[TileId, Tile], *place: str) -> Rotations:
    for number, turns in given.items():
        _known(facts, number, tiles, *place)
        facts.need(all(0 <= r < 6 for r in turns), f"tile {number}: rotations are 0 to 5, not {turns}", *place)
    return {TileId(n): tuple(turns) for n, turns in given.items()}


def _first_lays(lays: Facts, hexes: Mapping[HexId, Hex], tiles: Mapping[TileId, Tile]) -> Mapping[HexId, Rotations]:
    """The first lays of every hex, but for those that would end at a closed side."""
    given = lays.section("lays", dict)
    for coord in given:
        _known(lays, coord, hexes, "lays")
    found = {HexId(coord): _rotations(lays, new, tiles, "lays", coord) for coord, new in given.items()}
    return {
        id: {
            t: tuple(r for r in turns if not tiles[t].face.turned(r).exits & hexes[id].closed_edges)
            for t, turns in new.items()
        }
        for id, new in found.items()
    }
