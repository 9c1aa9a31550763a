"""The best runs of many trains on boards built far, with markers in the richest cities.

`make bench` prints how many are proven, and the time. A set without proof is told, with its value and bound."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import engine
from engine.board.board import Board
from engine.core.ids import CompanyId, HexId, TrainName
from engine.core.title import Title
from engine.routes.optimum import Best, best_run
from engine.routes.reach import PairBonus, RunTraits
from moderator.domain.records.import_18xx import read_import
from tests.kit.figures import Say
from tests.kit.games.rich_cities import crowded
from tests.kit.samples import amount
from tests.service.domain.test_export_18xx import play

pytestmark = pytest.mark.bench

STATE = "RSR"
SETS = ("5 5 6 6 7", "5 6 7 7 7", "6 6 7 7 7", "5 5 5 6 6 7", "5 5 6 6 7 7 7", "5 5 5 6 6 7 7 7")
"""Trains of the state railway: 4-trains are gone when it has as many, and it does not operate with an 8-train."""
ROBOTS = 20


def imported(path: Path) -> engine.Game:
    record = read_import(path)
    for _ in record.play():
        pass
    return record.game


def ends(records: Path) -> Iterator[tuple[str, engine.Game]]:
    for name in ("29683", "167259"):
        yield f"1861/{name}", imported(records / "1861" / f"{name}.json")
    for seed in range(amount("CROWDED_GAMES", ROBOTS)):
        yield f"robots, seed {seed}", play("1861", "2020", 3 + seed % 4, seed, ())


def state_traits(title: Title, trains: str) -> RunTraits:
    names = tuple(TrainName(name) for name in trains.split())
    pair = PairBonus(HexId("Q3"), HexId("H8"), 40)
    reaches = tuple(title.trains[name].reach for name in names)
    return RunTraits(CompanyId(STATE), names, reaches, "gray", (), (pair,))


def timed(board: Board, traits: RunTraits) -> tuple[float, Best]:
    began = time.process_time()
    found = best_run(replace(board), traits)
    return time.process_time() - began, found


def test_the_state_railway_on_boards_built_far(records: Path, say: Say) -> None:
    spent, proven = [], 0
    for label, game in ends(records):
        board = crowded(game.state.board, STATE, "gray")
        for trains in SETS:
            seconds, best = timed(board, state_traits(game.title, trains))
            spent.append(seconds)
            proven += best.proven
            if not best.proven or seconds > 5:
                say(f"{label}, {trains}: {best.value} of at most {best.bound}, {seconds:.1f} s")
    say(
        f"state railway with five to eight trains: {proven} of {len(spent)} proven, median"
        f" {statistics.median(spent):.2f} s, worst {max(spent):.1f} s"
    )


@pytest.mark.parametrize(
    ("record", "company", "color", "trains"),
    [
        ("1844/160062", "SBB", "gray", "8E 8E"),
        ("1844/160062", "SBB", "gray", "8E 8E 8E"),
        ("1844/160062", "SBB", "gray", "5 6 8E"),
        ("1841/132002", "SFMA", "gray", "7 8"),
        ("1841/132002", "SFMA", "gray", "7 8 8"),
        ("1867/21268", "CNR", "gray", "5+5E 8"),
        ("1867/21268", "CNR", "gray", "5 6 7 8"),
        ("1867/21268", "CNR", "gray", "5+5E 5+5E"),
    ],
)
def test_trains_of_other_titles(records: Path, say: Say, record: str, company: str, color: str, trains: str) -> None:
    game = imported(records / f"{record}.json")
    title, state = game.title, game.state
    names = tuple(TrainName(name) for name in trains.split())
    own = next(c for c in state.companies if c == company)
    traits = replace(
        title.policies.run_traits(title, state, own), trains=names, reaches=tuple(title.trains[n].reach for n in names)
    )
    seconds, best = timed(crowded(state.board, company, color), traits)
    say(
        f"{record}, {company} with {trains} and markers in the eight richest cities:"
        f" {best.value} of at most {best.bound}, {seconds:.1f} s"
    )
