"""Runs that recorded games of 1841 declare: each is legal and earns what it was paid; the best is at least as good."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path
from statistics import median, quantiles
from types import SimpleNamespace
from typing import Any, cast

import pytest

import engine
from engine.board.board import Board
from engine.core.ids import CompanyId, HexId, TileId, TrainName
from engine.core.orders import Route
from engine.core.state import Company, State
from engine.routes.legality import can_run, check_run
from engine.routes.optimum import best_run
from engine.routes.reach import RunTraits
from engine.site18xx.places import legs_of
from engine.site18xx.runs import MOST_TRIES
from engine.site18xx.t1841.converter import Converter
from engine.site18xx.t1841.runs import route_of
from tests.kit.samples import sampled

BETTER = 232
"""Recorded runs for which a better one existed: most are of random players."""


@dataclass(frozen=True)
class Declared:
    label: str
    board: Board
    traits: RunTraits
    routes: tuple[tuple[Route, ...], ...]
    """For each train the ways to turn the legs of its run."""
    values: tuple[int, ...]


def board_of(title: engine.Title, recorded: Mapping[str, Any]) -> Board:
    board = Board.start(title.map)
    for hex, laid in recorded["tiles"].items():
        tile, rotation = laid.split("#")
        board = board.lay(HexId(hex), TileId(tile), int(rotation))
    markers = {
        HexId(hex): tuple(tuple(CompanyId(c) for c in city if c) for city in cities)
        for hex, cities in recorded["slots"].items()
    }
    return replace(board, markers=markers)


def traits_of(title: engine.Title, recorded: Mapping[str, Any], company: CompanyId) -> RunTraits:
    trains = tuple(TrainName(train) for train in recorded["corporations"][company]["trains"])
    state = SimpleNamespace(companies={company: Company("open", trains)}, phase=recorded["phase"])
    return title.policies.run_traits(title, cast(State, state), company)


def declared(records: Path) -> Iterator[Declared]:
    folder = records / "1841"
    for runs in sorted([*folder.glob("*.runs.json"), *(folder / "generated").glob("*.runs.json")]):
        name = runs.name.removesuffix(".runs.json")
        rules = json.loads(runs.with_name(f"{name}.json").read_text(encoding="utf-8"))["settings"]["optional_rules"]
        title = engine.load_title("1841", Converter.edition(rules), Converter.options(rules))
        with gzip.open(runs.with_name(f"{name}.states.jsonl.gz"), "rt", encoding="utf-8") as lines:
            states = lines.readlines()
        for run in json.loads(runs.read_text(encoding="utf-8")):
            if not run["routes"]:
                continue
            before, company = json.loads(states[run["n_before"]]), CompanyId(run["corp"])
            ways = tuple(tuple(route_of(r, legs) for legs in islice(legs_of(r), MOST_TRIES)) for r in run["routes"])
            yield Declared(
                f"{name}, action {run['n']}, {company}",
                board_of(title, before),
                traits_of(title, before, company),
                ways,
                tuple(r["revenue"] for r in run["routes"]),
            )


@pytest.mark.rule("1841:7.1", "1841:7.2", "1841:7.3")
@pytest.mark.parametrize("every", sampled((1, 12), (12,)))
def test_every_recorded_run_is_legal_and_the_best_is_proven(
    records: Path, capsys: pytest.CaptureFixture[str], every: int
) -> None:
    """One run in ``every``."""
    gains, times = [], []
    for run in islice(declared(records), None, None, every):
        tried = (check_run(run.board, run.traits, routes) for routes in islice(product(*run.routes), MOST_TRIES))
        legal = [checked.values for checked in tried if not checked.failures]
        assert run.values in legal, run.label
        assert can_run(run.board, run.traits), run.label
        began = time.perf_counter()
        best = best_run(run.board, run.traits)
        times.append(time.perf_counter() - began)
        assert best.proven, (run.label, best.value, best.bound)
        again = check_run(run.board, run.traits, best.routes)
        assert (again.failures, again.values) == ((), best.values), (run.label, best.routes)
        assert best.value >= sum(run.values), run.label
        gains.append(best.value - sum(run.values))
    better = [gain for gain in gains if gain]
    assert (len(gains), len(better)) == (1109, BETTER) or every > 1
    assert len(gains) >= 1109 // every
    with capsys.disabled():
        late = quantiles(times, n=20)[-1]
        took = f"median {median(times) * 1000:.1f} ms, 95 % {late * 1000:.0f} ms, worst {max(times) * 1000:.0f} ms"
        print(f"\n{len(gains)} recorded runs, all proven; {len(better)} could have earned more; {took}")  # noqa: T201
