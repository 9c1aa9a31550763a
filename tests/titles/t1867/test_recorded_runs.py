"""Runs that recorded games of 1867 declare: each is legal and earns what it was paid; the best is at least as good."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from types import SimpleNamespace
from typing import Any, cast

import pytest

import engine
from engine.board.board import Board
from engine.core.ids import CompanyId, HexId, PrivateId, TileId, TrainName
from engine.core.state import Company
from engine.routes.legality import can_run, check_run
from engine.routes.optimum import best_run
from engine.site18xx.f1867.runs import read_runs

RUNS = 564
"""Recorded runs in which a train runs."""


def position_of(title: engine.Title, recorded: Mapping[str, Any]) -> engine.Game:
    """As much of a recorded position as runs depend on."""
    board = Board.start(title.map)
    for hex, laid in recorded["tiles"].items():
        tile, rotation = laid.split("#")
        board = board.lay(HexId(hex), TileId(tile), int(rotation))
    markers = {
        HexId(hex): tuple(tuple(CompanyId(c) for c in city if c in title.companies) for city in cities)
        for hex, cities in recorded["slots"].items()  # neutral markers block no run
    }
    companies = {
        CompanyId(company): Company("open", tuple(map(TrainName, now["trains"])))
        for company, now in recorded["corporations"].items()
    }
    privates = {PrivateId(private): now["owner"] for private, now in recorded["companies"].items()}
    state = SimpleNamespace(
        board=replace(board, markers=markers), companies=companies, privates=privates, phase=recorded["phase"]
    )
    return cast(engine.Game, SimpleNamespace(title=title, state=state))


def declared(records: Path) -> Iterator[tuple[str, engine.Game, CompanyId, list[Mapping[str, Any]]]]:
    """Each run with the position before it."""
    title, folder = engine.load_title("1867"), records / "1867"
    for runs in sorted([*folder.glob("*.runs.json"), *(folder / "generated").glob("*.runs.json")]):
        name = runs.name.removesuffix(".runs.json")
        with gzip.open(runs.with_name(f"{name}.states.jsonl.gz"), "rt", encoding="utf-8") as lines:
            states = lines.readlines()
        for run in json.loads(runs.read_text(encoding="utf-8")):
            routes = [route for route in run["routes"] if route["connections"]]
            if routes:
                before = position_of(title, json.loads(states[run["n_before"]]))
                yield f"{name}, action {run['n']}, {run['corp']}", before, CompanyId(run["corp"]), routes


@pytest.mark.rule("1867:9.1", "1867:9.2", "1867:9.5", "1867:9.6", "1867:9.12")
def test_every_recorded_run_is_legal_and_earns_what_it_was_paid(records: Path) -> None:
    """Runs that go on beyond their last stop that counts are shortened (9.2)."""
    compared = 0
    for label, game, company, routes in declared(records):
        traits = game.title.policies.run_traits(game.title, game.state, company)
        checked = check_run(game.state.board, traits, read_runs(game, company, routes))
        assert not checked.failures, label
        assert checked.values == tuple(route["revenue"] for route in routes), label
        assert can_run(game.state.board, traits), label
        compared += 1
    assert compared == RUNS


def test_the_best_run_is_at_least_as_good_and_proven(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One run in ten."""
    gains, times = [], []
    for label, game, company, routes in islice(declared(records), None, None, 10):
        board, traits = game.state.board, game.title.policies.run_traits(game.title, game.state, company)
        began = time.perf_counter()
        best = best_run(board, traits)
        times.append(time.perf_counter() - began)
        assert best.proven, (label, best.value, best.bound)
        again = check_run(board, traits, best.routes)
        assert (again.failures, again.values) == ((), best.values), (label, best.routes)
        gains.append(best.value - sum(route["revenue"] for route in routes))
        assert gains[-1] >= 0, label
    with capsys.disabled():
        took = f"median {median(times) * 1e3:.1f} ms, 95 % {quantiles(times, n=20)[-1] * 1e3:.0f} ms"
        better = sum(1 for gain in gains if gain)
        print(f"\n{len(gains)} recorded runs, all proven; {better} could have earned more; {took}")  # noqa: T201
