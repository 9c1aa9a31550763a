"""Stops that are free and paid, passes, ports, cities with one stem, and what a run needs: against every choice."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import engine
from engine.board.board import Board
from engine.core.ids import CompanyId
from engine.core.orders import Route
from engine.routes.graph import graph_of
from engine.routes.legality import check_run
from engine.routes.optimum import best_run, can_run
from engine.routes.reach import RunTraits
from engine.routes.route_text import name_route
from tests.kit import routes_oracle as oracle
from tests.kit.samples import sampled

X = CompanyId("X")
MOST_WALKS = 400
"""Boards with more ways than these would take the oracle too long."""


def valleys(seed: int) -> tuple[Board, RunTraits]:
    random = Random(seed)
    map = oracle.valleys(engine.load_title("1861").map, random)
    board = oracle.random_board(map, random, X, random.randrange(6, 14))
    return board, oracle.valley_traits(board, random, X)


def try_every_choice(seed: int) -> Counter[str]:
    """Hold one board against the oracle; answers what its best runs had to do with."""
    board, traits = valleys(seed)
    known = oracle.walks(board, X)
    if len(known) > MOST_WALKS:
        return Counter()
    legal = [w for w in known if any(oracle.value(board, traits, r, w) is not None for r in traits.reaches)]
    assert can_run(board, traits) == bool(legal), seed
    best = best_run(board, traits)
    assert (best.value, best.proven) == (oracle.best_value(board, traits, known), True), seed
    checked = check_run(board, traits, best.routes)
    assert (checked.failures, checked.values) == ((), best.values), (seed, best.routes)
    graph, met = graph_of(board), Counter[str](("board",))
    met["something to run"] += bool(legal)
    met["ways, and none legal"] += bool(known) and not legal
    for route, track in zip(best.routes, best.tracks, strict=True):
        assert name_route(board, traits, route.train, track.reversed()) == route, seed
        nodes = [graph.nodes[i] for i in track.stops]
        free = [n for n in nodes if n.kind in traits.reach(route.train).free]
        met["free stops"] += bool(free)
        met["more than the train counts"] += len(nodes) > traits.reach(route.train).stops
        met["through a pass"] += any(n.kind == "pass" for n in nodes[1:-1])
        met["to a port"] += any(n.kind == "port" for n in nodes)
        met["to a stem"] += any(n.stem for n in nodes)
    return met


KINDS = ("free stops", "more than the train counts", "through a pass", "to a port", "to a stem", "ways, and none legal")


@pytest.mark.rule("1841:7.1", "1841:7.2", "1841:7.3", "1841:7.4", "1841:7.8")
@pytest.mark.parametrize("boards", sampled((20, 60), (20,)))
def test_every_choice_tried_finds_nothing_better(boards: int) -> None:
    met: Counter[str] = sum((try_every_choice(seed) for seed in range(boards)), Counter())
    assert met["board"] > boards * 3 / 4
    assert all(met[what] > boards / 30 for what in KINDS), met


def test_where_there_are_many_routes_prices_tell_which_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.routes.optimum._MANY", 1)
    for seed in range(250, 260):
        try_every_choice(seed)


@pytest.mark.prove
@pytest.mark.parametrize("first", range(1000, 4000, 300))
def test_every_choice_tried_finds_nothing_better_on_many_boards(first: int) -> None:
    met: Counter[str] = sum((try_every_choice(seed) for seed in range(first, first + 300)), Counter())
    assert all(met[what] for what in KINDS), met


@pytest.mark.parametrize("boards", sampled((6, 20), (6,)))
def test_a_run_is_judged_as_every_reading_of_its_names_tried(boards: int) -> None:
    """Every single route of small boards, fully named: legal exactly where the oracle says so, and at its value."""
    judged = Counter[bool]()
    for seed in range(boards):
        board, traits = valleys(seed)
        known = oracle.walks(board, X)
        for walk in [w for w in known[:40] if sum(oracle.means(w.hexes, other) for other in known) == 1]:
            for train, reach in zip(traits.trains, traits.reaches, strict=True):
                right = oracle.value(board, traits, reach, walk)
                checked = check_run(board, traits, (Route(train, walk.hexes),))
                assert checked.values == (() if right is None else (right,)), (seed, walk.hexes, checked)
                assert bool(checked.failures) == (right is None), (seed, walk.hexes)
                judged[right is None] += 1
    assert judged[True] > 5 * boards
    assert judged[False] > 5 * boards


def test_cut_short_the_best_so_far_is_answered_with_a_bound_that_holds() -> None:
    board, traits = next((b, t) for b, t in map(valleys, range(1000)) if best_run(b, t).value > 250)
    best = best_run(board, traits)
    for limit in (0, 3, 10, 30, 100):
        short = best_run(board, traits, node_limit=limit)
        assert short.value <= best.value <= short.bound
        assert check_run(board, traits, short.routes).values == short.values
