"""Runs worked out the slow way, from the hexes as they lie and with every choice tried: to hold the engine against.

Nothing here is shared with ``engine.routes`` but its questions (``RunTraits``): no graph, no masks, no bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from random import Random

from engine.board.board import Board
from engine.board.map import Face, Map, Stop
from engine.core.ids import CompanyId, HexId, TrainName
from engine.routes.reach import PairBonus, RunTraits, TrainReach, TransitArea

Place = tuple[HexId, str, int]
"""A stop: its hex, its kind of end (c, t, o) and its number there."""


@dataclass(frozen=True)
class Walk:
    """A way along track: its stops and where they are among its hexes, all hexes in order, the sides it crosses, and
    whether it uses a tunnel."""

    stops: tuple[Place, ...]
    at: tuple[int, ...]
    hexes: tuple[HexId, ...]
    sides: frozenset[frozenset[tuple[HexId, int]]]
    bored: bool = False


def stop_of(board: Board, place: Place) -> Stop:
    hex, kind, index = place
    face = board.face(hex)
    return {"c": face.cities, "t": face.towns, "o": face.offboards}[kind][index]


def all_stops(board: Board) -> Iterator[Place]:
    for hex in board.map.hexes:
        face = board.face(hex)
        for kind, stops in (("c", face.cities), ("t", face.towns), ("o", face.offboards)):
            for index in range(len(stops)):
                yield hex, kind, index


def onward(board: Board, walk: Walk, hex: HexId, end: tuple[str, int]) -> Iterator[Walk]:
    """Every way from ``end`` inside ``hex`` to the next stop."""
    for path in board.face(hex).paths:
        for here, there in (path, path[::-1]):
            if here != end:
                continue
            bored = walk.bored or path in board.face(hex).tunnels
            if there[0] != "e":
                here_now = len(walk.hexes) - 1
                yield Walk((*walk.stops, (hex, *there)), (*walk.at, here_now), walk.hexes, walk.sides, bored)
                continue
            beyond = board.map.hexes[hex].neighbors.get(there[1])
            if beyond is None or there[1] in board.map.hexes[hex].closed_edges:
                continue
            far = (there[1] + 3) % 6
            side = frozenset(((hex, there[1]), (beyond, far)))
            if side not in walk.sides:
                longer = Walk(walk.stops, walk.at, (*walk.hexes, beyond), walk.sides | {side}, bored)
                yield from onward(board, longer, beyond, ("e", far))


def blocked(board: Board, company: CompanyId, place: Place) -> bool:
    hex, kind, index = place
    there = board.circles(hex)[index] if kind == "c" else ()
    most = 1 if board.map.any_marker_blocks else stop_of(board, place).slots
    return kind == "c" and company not in there and len(there) >= most


def clash(board: Board, a: Place, b: Place) -> bool:
    """Whether one route may not touch both."""
    one, other = stop_of(board, a), stop_of(board, b)
    return (
        a == b
        or (a[1] == b[1] == "c" and a[0] == b[0] and not board.map.cities_apart)
        or (a[1] == b[1] == "o" and bool(one.group) and one.group == other.group)
    )


def stem(board: Board, place: Place) -> frozenset[frozenset[tuple[HexId, int]]]:
    """What only one run may use of a city that has one stem for all its track."""
    hex, kind, index = place
    return frozenset({frozenset({(hex, -1 - index)})} if kind == "c" and index in board.face(hex).stems else ())


def walks(board: Board, company: CompanyId) -> list[Walk]:
    """Every legal route but for what the train says, in both directions."""
    found: list[Walk] = []

    def go(walk: Walk) -> None:
        hex, kind, index = walk.stops[-1]
        ends = kind == "o" or blocked(board, company, walk.stops[-1]) or stem(board, walk.stops[-1])
        if len(walk.stops) > 1 and ends:
            return
        for longer in onward(board, walk, hex, (kind, index)):
            new = longer.stops[-1]
            if not any(clash(board, new, old) for old in walk.stops):
                if any(k == "c" and company in board.circles(h)[i] for h, k, i in longer.stops):
                    tips = stem(board, longer.stops[0]) | stem(board, new)
                    found.append(replace(longer, sides=longer.sides | tips))
                go(longer)

    for start in all_stops(board):
        go(Walk((start,), (0,), (start[0],), frozenset()))
    return found


def value(board: Board, traits: RunTraits, reach: TrainReach, walk: Walk) -> int | None:
    """Try every set of stops that could count; None where there is none."""
    if not allowed(board, traits, reach, walk):
        return None
    must = {p for p in walk.stops if stop_of(board, p).kind in reach.must_count}
    free = {p for p in walk.stops if stop_of(board, p).kind in reach.free} - must
    if reach.ends_count:
        must |= {walk.stops[0], walk.stops[-1]} - free
    rest = [p for p in walk.stops if p not in must | free]
    best: int | None = None
    for more in chain.from_iterable(combinations(rest, n) for n in range(len(rest) + 1)):
        counted = must.union(more)
        if len(counted) > reach.stops or len(counted | free) < 2:
            continue
        own = any(k == "c" and traits.company in board.circles(h)[i] for h, k, i in counted)
        if reach.own_marker_counts and not own:
            continue
        hexes, touched = {p[0] for p in counted | free}, {p[0] for p in walk.stops}
        total = sum(stop_of(board, p).value(traits.color) for p in counted | free)
        total += sum(amount for places, amount in traits.hex_bonuses if hexes & set(places))
        for pair in traits.pair_bonuses:
            if pair.hex in hexes and pair.other in (hexes if pair.both_counted else touched):
                total += pair.amount
        if walk.bored:
            total += traits.tunnel_bonus * len(counted)
        met = [area for area in traits.transit if hexes & set(area.hexes)]
        for a, b in combinations(met, 2):
            if {a.side, b.side} in ({"N", "S"}, {"E", "W"}):
                total += a.amount + b.amount
        if best is None or total * reach.multiplier > best:
            best = total * reach.multiplier
    return best


def allowed(board: Board, traits: RunTraits, reach: TrainReach, walk: Walk) -> bool:
    """Whether the train may go along the walk at all, however long it is in stops."""
    if reach.hexes is not None and len(walk.hexes) > reach.hexes:
        return False
    own = [p for p in walk.stops if p[1] == "c" and traits.company in board.circles(p[0])[p[2]]]
    if not any(stop_of(board, place).kind in traits.marker_in for place in own):
        return False
    if traits.stations and sum(stop_of(board, place).kind in traits.stations for place in walk.stops) < 2:
        return False
    if any(board.face(hex).color in reach.shuns for hex in walk.hexes):
        return False
    if any(stop_of(board, place).kind in reach.avoids for place in walk.stops):
        return False
    ends = [place for place in walk.stops if place[1] == "o"]
    needy = [s for s in (stop_of(board, place) for place in ends) if s.kind in traits.ends_need_value]
    if any(stop.value(traits.color) == 0 for stop in needy):
        return False
    sides = [area.side for hex, _, _ in ends for area in traits.transit if hex in area.hexes]
    return not traits.same_side_refused or len(sides) == len(set(sides))


def best_value(board: Board, traits: RunTraits, known: list[Walk]) -> int:
    """What the best set of runs earns, by trying all of them."""
    valued = []
    for reach in traits.reaches:
        best: dict[frozenset[frozenset[tuple[HexId, int]]], int] = {frozenset(): 0}
        for walk in known:
            earned = value(board, traits, reach, walk)
            if earned is not None:
                best[walk.sides] = max(best.get(walk.sides, 0), earned)
        valued.append(best)

    def go(at: int, used: frozenset[frozenset[tuple[HexId, int]]]) -> int:
        if at == len(valued):
            return 0
        return max(v + go(at + 1, used | sides) for sides, v in valued[at].items() if not used & sides)

    return go(0, frozenset())


def means(names: Sequence[HexId], walk: Walk) -> bool:
    """Whether ``names`` can be read as ``walk``: in order, ends named, no city or area left out."""
    needed = {at for at, (_, kind, _) in zip(walk.at, walk.stops, strict=True) if kind != "t"} | {
        walk.at[0],
        walk.at[-1],
    }
    reached = {0}
    for at, hex in enumerate(walk.hexes):
        named = {i + 1 for i in reached if i < len(names) and names[i] == hex}
        reached = named if at in needed else named | reached
    return len(names) in reached


def random_board(map: Map, random: Random, company: CompanyId, size: int, centre: HexId | None = None) -> Board:
    """``size`` hexes around a city with any tiles whatever was there, those that join best of a few, and markers."""
    centre = centre or random.choice([h.id for h in map.hexes.values() if h.face.cities and h.face.color != "gray"])
    near = sorted(map.hexes, key=lambda h: (map.distance(centre, h), h))[:size]
    board = Board.start(map)
    tiles = sorted(tile.id for tile in map.tiles.values() if tile.face.paths)
    for hex in near:
        if map.hexes[hex].buildable and random.random() < 0.95:
            tries = [(random.choice(tiles), random.randrange(6)) for _ in range(12)]
            board = max((board.lay(hex, *one) for one in tries), key=lambda b: _joined(b, hex))
    cities = [(h, i) for h in near for i, _ in enumerate(board.face(h).cities) if board.face(h).paths]
    for hex, i in cities:
        while board.free(hex, i) and random.random() < 0.4:
            board = board.place(hex, i, CompanyId(f"other{random.randrange(10**6)}"))
    own = [(h, i) for h, i in cities if board.free(h, i)]
    for hex, i in random.sample(own, min(len(own), random.randrange(1, 4))):
        if not any(h == hex for h, _ in board.places_of(company)):
            board = board.place(hex, i, company)
    return board


def _joined(board: Board, hex: HexId) -> int:
    """How many exits of the hex meet track, and how many exits there are, to break ties."""
    exits, neighbors = board.face(hex).exits, board.map.hexes[hex].neighbors
    meeting = [e for e in exits if e in neighbors and (e + 3) % 6 in board.face(neighbors[e]).exits]
    return 10 * len(meeting) + len(exits)


def random_traits(board: Board, random: Random, company: CompanyId) -> RunTraits:
    """Trains of several kinds with bonuses that fall on the board."""
    reaches = [
        TrainReach(random.randrange(2, 5)),
        TrainReach(2, multiplier=2),
        TrainReach(3, frozenset({"offboard"}), 2, True, False),
        TrainReach(3, frozenset(), 2, False, False),
        TrainReach(2, frozenset({"offboard"}), 1, True),
    ]
    chosen = [random.choice(reaches) for _ in range(random.randrange(1, 4))]
    hexes = sorted(board.tiles)
    bonuses = tuple((tuple(random.sample(hexes, min(len(hexes), n))), 10 * n) for n in (1, 2) if random.random() < 0.5)
    pairs = tuple(
        PairBonus(random.choice(hexes[:-1]), hexes[-1], 40, random.random() < 0.5)
        for _ in range(2)
        if len(hexes) > 1 and random.random() < 0.6
    )
    names = tuple(TrainName(f"T{reaches.index(r)}") for r in chosen)
    return RunTraits(company, names, tuple(chosen), "green", bonuses, pairs)


def alpine(map: Map, random: Random, size: int) -> tuple[Map, HexId]:
    """The map with mountains and off-board areas in the midst of it, round the hex that is answered, with tunnels,
    and with the cities of a hex apart."""
    centre = random.choice([h.id for h in map.hexes.values() if h.face.cities and h.face.color != "gray"])
    near = sorted(map.hexes, key=lambda h: (map.distance(centre, h), h))[1 : size + 1]
    hexes = dict(map.hexes)
    for hex in random.sample(near, min(len(near), 4)):
        kind, color = random.choice([("mountain", "gray"), ("offboard", "gray"), *[("offboard", "red")] * 2])
        group = random.choice(["", "", "A"]) if kind == "offboard" else ""
        stop = Stop(kind, 30 if group else random.choice([0, 10, 50, 90]), group=group)
        joined = map.hexes[hex].neighbors.items()
        open = [edge for edge, other in sorted(joined) if (edge + 3) % 6 not in map.hexes[other].closed_edges]
        paths = tuple((("e", edge), ("o", 0)) for edge in open)
        hexes[hex] = replace(hexes[hex], face=Face(color, offboards=(stop,), paths=paths))
    tiles = {
        name: replace(tile, face=replace(tile.face, tunnels=tile.face.paths[: random.choice([0, 0, 1])]))
        for name, tile in map.tiles.items()
    }
    return replace(map, hexes=hexes, tiles=tiles, cities_apart=True), centre


ALL = frozenset({"city", "town", "offboard", "mountain"})
RED = frozenset({"red"})


def alpine_traits(board: Board, random: Random, company: CompanyId) -> RunTraits:
    """Trains of every kind, tunnels that pay, and areas at sides of the map that pay when joined."""
    reaches = [
        TrainReach(random.randrange(2, 6), ALL),
        TrainReach(4, ALL, hexes=4, shuns=RED),
        TrainReach(6, ALL, hexes=random.randrange(2, 8), shuns=RED),
        TrainReach(random.randrange(2, 5), frozenset(), 1, True, False),
        TrainReach(3, frozenset(), 1, True, False),
        TrainReach(3, frozenset({"offboard", "mountain"}), 2, True, False, 6),
        TrainReach(3, frozenset({"town"}), 1, False, True, 7, RED),
        TrainReach(4, ALL, hexes=5, shuns=RED, avoids=frozenset({"offboard"})),
    ]
    chosen = [random.choice(reaches) for _ in range(random.randrange(1, 4))]
    areas: dict[str, list[HexId]] = {}
    for hex in board.map.hexes:
        for stop in board.face(hex).offboards:
            if stop.kind == "offboard":
                areas.setdefault(stop.group or hex, []).append(hex)
    transit = tuple(
        TransitArea(tuple(hexes), random.choice("NNSE"), random.choice([30, 40, 50]))
        for hexes in areas.values()
        if random.random() < 0.9
    )
    return RunTraits(
        company,
        tuple(TrainName(f"T{reaches.index(r)}") for r in chosen),
        tuple(chosen),
        "green",
        tunnel_bonus=random.choice([0, 10, 10]),
        transit=transit,
        same_side_refused=random.random() < 0.5,
        ends_need_value=random.choice([frozenset(), frozenset({"mountain"}), frozenset({"mountain", "offboard"})]),
    )


def valleys(map: Map, random: Random) -> Map:
    """The map with passes in place of some cities and ports in place of some towns, and with cities of one stem."""
    tiles = {}
    for name, tile in map.tiles.items():
        face = tile.face
        if face.cities and random.random() < 0.4:
            face = replace(face, cities=tuple(replace(stop, kind="pass", revenue=0) for stop in face.cities))
        elif len(face.cities) == 1 and random.random() < 0.2:
            face = replace(face, stems=frozenset({0}))
        if face.towns and random.random() < 0.5:
            face = replace(face, towns=tuple(replace(stop, kind="port", revenue=40) for stop in face.towns))
        tiles[name] = replace(tile, face=face)
    return replace(map, tiles=tiles, cities_apart=random.random() < 0.5)


STATIONS = frozenset({"city", "town", "offboard"})
COUNTED = frozenset({"city", "offboard"})


def valley_traits(board: Board, random: Random, company: CompanyId) -> RunTraits:
    """Trains for which towns and ports are free, and for some of them passes; what makes a run legal varies."""
    free = frozenset({"town", "port"})
    reaches = [
        TrainReach(2, COUNTED | {"pass"}, free=free),
        TrainReach(3, COUNTED | {"pass"}, free=free),
        TrainReach(4, COUNTED | {"pass"}, free=free),
        TrainReach(3, COUNTED, free=free | {"pass"}),
        TrainReach(2, COUNTED, free=frozenset({"port", "pass"})),
    ]
    chosen = [random.choice(reaches) for _ in range(random.randrange(1, 4))]
    hexes = sorted(board.tiles)
    return RunTraits(
        company,
        tuple(TrainName(f"T{reaches.index(r)}") for r in chosen),
        tuple(chosen),
        "green",
        hex_bonuses=((tuple(random.sample(hexes, 1)), 10),) if random.random() < 0.2 else (),
        stations=random.choice([STATIONS, STATIONS, frozenset()]),
        marker_in=random.choice([frozenset({"city"}), frozenset({"city", "pass"})]),
    )
