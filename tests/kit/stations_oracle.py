"""Runs between stations worked out the slow way, with every set of runs tried: loops, trains with held ends, bonuses of
whole runs, claims, tolls, and runs that hang together. Nothing is shared with ``engine.routes`` but its questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

from engine.board.board import Board
from engine.board.map import Face, Map, Stop
from engine.core.ids import CompanyId, HexId, TrainName
from engine.routes.bonuses import AllBonus, Claim, EndsBonus, RingBonus, RouteBonus
from engine.routes.reach import RunTraits, TrainReach
from engine.routes.run_sets import Linked
from tests.kit.routes_oracle import Place, Walk, all_stops, blocked, clash, onward, stem, stop_of

STATIONS = frozenset({"city", "offboard"})
HELD = TrainReach(3, frozenset(), never=frozenset({"town"}), held_ends=True, open_ends=frozenset({"offboard"}))
REACHES = (
    TrainReach(2, STATIONS, free=frozenset({"town"})),
    TrainReach(3, STATIONS, free=frozenset({"town"})),
    TrainReach(4, STATIONS, free=frozenset({"town"})),
    replace(HELD, double_end=True),
    replace(HELD, stops=4, double_end=True),
    replace(HELD, stops=2),
)


def walks(board: Board, company: CompanyId, most: int) -> list[Walk] | None:
    """Every way from station to station that begins in order of the stops, loops too, but for what the train says; None
    where there are more than ``most``."""
    found: dict[tuple[frozenset[object], frozenset[Place]], Walk] = {}
    order = {place: n for n, place in enumerate(all_stops(board))}
    met = 0

    def station(place: Place) -> bool:
        return stop_of(board, place).kind in STATIONS

    def ends(place: Place) -> bool:
        return place[1] == "o" or blocked(board, company, place) or bool(stem(board, place))

    def note(walk: Walk) -> None:
        own = any(k == "c" and company in board.circles(h)[i] for h, k, i in walk.stops)
        if (
            own
            and len({p for p in walk.stops if station(p)}) > 1
            and station(walk.stops[0])
            and station(walk.stops[-1])
        ):
            found.setdefault((walk.sides, frozenset(walk.stops)), walk)

    def go(walk: Walk) -> bool:
        nonlocal met
        hex, kind, index = walk.stops[-1]
        if len(walk.stops) > 1 and ends(walk.stops[-1]):
            return True
        for longer in onward(board, walk, hex, (kind, index)):
            met += 1
            if met > 40 * most or len(found) > most:
                return False
            new, before = longer.stops[-1], longer.stops[-2]
            if len(longer.hexes) == len(walk.hexes):
                piece = frozenset((hex, -10 - 10 * "cto".index(kind) - number) for _, kind, number in (before, new))
                if piece in walk.sides:
                    continue
                longer = replace(longer, sides=longer.sides | {piece})
            if new == longer.stops[0] and kind_may_close(board, new) and len(longer.stops) > 2:
                note(longer)
            elif not any(clash(board, new, old) for old in walk.stops):
                if order[new] > order[longer.stops[0]]:
                    tips = stem(board, longer.stops[0]) | stem(board, new)
                    note(replace(longer, sides=longer.sides | tips))
                if not go(longer):
                    return False
        return True

    for start in all_stops(board):
        if station(start) and not go(Walk((start,), (0,), (start[0],), frozenset())):
            return None
    return list(found.values())


def kind_may_close(board: Board, place: Place) -> bool:
    return place[1] == "c" and not stem(board, place)


def value(board: Board, traits: RunTraits, reach: TrainReach, walk: Walk) -> int | None:
    """The worth of the run without claims; None where the train may not make it."""
    ends, touched = (walk.stops[0], walk.stops[-1]), set(walk.stops)

    def pay(place: Place) -> int:
        return stop_of(board, place).value(traits.color)

    cities = [p for p in touched if stop_of(board, p).kind in STATIONS]
    if walk.stops[0] == walk.stops[-1] and not traits.loops:
        return None
    if reach.held_ends:
        held = [p for p in ends if p[1] == "o" or traits.company in board.circles(p[0])[p[2]]]
        if len(held) < 2 or ends[0] == ends[1]:
            return None
        others = [p for p in cities if p not in ends]
        room = min(len(others), reach.stops - 2)
        total = sum(map(pay, ends)) + max(sum(map(pay, some)) for some in combinations(others, room))
        total += max(map(pay, ends)) if reach.double_end else 0
    else:
        if len(cities) > reach.stops:
            return None
        total = sum(map(pay, touched))
    hexes = {p[0] for p in touched}
    total += max([0, *(bonus.amount for bonus in traits.route_bonuses if earns(bonus, walk, hexes))])
    return total - sum(toll for hex, toll in traits.tolls if hex in hexes)


def earns(bonus: RouteBonus, walk: Walk, hexes: set[HexId]) -> bool:
    a, b = walk.stops[0][0], walk.stops[-1][0]
    if isinstance(bonus, EndsBonus):
        return any(x in bonus.one and y in bonus.other for x, y in ((a, b), (b, a)))
    if isinstance(bonus, AllBonus):
        return all(hexes & group for group in bonus.groups)
    return walk.stops[0] == walk.stops[-1] and set(walk.hexes) <= bonus.ring and turns(bonus, walk)


def turns(bonus: RingBonus, walk: Walk) -> bool:
    """True if the walk goes round the centre, by the sixths that it turns: neighbours of the centre lie on a circle."""
    spots = [(0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)]
    at = dict(bonus.places)
    x, y = bonus.centre
    there = [spots.index((at[hex][0] - x, at[hex][1] - y)) for hex in walk.hexes]
    steps = [(b - a + 3) % 6 - 3 for a, b in pairwise(there)]
    return sum(steps) != 0


def best_value(board: Board, traits: RunTraits, known: Sequence[Walk]) -> int:
    """By trying every set of runs and every way to claim."""
    options: list[list[tuple[int, frozenset[object], frozenset[Place]]]] = []
    for reach in traits.reaches:
        mine = []
        for walk in known:
            earned = value(board, traits, reach, walk)
            if earned is None:
                continue
            hexes = {p[0] for p in walk.stops}
            mine.append((earned, frozenset[object](walk.sides), frozenset(walk.stops)))
            for claim in traits.claims:
                if hexes.issuperset(claim.hexes):
                    used = frozenset[object](walk.sides) | frozenset[object](claim.hexes)
                    mine.append((earned + claim.amount, used, frozenset(walk.stops)))
        options.append(mine)

    def go(at: int, used: frozenset[object], earned: int, runs: tuple[frozenset[Place], ...]) -> int:
        if at == len(options):
            due = [toll for hex, toll in [traits.toll_once or ("", 0)] if any(hex == p[0] for run in runs for p in run)]
            return earned - sum(due) if traits.together is None or joined(runs) else 0
        best = go(at + 1, used, earned, runs)
        for more, sides, stops in options[at]:
            if not used & sides:
                best = max(best, go(at + 1, used | sides, earned + more, (*runs, stops)))
        return best

    return go(0, frozenset(), 0, ())


def joined(runs: Sequence[frozenset[Place]]) -> bool:
    if not runs:
        return True
    reached, left = set(runs[0]), list(runs[1:])
    while more := [run for run in left if reached & run]:
        reached.update(*more)
        left = [run for run in left if run not in more]
    return not left


def with_areas(map: Map, random: Random, size: int) -> tuple[Map, HexId]:
    """The map with off-board areas in the midst of it, round the hex that is answered."""
    centre = random.choice([h.id for h in map.hexes.values() if h.face.cities and h.face.color != "gray"])
    near = sorted(map.hexes, key=lambda h: (map.distance(centre, h), h))[1 : size + 1]
    hexes = dict(map.hexes)
    for hex in random.sample(near, min(len(near), random.randrange(3))):
        joined = map.hexes[hex].neighbors.items()
        open = [edge for edge, other in sorted(joined) if (edge + 3) % 6 not in map.hexes[other].closed_edges]
        paths = tuple((("e", edge), ("o", 0)) for edge in open)
        face = Face("red", offboards=(Stop("offboard", random.choice([20, 50])),), paths=paths)
        hexes[hex] = replace(hexes[hex], face=face)
    tiles = dict(map.tiles)
    if random.random() < 0.5:
        tiles = {
            name: replace(tile, face=replace(tile.face, stems=frozenset({0})))
            if len(tile.face.cities) == 1 and random.random() < 0.1
            else tile
            for name, tile in map.tiles.items()
        }
    return replace(map, hexes=hexes, tiles=tiles), centre


def random_traits(board: Board, random: Random, company: CompanyId, centre: HexId) -> RunTraits:
    """Trains of both kinds, with bonuses, claims and tolls that fall on the board."""
    chosen = [random.choice(REACHES) for _ in range(random.randrange(1, 4))]
    hexes = sorted({hex for hex, _, _ in all_stops(board) if board.face(hex).paths and hex in near_of(board, centre)})

    def some() -> frozenset[HexId]:
        return frozenset(random.sample(hexes, min(len(hexes), random.randrange(1, 4))))

    bonuses: list[RouteBonus] = []
    if hexes:
        bonuses += [EndsBonus(some(), some(), 30) for _ in range(2) if random.random() < 0.4]
        bonuses += [AllBonus((some(), some(), some()), 50)] if random.random() < 0.4 else []
    round = tuple(board.map.hexes[centre].neighbors.values())
    if len(round) == 6:
        places = tuple((hex, (board.map.hexes[hex].x, board.map.hexes[hex].y)) for hex in round)
        bonuses.append(RingBonus(frozenset(round), places, (board.map.hexes[centre].x, board.map.hexes[centre].y), 40))
    claims: tuple[Claim, ...] = ()
    if len(hexes) > 1 and random.random() < 0.5:
        a, b = random.sample(hexes, 2)
        claims = Claim((a,), 10), Claim((b,), 10), Claim((a, b), random.choice([40, 60]))
    return RunTraits(
        company,
        tuple(TrainName(f"T{REACHES.index(r)}") for r in chosen),
        tuple(chosen),
        "green",
        termini=STATIONS,
        loops=random.random() < 0.8,
        route_bonuses=tuple(bonuses),
        claims=claims,
        tolls=tuple((hex, 5) for hex in hexes[:1] if random.random() < 0.3),
        together=Linked() if random.random() < 0.7 else None,
        toll_once=(random.choice(hexes), random.choice([5, 40])) if hexes and random.random() < 0.4 else None,
    )


def near_of(board: Board, centre: HexId) -> set[HexId]:
    return {hex for hex in board.map.hexes if board.map.distance(centre, hex) < 4}
