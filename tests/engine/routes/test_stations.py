"""Runs from station to station: the best set against every choice tried on small boards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

import engine
from engine.board.board import Board
from engine.core.ids import CompanyId, HexId
from engine.core.orders import Route
from engine.routes.graph import graph_of
from engine.routes.legality import check_run
from engine.routes.optimum import best_run, can_run
from engine.routes.reach import RunTraits
from engine.routes.route_text import name_route
from tests.kit import routes_oracle
from tests.kit import stations_oracle as oracle
from tests.kit.samples import one_in

X = CompanyId("X")
MOST_WALKS = 60
"""Boards with more ways than these would take the oracle too long."""
ENOUGH = 1
"""Refusals that are looked at."""


def random_board(seed: int) -> tuple[Board, RunTraits]:
    random = Random(seed)
    size = random.randrange(6, 14)
    map, centre = oracle.with_areas(engine.load_title("1861").map, random, size)
    board = routes_oracle.random_board(map, random, X, size, centre)
    return board, oracle.random_traits(board, random, X, HexId(centre))


def try_every_choice(seed: int) -> Counter[str]:
    """Hold one board against the oracle; answers what its best runs had to do with."""
    board, traits = random_board(seed)
    known = oracle.walks(board, X, MOST_WALKS)
    if known is None:
        return Counter()
    legal = [w for w in known if any(oracle.value(board, traits, r, w) is not None for r in traits.reaches)]
    assert can_run(board, traits) == bool(legal), seed
    best = best_run(board, traits)
    assert (best.value, best.proven) == (oracle.best_value(board, traits, known), True), seed
    checked = check_run(board, traits, best.routes)
    assert (checked.failures, checked.total) == ((), best.value), (seed, best.routes)
    assert traits.claims or checked.values == best.values, (seed, best.routes)
    graph, met = graph_of(board), Counter[str](("board",))
    met["something to run"] += bool(legal)
    for route, track in zip(best.routes, best.tracks, strict=True):
        assert name_route(board, traits, route.train, track.reversed()) == route, seed
        nodes = [graph.nodes[i] for i in track.stops]
        met["loop"] += track.stops[0] == track.stops[-1]
        met["held ends"] += traits.reach(route.train).held_ends
        met["past what counts"] += traits.reach(route.train).held_ends and len(nodes) > traits.reach(route.train).stops
        met["to an area"] += any(n.kind == "offboard" for n in nodes)
    for reach, train in zip(traits.reaches, traits.trains, strict=True):
        for walk in known:
            earned = oracle.value(board, traits, reach, walk)
            claim = max([0, *(c.amount for c in traits.claims if set(c.hexes) <= {p[0] for p in walk.stops})])
            verdict = check_run(board, traits, (Route(train, walk.hexes),))
            meant = [track for track in verdict.tracks if track.hexes(graph) == walk.hexes]
            met["refused"] += earned is None
            if earned is None:
                assert not meant, (seed, walk.hexes)
            elif meant:
                assert verdict.values == (earned + claim,), (seed, walk.hexes)
            else:
                assert [f.check for f in verdict.failures] == ["ambiguous.route"], (seed, walk.hexes)
    met["several runs"] += len(best.routes) > 1
    return met


@pytest.mark.parametrize("most", [3_000, 1], ids=["all routes listed", "priced first"])
@pytest.mark.parametrize("first", one_in(4, range(0, 120, 30)))
def test_every_choice_tried_finds_nothing_better(first: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.routes.optimum._MANY", most)
    met = Counter[str]()
    for seed in range(first, first + 30):
        met += try_every_choice(seed)
    assert met["board"] > 10
    assert met["something to run"] > 5
    for kind in ("held ends", "past what counts", "to an area", "several runs"):
        assert met[kind] > 0, kind


def test_a_set_of_several_runs_that_do_not_hang_together_is_refused_and_the_run_is_named() -> None:
    refused = 0
    for seed in range(700):
        board, traits = random_board(seed)
        if len(traits.trains) < 2 or traits.together is None:
            continue
        free = best_run(board, replace(traits, together=None))
        verdict = check_run(board, traits, free.routes)
        stops = [frozenset(track.stops) for track in free.tracks]
        if len(stops) == 2 and not stops[0] & stops[1]:
            assert [f.check for f in verdict.failures] == ["run.not_joined"], seed
            graph = graph_of(board)
            named = {tuple(graph.nodes[i].hex for i in track.stops) for track in free.tracks}
            assert verdict.failures[0].facts["route"] in named | {hexes[::-1] for hexes in named}, seed
            assert best_run(board, traits).value <= free.value, seed
            refused += 1
            if refused == ENOUGH:
                return
    pytest.fail(f"of these boards {refused} have two runs that do not hang together")
