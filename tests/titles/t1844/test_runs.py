"""Runs of 1844: what they earn, why they are refused, and every run of a recorded game with the best beside it."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import pytest

import engine
from engine.board.board import Board
from engine.core.ids import CompanyId, HexId, PhaseName, TileId, TrainName
from engine.core.orders import Route
from engine.routes.legality import RunCheck, can_run, check_run
from engine.routes.optimum import best_run
from engine.routes.reach import RunTraits
from engine.titles.t1844.pieces import FURKA, PANELS, transit
from tests.kit.samples import sampled

rule = pytest.mark.rule
# Tiles lie as `hex tile#rotation`, pieces over others too; markers as `hex company/company`, a part for each city.
TILES = """
C10 19#1, D11 25#4, D13 611#5, E12 24#0, F11 906#0, G12 23#2, H13 611#4, D25 15#0, E24 24#3, F25 88#1, F23 9#1,
F21 15#1, E20 8#5, E18 611#2, D19 910#0, D17 204#1, D15 15#1, C14 87#4, C12 14#1, H11 9#0, I10 4#0, K10 915#0,
K8 911#1, J7 9#2, I6 915#1, I4 903#1, I2 8#4, J1 58#3, H5 43#3, G28 5#5, I28 57#2
"""
OVER = "I12 X78#3, K14 X79#2, J9 X78#3, H7 XM3#0, J29 XM1#0"
MARKERS = "F11 BLS/MOB/STB, I6 BLS, G28 ChA, D13 STB, C12 SBB"


def title() -> engine.Title:
    return engine.load_title("1844")


def laid(text: str) -> list[tuple[HexId, tuple[TileId, int]]]:
    entries = [entry.split() for entry in text.replace("\n", " ").split(",") if entry.strip()]
    return [(HexId(hex), (TileId(tile.split("#")[0]), int(tile.split("#")[1]))) for hex, tile in entries]


def board(tiles: str = "", over: str = OVER, markers: str = MARKERS) -> Board:
    standing = {}
    for entry in markers.split(", "):
        hex, companies = entry.split()
        standing[HexId(hex)] = (tuple(map(CompanyId, companies.split("/"))),)
    pieces: dict[HexId, tuple[tuple[TileId, int], ...]] = {}
    for at, piece in laid(over):
        pieces[at] = (*pieces.get(at, ()), piece)
    return Board(title().map, dict(laid(f"{TILES},{tiles}")), standing, pieces)


def traits(company: str, *trains: str, phase: str = "7", same_side: bool = True) -> RunTraits:
    phases = {p.name: p for p in title().phases}
    return RunTraits(
        CompanyId(company),
        tuple(map(TrainName, trains)),
        tuple(title().trains[TrainName(t)].reach for t in trains),
        phases[PhaseName(phase)].colors[-1],
        tunnel_bonus=10,
        transit=transit(title()),
        same_side_refused=not same_side,
        ends_need_value=frozenset({"mountain", "offboard"}),
    )


def run(company: str, routes: str, on: Board | None = None, **more: Any) -> RunCheck:
    """Judge ``routes``, written as in the notation: ``6 B11-D13-F11, 4H F11-D13``."""
    declared = [route.split() for route in routes.split(", ")]
    trains = tuple(dict.fromkeys(train for train, _ in declared))
    orders = tuple(Route(TrainName(t), tuple(map(HexId, hexes.split("-")))) for t, hexes in declared)
    return check_run(on or board(), traits(company, *trains, **more), orders)


def facts(check: RunCheck, key: str) -> dict[str, object]:
    (found,) = [f for f in check.failures if f.check == key]
    return dict(found.facts)


NINETEEN = "8E C26-D25-F25-F21-E18-D19-D17-D15-C14-D13-F11-I10-K10-K8-I6-I4-J1-K2-L1"


@pytest.mark.parametrize(
    ("company", "route", "value"),
    [
        pytest.param("STB", "6 B11-D13-F11-H13-J13-L15", 440, id="two tunnels, from north to south"),
        pytest.param("BLS", NINETEEN, 700, id="eight of nineteen, a tunnel, from east to west"),
        pytest.param("SBB", "5H C14-C12-D13-F11", 140, id="four stops in five hexes"),
        pytest.param("STB", "2 D13-B11", 100, id="an area at its last value"),
        pytest.param("BLS", "8E I4-I6-K10", 60 + 50 + 10 + 50, id="an 8E need not go far"),
        pytest.param("BLS", "2H I6-H7", 60, id="a mountain at its last value"),
    ],
)
@rule("1844:8.8", "1844:8.9", "1844:8.11", "1844:8.13", "1844:8.15", "1844:8.16")
def test_what_runs_earn(company: str, route: str, value: int) -> None:
    check = run(company, route)
    assert check.failures == ()
    assert check.values == (value,)


@rule("1844:8.9", "1844:8.15")
def test_a_tunnel_earns_more_for_each_stop_of_an_h_train_too() -> None:
    check = run("ChA", "4H G28-I28-J29", board(over="H27 X78#3, J29 XM1#0"), phase="5")
    assert (check.failures, check.values) == ((), (120,))


@rule("1844:8.13")
@pytest.mark.parametrize(("phase", "value"), [("2", 10), ("3", 50), ("5", 80), ("7", 10)])
def test_a_mountain_pays_by_its_panel_and_the_phase(phase: str, value: int) -> None:
    assert run("BLS", "2H I6-H7", phase=phase).values == (50 + value,)


@rule("1844:8.7", "1844:8.16")
def test_two_areas_of_one_side_are_ends_without_transit() -> None:
    route = "8E L1-K2-J1-I4-I6-K10-F11-D13-C12-C8"
    assert run("BLS", route).values == (90 + 70 + 60 + 60 + 50 + 50 + 40 + 40 + 80,)
    check = run("BLS", route, same_side=False)
    assert facts(check, "run.same_side")["hexes"] == ("L1", "C8")
    assert facts(check, "run.same_side")["side"] == "W"


@rule("1844:8.11", "1844:8.16")
def test_an_8e_counts_its_ends_for_transit_only_if_that_is_best() -> None:
    areas = tuple(replace(area, amount=5) for area in transit(title()))
    poor = replace(traits("BLS", "8E", phase="2"), transit=areas)
    check = check_run(board(), poor, (Route(TrainName("8E"), tuple(map(HexId, NINETEEN[3:].split("-")))),))
    assert check.failures == ()
    assert "C26" not in {hex for hex, _ in check.counted[0]}, "ten francs and ten of transit are less than a city"
    rich = run("BLS", NINETEEN, phase="2")
    assert {"C26", "L1"} < {hex for hex, _ in rich.counted[0]}


@pytest.mark.parametrize(
    ("company", "route", "checks"),
    [
        pytest.param("SBB", "4H C14-C12-D13-F11", ["run.too_many_hexes"], id="too many hexes", marks=rule("1844:8.9")),
        pytest.param("SBB", "3 C14-C12-D13-F11", ["run.too_long"], id="too many stops", marks=rule("1844:8.8")),
        pytest.param("STB", "6H D13-B11", ["run.shunned_hex"], id="an H-train to a red hex", marks=rule("1844:8.10")),
        pytest.param("STB", "6 F11-H13-I14", ["run.worthless_stop"], id="a bare mountain", marks=rule("1844:8.12")),
        pytest.param("BLS", "5 I4-H5-H7-I6", ["run.through_mountain"], id="over a mountain", marks=rule("1844:8.3")),
        pytest.param("SBB", "6 C8-C12-B11-D13", ["run.through_offboard"], id="through an area", marks=rule("1844:8.3")),
        pytest.param("SBB", "6 C12-D13-F11-H13", ["run.passes_blocked_city"], id="blocked", marks=rule("1844:8.2")),
        pytest.param("SBB", "3 F11-H13", ["run.no_own_marker"], id="no marker", marks=rule("1844:8.1")),
        pytest.param("BLS", "8H I6-H7, 4 K10-K8-I6-H7", [], id="two trains to a mountain", marks=rule("1844:8.5")),
        pytest.param("BLS", "2H I6-H7, 4 K10-I6-H5-H7", [], id="one of them told by its hexes"),
    ],
)  # fmt: skip
def test_why_runs_are_refused(company: str, route: str, checks: list[str]) -> None:
    check = run(company, route)
    assert [f.check for f in check.failures] == checks
    assert bool(check.values) == (not checks)


def test_refusals_name_what_a_person_must_see() -> None:
    assert facts(run("SBB", "4H C14-C12-D13-F11"), "run.too_many_hexes") == {
        "train": "4H", "route": ("C14", "C12", "D13", "F11"), "counted": 5, "limit": 4,
        "hexes": ("C14", "C12", "D13", "E12", "F11"),
    }  # fmt: skip
    shunned = facts(run("STB", "6H D13-B11"), "run.shunned_hex")
    assert (shunned["hexes"], shunned["color"]) == (("B11",), "red")
    bare = facts(run("STB", "6 F11-H13-I14"), "run.worthless_stop")
    assert (bare["hex"], bare["kind"]) == ("I14", "mountain")


@rule("1844:8.14")
def test_torino_is_no_stop_before_it_pays() -> None:
    on = board("L7 8#2, L9 9#1", markers=f"{MARKERS}, K10 VZ")
    on = on.lay(HexId("L9"), TileId("9"), 0).lay(HexId("K10"), TileId("915"), 3)
    assert failed(run("VZ", "2 K10-M8", on, phase="2")) == ["run.worthless_stop"]
    assert run("VZ", "2 K10-M8", on, phase="3").values == (80,)
    assert not any(HexId("M8") in route.hexes for route in best_run(on, traits("VZ", "2", phase="2")).routes)


def failed(check: RunCheck) -> list[str]:
    return [f.check for f in check.failures]


# ---- a recorded game -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Declared:
    """A recorded run: the position it was made in, what was declared, and what it paid."""

    label: str
    board: Board
    traits: RunTraits
    routes: tuple[Route, ...]
    values: tuple[int, ...]


def recorded_board(state: dict[str, Any]) -> Board:
    tiles = {h: (t.split("#")[0], int(t.split("#")[1])) for h, t in state["tiles"].items()}
    tiles = {HexId(h): (TileId(t), turned) for h, (t, turned) in tiles.items() if not t.startswith(("OP", "X7"))}
    over: dict[HexId, tuple[tuple[TileId, int], ...]] = {}

    def lay(hex: str, tile: str, turned: int) -> None:
        over[HexId(hex)] = (*over.get(HexId(hex), ()), (TileId(tile), turned))

    for hex, ((one, other),) in state["title_state"]["tunnels"].items():
        curved = (other - one) % 6 in (2, 4)
        lay(hex, "X78" if curved else "X79", one if (other - one) % 6 < 4 else other)
    for hex, table in state["title_state"]["mountains"].items():
        panels = [p for p in PANELS if title().map.tiles[p].face.offboards[0].revenue == table]
        for panel in panels[:1]:
            lay(hex, panel, 0)
    for hex, (tile, turned) in FURKA.items() if any(t.startswith("OP") for t in state["tiles"].values()) else ():
        lay(hex, tile, turned)
    markers = {
        HexId(hex): tuple(tuple(CompanyId(c) for c in city if c) for city in cities)
        for hex, cities in state["slots"].items()
        if any(c for city in cities for c in city)
    }
    return Board(title().map, tiles, markers, over)


def declared(records: Path) -> Iterator[Declared]:
    with gzip.open(records / "1844" / "160062.states.jsonl.gz", "rt") as lines:
        states = lines.readlines()
    for run in json.loads((records / "1844" / "160062.runs.json").read_text(encoding="utf-8")):
        state = json.loads(states[run["n_before"]])
        routes = tuple(Route(TrainName(r["train"]), tuple(map(HexId, r["hexes"]))) for r in run["routes"])
        values = tuple(r["revenue"] for r in run["routes"])
        owned = traits(run["corp"], *state["corporations"][run["corp"]]["trains"], phase=state["phase"])
        yield Declared(f"action {run['n']}, {run['corp']}", recorded_board(state), owned, routes, values)


@rule("1844:8.6", "1844:8.9", "1844:8.11", "1844:8.13", "1844:8.15", "1844:8.16", "1844:8.17")
@pytest.mark.parametrize("every", sampled((1, 8), (8,)))
def test_every_recorded_run_is_legal_and_the_best_is_proven(
    records: Path, capsys: pytest.CaptureFixture[str], every: int
) -> None:
    """One run in ``every``."""
    gains, times = [], []
    for run in islice(declared(records), None, None, every):
        checked = check_run(run.board, run.traits, run.routes)
        assert (checked.failures, checked.values) == ((), run.values), run.label
        assert can_run(run.board, run.traits), run.label
        began = time.perf_counter()
        best = best_run(run.board, run.traits)
        times.append(time.perf_counter() - began)
        assert best.proven, (run.label, best.value, best.bound)
        assert best.value >= sum(run.values), run.label
        again = check_run(run.board, run.traits, best.routes)
        assert (again.failures, again.values) == ((), best.values), (run.label, best.routes)
        gains.append(best.value - sum(run.values))
    better = [gain for gain in gains if gain]
    assert (len(gains), len(better), sum(better)) == (129, 17, 560) or every > 1
    assert len(gains) >= 129 // every
    with capsys.disabled():
        took = f"median {median(times) * 1000:.1f} ms, worst {max(times) * 1000:.0f} ms"
        found = f"{len(gains)} recorded runs, all proven; {len(better)} could have earned more, {sum(better)} in all"
        print(f"\n{found}; {took}")  # noqa: T201
