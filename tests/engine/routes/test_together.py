"""Rules for the runs of a company as a set: in the verdict on declared runs, and in the best set and its proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random

import pytest

import engine
from engine.board.board import Board
from engine.core.checks import Failure
from engine.core.ids import CompanyId, HexId, TileId, TrainName
from engine.core.orders import Route
from engine.routes.graph import Graph, Track, graph_of
from engine.routes.legality import check_run
from engine.routes.optimum import best_run
from engine.routes.reach import RunTraits, TrainReach
from engine.routes.run_sets import against, apart
from tests.kit import routes_oracle as oracle
from tests.kit.samples import one_in

X = CompanyId("X")
MOST_WALKS = 40
"""Boards with more ways than these would take too long with every set tried."""
ENOUGH = 2
"""Refusals that are looked at."""


def hang_together(stops: Sequence[frozenset[object]]) -> bool:
    """Whether every set of stops can be reached from the first, each step to one that shares a stop."""
    reached, left = set(stops[0]), list(stops[1:])
    while joined := [one for one in left if not reached.isdisjoint(one)]:
        reached.update(*joined)
        left = [one for one in left if one not in joined]
    return not left


def connected(graph: Graph, tracks: Sequence[Track]) -> Failure | None:
    """As in a title in which all runs of a company must be connected with each other."""
    if hang_together([frozenset[object](track.stops) for track in tracks]):
        return None
    return Failure("run.not_connected", {"hexes": tuple(track.hexes(graph) for track in tracks)})


def never(graph: Graph, tracks: Sequence[Track]) -> Failure:
    return Failure("run.never")


def boards(first: int, last: int) -> Iterator[tuple[int, Board, RunTraits, list[oracle.Walk]]]:
    for seed in range(first, last):
        random = Random(seed)
        map = oracle.valleys(engine.load_title("1861").map, random)
        board = oracle.random_board(map, random, X, random.randrange(6, 14))
        traits = replace(oracle.valley_traits(board, random, X), together=connected)
        if len(traits.trains) < 2:
            continue
        known = list({frozenset(w.stops) | w.sides: w for w in oracle.walks(board, X)}.values())
        if 1 < len(known) <= MOST_WALKS:
            yield seed, board, traits, known


def best_connected(board: Board, traits: RunTraits, known: Sequence[oracle.Walk]) -> int:
    """By trying every set."""

    def go(at: int, chosen: tuple[oracle.Walk, ...], earned: int) -> int:
        best = earned if not chosen or hang_together([frozenset[object](w.stops) for w in chosen]) else 0
        if at == len(traits.reaches):
            return best
        used = frozenset(side for walk in chosen for side in walk.sides)
        best = max(best, go(at + 1, chosen, earned))
        for walk in known:
            value = oracle.value(board, traits, traits.reaches[at], walk)
            if value is not None and not used & walk.sides:
                best = max(best, go(at + 1, (*chosen, walk), earned + value))
        return best

    return go(0, (), 0)


@cache
def solved(first: int, last: int) -> list[tuple[int, Board, RunTraits, int]]:
    """Boards, with what the best set earns."""
    found = boards(first, last)
    return [(seed, board, traits, best_connected(board, traits, known)) for seed, board, traits, known in found]


@pytest.mark.parametrize("most", [20_000, 1], ids=["all routes listed", "priced first"])
@pytest.mark.parametrize("first", one_in(6, range(0, 180, 30)))
def test_the_best_set_obeys_the_rule_and_is_proven(first: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.routes.optimum._MANY", most)
    met = Counter[str]()
    for seed, board, traits, value in solved(first, first + 30):
        best = best_run(board, traits)
        assert (best.value, best.proven) == (value, True), seed
        checked = check_run(board, traits, best.routes)
        assert (checked.failures, checked.values) == ((), best.values), seed
        met["boards"] += 1
        met["less than without"] += best.value < best_run(board, replace(traits, together=None)).value
        met["several runs"] += len(best.routes) > 1
    assert met["boards"] > 4
    assert met["less than without"] > 0
    assert met["several runs"] > 0


def test_a_run_that_earns_nothing_may_join_two_others() -> None:
    """Four cities in a line; the two in the midst pay nothing. Trains of two stops run between each two of them."""
    map = engine.load_title("1861").map
    city = map.tiles[TileId("57")]
    free = replace(city.face, cities=tuple(replace(stop, revenue=0) for stop in city.face.cities))
    board = Board.start(replace(map, tiles={**map.tiles, TileId("57"): city, TileId("Z"): replace(city, face=free)}))
    line = [HexId(hex) for hex in ("I7", "I9", "I11", "I13")]
    for hex, tile in zip(line, ("57", "Z", "Z", "57"), strict=True):
        board = board.lay(hex, TileId(tile), 0)
    board = board.place(line[1], 0, X).place(line[2], 0, X)
    two = TrainReach(2)
    for trains, together, value in ((2, None, 40), (2, connected, 20), (3, connected, 40)):
        traits = RunTraits(X, (TrainName("2"),) * trains, (two,) * trains, "yellow", together=together)
        best = best_run(board, traits)
        assert (best.value, best.proven) == (value, True)
        assert check_run(board, traits, best.routes).total == value
        assert (0 in best.values) is (trains == 3)


def test_declared_runs_that_are_not_connected_are_refused_by_the_rule_of_the_set() -> None:
    refused = 0
    for seed, board, traits, _ in boards(0, 160):
        free = best_run(board, replace(traits, together=None))
        verdict = check_run(board, traits, free.routes)
        stops = [frozenset[object](track.stops) for track in free.tracks]
        if stops and not hang_together(stops):
            (failure,) = verdict.failures
            assert failure.check == "run.not_connected", seed
            graph = graph_of(board)
            named = [{track.hexes(graph), track.reversed().hexes(graph)} for track in free.tracks]
            judged = failure.facts["hexes"]
            assert isinstance(judged, tuple)
            assert all(one in both for one, both in zip(judged, named, strict=True)), seed
            refused += 1
            if refused == ENOUGH:
                return
        else:
            assert verdict.failures == (), seed
            assert verdict.total == free.value
    pytest.fail(f"of these boards {refused} have runs that do not hang together")


def test_runs_on_the_same_track_are_never_apart_and_no_runs_always_may_be_combined() -> None:
    assert apart(0b0110, 0b1001)
    assert not apart(0b0110, 0b0011)
    nothing = Graph((), (), (), {}, ())
    assert against(never, nothing, ()) is None
    assert against(never, nothing, (Track((0, 1), (0,)),)) is not None
    assert against(None, nothing, (Track((0, 1), (0,)),)) is None


def test_a_single_run_may_fail_the_rule_too() -> None:
    for _, board, traits, _ in boards(0, 80):
        barred = replace(traits, together=never)
        free = best_run(board, replace(traits, together=None))
        if free.routes:
            assert best_run(board, barred).value == 0
            assert check_run(board, barred, (Route(free.routes[0].train, free.routes[0].hexes),)).failures
            return
    pytest.fail("no board of these has a run")
