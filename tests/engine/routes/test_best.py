"""The best set of runs: against every choice tried on small boards, and against what people ran in recorded games."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import engine
from engine.board.board import Board
from engine.core.ids import CompanyId, HexId, PrivateId, TileId, TrainName
from engine.core.orders import Route
from engine.routes import optimum
from engine.routes.candidates import Budget
from engine.routes.graph import graph_of
from engine.routes.legality import check_run
from engine.routes.optimum import best_run, can_run
from engine.routes.reach import PairBonus, RunTraits, TrainReach
from engine.routes.route_text import name_route
from tests.kit import routes_oracle as oracle
from tests.kit.games.rich_cities import crowded
from tests.kit.samples import one_in

X = CompanyId("X")
COLORS = {"2": "yellow", "3": "green", "4": "green", "5": "brown", "6": "gray", "7": "gray", "8": "gray"}
SAMPLE = slice(None, None, 12)
MOST_WALKS = 240
"""Boards with more ways than these would take the oracle too long."""


@lru_cache(maxsize=1)
def title() -> engine.Title:
    return engine.load_title("1861", edition="2020")


@dataclass(frozen=True)
class Declared:
    """A recorded run: the position it was made in, what was declared, and what it paid."""

    label: str
    board: Board
    traits: RunTraits
    routes: tuple[Route, ...]
    values: tuple[int, ...]


def board_of(state: dict[str, Any]) -> Board:
    tiles = {HexId(hex): (TileId(tile.split("#")[0]), int(tile.split("#")[1])) for hex, tile in state["tiles"].items()}
    markers = {
        HexId(hex): tuple(tuple(CompanyId(c) for c in city if c) for city in cities)
        for hex, cities in state["slots"].items()
        if any(c for city in cities for c in city)
    }
    return Board(title().map, tiles, markers)


def traits_of(state: dict[str, Any], company: str) -> RunTraits:
    trains = tuple(TrainName(t) for t in state["corporations"][company]["trains"])
    owned = [title().privates[PrivateId(p)] for p, held in state["companies"].items() if held["owner"] == company]
    bonuses = tuple((p.bonus_hexes, p.bonus) for p in owned if p.bonus)
    reaches = tuple(title().trains[t].reach for t in trains)
    pair = PairBonus(HexId("Q3"), HexId("H8"), 40)
    return RunTraits(CompanyId(company), trains, reaches, COLORS[state["phase"]], bonuses, (pair,))


def trimmed(run: dict[str, Any]) -> tuple[HexId, ...]:
    """The declared stops without towns at the ends that were not paid: the site takes them, the rules do not (9.2)."""
    hexes = [HexId(h) for h in run["hexes"]]
    paid = {stop[0] for stop in run["paid"]}
    while hexes[0] not in paid:
        hexes.pop(0)
    while hexes[-1] not in paid:
        hexes.pop()
    return tuple(hexes)


def declared(records: Path) -> Iterator[Declared]:
    for runs in sorted((records / "1861").glob("*.runs.json")):
        with gzip.open(runs.with_name(runs.name.replace(".runs.json", ".states.jsonl.gz")), "rt") as lines:
            states = lines.readlines()
        for run in json.loads(runs.read_text(encoding="utf-8")):
            state = json.loads(states[run["n_before"]])
            routes = tuple(Route(TrainName(r["train"]), trimmed(r)) for r in run["routes"])
            values = tuple(r["revenue"] for r in run["routes"])
            label = f"{runs.name} action {run['n']}, {run['corp']}"
            yield Declared(label, board_of(state), traits_of(state, run["corp"]), routes, values)


def hold(run: Declared) -> int:
    """Check one recorded run; answers by how much the best is better."""
    checked = check_run(run.board, run.traits, run.routes)
    assert checked.failures == (), run.label
    assert checked.values == run.values, run.label
    assert can_run(run.board, run.traits), run.label
    best = best_run(run.board, run.traits)
    assert best.proven, (run.label, best.value, best.bound)
    assert best.value == best.bound >= sum(run.values), run.label
    again = check_run(run.board, run.traits, best.routes)
    assert again.failures == (), (run.label, best.routes)
    assert again.values == best.values, (run.label, best.routes)
    return best.value - sum(run.values)


@pytest.mark.rule("1861:9.1", "1861:9.2", "1861:9.3", "1861:9.5", "1861:9.6", "1861:9.7", "1861:9.9", "1861:12.2")
def test_recorded_runs_are_legal_and_never_better_than_the_best(records: Path) -> None:
    for run in list(declared(records))[SAMPLE]:
        hold(run)


@pytest.mark.prove
def test_every_recorded_run_is_legal_and_the_best_is_proven(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gains = [hold(run) for run in declared(records)]
    better = [gain for gain in gains if gain]
    with capsys.disabled():
        print(f"\n{len(gains)} recorded runs, all proven; {len(better)} could have earned more, {sum(better)} in all")  # noqa: T201
    assert gains


LAST_CHARGE = 1_000
"""The steps that may be charged at once when the limit is reached."""


@pytest.mark.parametrize("limit", [3_000, 60_000, 300_000])
def test_no_more_steps_are_taken_than_the_limit_has(records: Path, monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    """Eight trains meet at the end of a game, so the search ends at the limit."""
    budgets: list[tuple[Budget, int]] = []

    def given(steps: int) -> Budget:
        budgets.append((Budget(steps), steps))
        return budgets[-1][0]

    monkeypatch.setattr(optimum, "Budget", given)
    late = [run.board for run in declared(records) if run.label.startswith("167259")][-1]
    board = crowded(late, X, "gray")
    trains = tuple(map(TrainName, "55566777"))
    found = best_run(board, RunTraits(X, trains, tuple(title().trains[t].reach for t in trains), "gray"), limit)
    assert 0 < found.value < found.bound
    (whole, _), *parts = budgets
    apart = sum(steps for _, steps in parts)
    taken = limit - whole.left - apart + sum(steps - part.left for part, steps in parts)
    assert limit / 2 < taken <= limit + LAST_CHARGE


def on_random_boards(seed: int) -> None:
    random = Random(seed)
    board = oracle.random_board(title().map, random, X, random.randrange(5, 12))
    traits = oracle.random_traits(board, random, X)
    known = oracle.walks(board, X)
    if len(known) > MOST_WALKS:
        return
    legal = [w for w in known if any(oracle.value(board, traits, r, w) is not None for r in traits.reaches)]
    assert can_run(board, traits) == bool(legal), seed
    best = best_run(board, traits)
    assert best.proven, seed
    assert best.value == oracle.best_value(board, traits, known), seed
    checked = check_run(board, traits, best.routes)
    assert checked.failures == (), (seed, best.routes)
    assert checked.values == best.values, (seed, best.routes)
    for walk in legal:
        judged_like_the_oracle(board, traits, random, known, walk, seed)


def judged_like_the_oracle(
    board: Board, traits: RunTraits, random: Random, known: list[oracle.Walk], walk: oracle.Walk, seed: int
) -> None:
    """The walk named in full has its value; named in part, it is legal exactly if something legal can be meant."""
    at = random.randrange(len(traits.trains))
    train, reach = traits.trains[at], traits.reaches[at]
    full = check_run(board, traits, (Route(train, walk.hexes),))
    earned = oracle.value(board, traits, reach, walk)
    if len([w for w in known if w.hexes == walk.hexes]) == 1:
        assert full.values == (() if earned is None else (earned,)), (seed, walk.hexes, full.failures)
    names = [hex for hex in walk.hexes if random.random() < 0.5] or list(walk.hexes[:1])
    if random.random() < 0.2:
        names.insert(random.randrange(len(names)), random.choice(sorted(board.tiles)))
    meant = [w for w in known if oracle.means(names, w)]
    possible = {v for w in meant if (v := oracle.value(board, traits, reach, w)) is not None}
    judged = check_run(board, traits, (Route(train, tuple(names)),))
    if judged.failures:
        ambiguous = any(f.check == "ambiguous.route" for f in judged.failures)
        assert len(possible) > 1 if ambiguous else not possible, (seed, names, judged.failures)
    else:
        assert judged.total in possible, (seed, names)


@pytest.mark.rule("1861:8.1", "1861:9.1", "1861:9.2", "1861:9.3", "1861:9.4", "1861:9.6", "1861:9.7", "1861:9.8")
@pytest.mark.parametrize("first", one_in(4, range(0, 40, 10)))
def test_every_choice_tried_finds_nothing_better(first: int) -> None:
    for seed in range(first, first + 10):
        on_random_boards(seed)


@pytest.mark.prove
@pytest.mark.parametrize("first", range(1000, 2000, 100))
def test_every_choice_tried_finds_nothing_better_on_many_boards(first: int) -> None:
    for seed in range(first, first + 100):
        on_random_boards(seed)


def test_a_track_has_a_name_that_means_it_in_both_directions() -> None:
    named = 0
    for seed in range(40):
        random = Random(seed)
        board = oracle.random_board(title().map, random, X, 8)
        traits = oracle.random_traits(board, random, X)
        best = best_run(board, traits)
        for route, track in zip(best.routes, best.tracks, strict=True):
            assert name_route(board, traits, route.train, track.reversed()) == route
            found = check_run(board, traits, (route,)).tracks
            assert found in ((track,), (track.reversed(),)), (seed, route)
            named += 1
    assert named > 20


def test_work_is_limited_by_steps_and_says_what_is_proven() -> None:
    random = Random(7)
    board = oracle.random_board(title().map, random, X, 30)
    reach = title().trains[TrainName("4")].reach
    traits = RunTraits(X, (TrainName("4"),) * 3, (reach,) * 3, "green")
    best = best_run(board, traits)
    assert best.proven
    limits = (0, 3, 10, 30, 100, 300, 1000)
    cut = [best_run(board, traits, node_limit=limit) for limit in limits]
    assert not cut[0].proven
    for short in cut:
        assert short.value <= best.value <= short.bound
        assert short.proven == (short.value == short.bound)
        assert check_run(board, traits, short.routes).values == short.values
    assert [c.value for c in cut] == sorted(c.value for c in cut)
    again = Board(board.map, board.tiles, board.markers)
    assert [best_run(again, traits, node_limit=limit) for limit in limits] == cut


@pytest.mark.parametrize("trains", ["EX 7", "EX EX", "7 EX 5"])
def test_a_train_with_too_many_routes_leaves_steps_for_the_others(records: Path, trains: str) -> None:
    """A train that may skip cities reaches the limit alone, as a 5+5E of 1867 does on a board built far. The others
    run all the same."""
    late = [run.board for run in declared(records) if run.label.startswith("167259")][-1]
    board, names = crowded(late, X, "gray"), tuple(map(TrainName, trains.split()))
    express = TrainReach(5, frozenset({"offboard"}), multiplier=2)
    reaches = tuple(express if name == "EX" else title().trains[name].reach for name in names)
    traits = RunTraits(X, names, reaches, "gray")
    best = best_run(board, traits, node_limit=30_000)
    assert not best.proven
    assert [route.train for route in best.routes] == list(names)
    assert check_run(board, traits, best.routes).values == best.values
    assert best.value > best_run(board, replace(traits, trains=names[:1], reaches=reaches[:1]), node_limit=30_000).value


def test_the_graph_is_worked_out_once_for_a_board_and_anew_for_another() -> None:
    board = oracle.random_board(title().map, Random(3), X, 8)
    assert graph_of(board) is graph_of(board)
    hex = next(iter(board.tiles))
    laid = board.lay(hex, *board.tiles[hex])
    assert graph_of(laid) is not graph_of(board)
    assert graph_of(laid) == graph_of(board)
