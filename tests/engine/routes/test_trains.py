"""Trains counted by hexes, express trains, tunnels, transit, ends without value: against every choice tried."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
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
from engine.routes.terms import areas_of, transit_bonus
from tests.kit import routes_oracle as oracle
from tests.kit.samples import sampled

X = CompanyId("X")
MOST_WALKS = 400
"""Boards with more ways than these would take the oracle too long."""


def alpine(seed: int) -> tuple[Board, RunTraits]:
    random = Random(seed)
    map, centre = oracle.alpine(engine.load_title("1861").map, random, 8)
    board = oracle.random_board(map, random, X, random.randrange(6, 13), centre)
    return board, oracle.alpine_traits(board, random, X)


def try_every_choice(seed: int) -> Counter[str]:
    """Hold one board against the oracle; answers what its best runs had to do with."""
    board, traits = alpine(seed)
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
    areas = areas_of(graph, traits)
    for route, track in zip(best.routes, best.tracks, strict=True):
        assert name_route(board, traits, route.train, track.reversed()) == route, seed
        hexes = [graph.nodes[i].hex for i in track.stops]
        met["tunnel"] += bool(track.tunnels(graph)) and traits.tunnel_bonus > 0
        met["transit"] += transit_bonus(areas, track.stops[0], track.stops[-1]) > 0
        met["by hexes"] += traits.reach(route.train).hexes is not None
        met["express"] += not traits.reach(route.train).ends_count
        met["two cities of a hex"] += len(set(hexes)) < len(hexes)
    return met


@pytest.mark.rule("1844:8.6", "1844:8.9", "1844:8.10", "1844:8.11", "1844:8.15", "1844:8.16")
@pytest.mark.parametrize("boards", sampled((30, 90), (30,)))
def test_every_choice_tried_finds_nothing_better(boards: int) -> None:
    met: Counter[str] = sum((try_every_choice(seed) for seed in range(boards)), Counter())
    assert met["board"] > boards * 5 / 6
    assert all(met[what] > boards / 15 for what in ("tunnel", "transit", "by hexes", "express"))


def test_where_there_are_many_routes_prices_tell_which_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.routes.optimum._MANY", 1)
    for seed in range(200, 210):
        try_every_choice(seed)


@pytest.mark.prove
@pytest.mark.parametrize("first", range(1000, 4000, 300))
def test_every_choice_tried_finds_nothing_better_on_many_boards(first: int) -> None:
    met: Counter[str] = sum((try_every_choice(seed) for seed in range(first, first + 300)), Counter())
    assert all(met[what] for what in ("tunnel", "transit", "by hexes", "express", "two cities of a hex"))


def test_a_run_is_judged_as_every_reading_of_its_names_tried() -> None:
    """Every single route of small boards, fully named: legal exactly where the oracle says so, and at its value."""
    judged = Counter[bool]()
    for seed in range(30):
        board, traits = alpine(seed)
        known = oracle.walks(board, X)
        alike = Counter(walk.hexes for walk in known)
        for walk in [w for w in known[:40] if alike[w.hexes] == 1]:
            for train, reach in zip(traits.trains, traits.reaches, strict=True):
                right = oracle.value(board, traits, reach, walk)
                checked = check_run(board, traits, (Route(train, walk.hexes),))
                assert checked.values == (() if right is None else (right,)), (seed, walk.hexes, checked)
                assert bool(checked.failures) == (right is None), (seed, walk.hexes)
                judged[right is None] += 1
    assert judged[True] > 100
    assert judged[False] > 100


@pytest.mark.rule("1844:8.6")
def test_cities_of_one_hex_are_one_stop_or_several_as_the_map_says() -> None:
    for seed in range(400):
        board, traits = alpine(seed)
        together = replace(board, map=replace(board.map, cities_apart=False))
        graph = graph_of(board)
        for route, track in zip((best := best_run(board, traits)).routes, best.tracks, strict=True):
            cities = [graph.nodes[i].hex for i in track.stops if graph.nodes[i].kind == "city"]
            if len(set(cities)) < len(cities):
                named = Route(route.train, track.hexes(graph))
                assert not check_run(board, traits, (named,)).failures
                refused = check_run(together, traits, (named,)).failures
                assert "run.hex_twice" in {f.check for f in refused}, seed
                return
    pytest.fail("no board of these has such a run")


def test_cut_short_the_best_so_far_is_answered_with_a_bound_that_holds() -> None:
    board, traits = next(
        (b, t) for b, t in map(alpine, range(1000)) if best_run(b, t).value > 300 and not t.reaches[0].ends_count
    )
    best = best_run(board, traits)
    for limit in (0, 3, 10, 30, 100):
        short = best_run(board, traits, node_limit=limit)
        assert short.value <= best.value <= short.bound
        assert check_run(board, traits, short.routes).values == short.values
