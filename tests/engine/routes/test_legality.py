"""Whether a declared run is legal, and every reason why it is not, on one position of a recorded game."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import pytest

import engine
from engine.board.board import Board
from engine.core.checks import Failure
from engine.core.ids import CompanyId, HexId, TileId, TrainName
from engine.core.orders import Route
from engine.routes.legality import RunCheck, can_run, check_run
from engine.routes.reach import PairBonus, RunTraits, TrainReach

# Tiles lie as `hex tile#rotation`; markers as `hex company/company` with a part for each city.
TILES = """
B12 9#2, B4 207#4, B6 8#0, B8 204#1, C13 27#5, C9 58#2, D14 635#0, D16 9#0, D18 9#0, D20 202#1, E13 204#1, E9 5#5,
F10 8#2, F12 9#1, G11 24#4, G13 4#0, G15 201#3, G9 9#1, H10 87#1, H14 9#1, H18 5#5, H8 637#1, I11 9#0, I13 15#1,
I19 57#2, I7 8#5, I9 8#0, J8 8#2, L8 8#2, M7 6#5, N10 202#1, N8 8#2, O7 9#1, P6 9#1
"""
MARKERS = "B4 RO, D14 -/KB/KK, D20 OK, E1 SPW/-, E9 NW, G15 KR, H8 NW/GRR/MK, I13 MV, I19 V, Q3 GRR"
PAIR = PairBonus(HexId("Q3"), HexId("H8"), 40)
rule = pytest.mark.rule
EXPRESS = TrainReach(5, frozenset({"offboard"}), 2, own_marker_counts=True)


def board_with(tiles: str = "", markers: str = MARKERS) -> Board:
    laid = {}
    for entry in f"{TILES},{tiles}".replace("\n", " ").split(","):
        if entry.strip():
            hex, tile = entry.split()
            name, rotation = tile.split("#")
            laid[HexId(hex)] = (TileId(name), int(rotation))
    standing = {}
    for entry in markers.split(","):
        hex, cities = entry.split()
        standing[HexId(hex)] = tuple(
            tuple(CompanyId(c) for c in city.split("+") if c != "-") for city in cities.split("/")
        )
    return Board(engine.load_title("1861", edition="2020").map, laid, standing)


@lru_cache(maxsize=1)
def board() -> Board:
    return board_with()


def traits(company: str, *trains: str, color: str = "green", bonuses: str = "") -> RunTraits:
    reaches = {"5+5E": EXPRESS, "2+2": TrainReach(2, multiplier=2)}
    return RunTraits(
        CompanyId(company),
        tuple(TrainName(t) for t in trains),
        tuple(reaches.get(t) or TrainReach(int(t)) for t in trains),
        color,
        tuple((tuple(HexId(h) for h in hexes.split("+")), 10) for hexes in bonuses.split()),
        (PAIR,),
    )


def run(company: str, trains: str, routes: str, on: Board | None = None, **more: str) -> RunCheck:
    """Judge ``routes``, written as in the notation: ``3 G15-I13-H8, 2 H8-E1``."""
    declared = []
    for route in routes.split(","):
        train, hexes = route.split()
        declared.append(Route(TrainName(train), tuple(HexId(h) for h in hexes.split("-"))))
    return check_run(on or board(), traits(company, *trains.split(), **more), tuple(declared))


def failed(check: RunCheck) -> list[str]:
    return [failure.check for failure in check.failures]


def fact(check: RunCheck, key: str) -> dict[str, object]:
    (found,) = [f for f in check.failures if f.check == key]
    return dict(found.facts)


@pytest.mark.parametrize(
    ("company", "trains", "routes", "values"),
    [
        pytest.param("MV", "2", "2 I13-H8", (80,), id="two cities", marks=rule("9.1")),
        pytest.param("MV", "3", "3 G15-I13-H8", (110,), id="three cities", marks=rule("9.1")),
        pytest.param("MV", "3", "3 H8-I13-G15", (110,), id="the other way round"),
        pytest.param("MV", "3", "3 I13-H8", (80,), id="shorter than it could be"),
        pytest.param("NW", "2", "2 E1-H8", (90,), id="a town left out", marks=rule("9.2")),
        pytest.param("NW", "2", "2 E1-G5-H8", (90,), id="a town that does not count named", marks=rule("9.2")),
        pytest.param("NW", "3", "3 E1-G5-H8", (100,), id="a town in a free place", marks=rule("9.2")),
        pytest.param("NW", "3", "3 E1-F2-F4-G5-G7-H8", (100,), id="every hex named"),
        pytest.param("NW", "2 2", "2 E1-H8, 2 H8-E9", (90, 70), id="meeting in a city", marks=rule("9.3")),
        pytest.param("RO", "2", "2 B4-B8-A9", (80,), id="into an area", marks=rule("9.5")),
        pytest.param("GRR", "4", "4 Q3-M7-K7-H8", (180,), id="Ekaterinburg and Moscow", marks=rule("9.6")),
        pytest.param("GRR", "3", "3 Q3-M7-K7", (90,), id="Ekaterinburg alone", marks=rule("9.6")),
        pytest.param("MK", "2+2", "2+2 H8-I13", (160,), id="twice", marks=rule("9.9")),
        pytest.param("GRR", "5+5E", "5+5E Q3-M7-K7-H8", (360,), id="express", marks=rule("9.8")),
    ],
)  # fmt: skip
def test_legal_runs(company: str, trains: str, routes: str, values: tuple[int, ...]) -> None:
    check = run(company, trains, routes)
    assert check.failures == ()
    assert check.values == values


@pytest.mark.parametrize(
    ("company", "trains", "routes", "checks"),
    [
        pytest.param("MV", "2", "3 I13-H8", ["run.no_such_train"], id="a train it has not"),
        pytest.param("MV", "2 3", "2 I13-H8, 2 I13-G15", ["run.train_twice"], id="one train twice", marks=rule("9.1")),
        pytest.param("MV", "2", "2 I13-Z99", ["run.no_such_hex"], id="off the map"),
        pytest.param("MV", "2", "2 I13-I11", ["run.end_without_stop"], id="ending on open track", marks=rule("9.2")),
        pytest.param("MV", "2", "2 I13", ["run.too_short"], id="one stop", marks=rule("9.1")),
        pytest.param("MV", "2", "2 I13-K7", ["run.no_track"], id="no track", marks=rule("8.1")),
        pytest.param("NW", "3", "3 H8-E9-H8", ["run.stop_twice", "run.track_twice"], id="and back", marks=rule("8.1")),
        pytest.param("NW", "2", "2 E9-H8-G5", ["run.end_not_counted"], id="a town too many", marks=rule("9.2")),
        pytest.param("MV", "2", "2 G15-I13-H8", ["run.too_long"], id="too many cities", marks=rule("9.1")),
        pytest.param("KR", "3", "3 G15-I13-H8", ["run.passes_blocked_city"], id="through others", marks=rule("8.1")),
        pytest.param("RO", "2", "2 I13-H8", ["run.no_own_marker"], id="no marker of its own", marks=rule("8.1")),
        pytest.param("GRR", "3", "3 Q3-K7", ["run.stop_not_named"], id="a city left out", marks=rule("9.2")),
        pytest.param("MV", "2 3", "2 I13-H8, 3 G15-I13-H8", ["run.shared_track"], id="same track", marks=rule("9.3")),
        pytest.param("NW", "4", "4 E9-H8-E1", [], id="through its own city"),
        pytest.param("MK", "4", "4 I13-H8-E9", ["run.no_track"], id="space to space", marks=rule("8.1")),
    ],
)  # fmt: skip
def test_illegal_runs_say_why(company: str, trains: str, routes: str, checks: list[str]) -> None:
    markers = MARKERS.replace("I13 MV", "I13 MV+RO") if company == "KR" else MARKERS
    check = run(company, trains, routes, board_with(markers=markers))
    assert failed(check) == checks
    assert bool(check.values) == (not checks)


def test_every_reason_is_given_at_once() -> None:
    check = run("RO", "2 3", "2 I13-K7, 3 B4-X1, 4 B4-A9, 2 A9-B8-B4-C5")
    assert failed(check) == [
        "run.train_twice", "run.no_track", "run.no_such_hex", "run.no_such_train", "run.end_not_counted",
    ]  # fmt: skip
    check = run("RO", "2", "2 G15-I13-H8-I13")
    assert failed(check) == [
        "run.stop_twice", "run.track_twice", "run.passes_blocked_city", "run.no_own_marker", "run.too_long",
    ]  # fmt: skip


def test_facts_name_what_a_person_must_see() -> None:
    assert fact(run("MV", "2", "2 G15-I13-H8"), "run.too_long") == {
        "train": "2", "route": ("G15", "I13", "H8"), "counted": 3, "limit": 2, "hexes": ("G15", "I13", "H8"),
    }  # fmt: skip
    shared = fact(run("MV", "2 3", "2 I13-H8, 3 G15-I13-H8"), "run.shared_track")
    assert (shared["train"], shared["other"]) == ("2", "3")
    assert set(shared["hexes"]) == {"I13", "I11", "I9", "H8"}  # type: ignore[call-overload]
    gap = fact(run("MV", "2", "2 I13-H8-K7"), "run.no_track")
    assert (gap["from"], gap["to"]) == ("H8", "K7")
    full = board_with(markers=MARKERS.replace("I13 MV", "I13 MV+RO"))
    assert fact(run("KR", "3", "3 G15-I13-H8", full), "run.passes_blocked_city")["companies"] == ("MV", "RO")


@rule("8.1")
def test_a_free_circle_lets_others_pass() -> None:
    assert run("KR", "3", "3 G15-I13-H8").values == (110,)


@rule("8.1", "9.4")
def test_an_area_ends_a_route_and_is_one_place() -> None:
    on = board_with("D12 8#0, C11 9#2, B10 9#2")  # from Kiev into Poland on both sides
    assert run("KB", "2", "2 A11-D14", on).values == (80,)
    assert run("KB", "2", "2 D14-A9", on).values == (80,)
    assert run("KB", "2 2", "2 A11-D14, 2 D14-A9", on).values == (80, 80)
    check = run("KB", "3", "3 A11-D14-A9", on)
    assert failed(check) == ["run.area_twice"]
    assert fact(check, "run.area_twice")["hexes"] == ("A11", "A9")
    check = run("KB", "4", "4 B4-A9-D14", on)
    assert failed(check) == ["run.through_offboard"]
    assert fact(check, "run.through_offboard")["hex"] == "A9"


@rule("8.1")
def test_two_spaces_of_one_city_hex_are_one_place() -> None:
    on = board_with("G9 27#4, H10 911#5")  # a loop from one side of Moscow to the other
    assert run("NW", "2", "2 H8-G9-H10", on).values == (60,)
    check = run("NW", "3", "3 H8-H10-H8", on)
    assert failed(check) == ["run.hex_twice"]
    assert fact(check, "run.hex_twice")["hex"] == "H8"


@rule("9.5")
@pytest.mark.parametrize(("color", "value"), [("yellow", 70), ("green", 80), ("brown", 90), ("gray", 110)])
def test_areas_pay_by_the_colour_of_the_phase(color: str, value: int) -> None:
    assert run("RO", "2", "2 B4-A9", color=color).values == (value,)


@rule("9.7")
def test_private_bonuses_are_paid_to_each_train_that_counts_the_place() -> None:
    assert run("MV", "2 2", "2 I13-H8, 2 I13-G15", bonuses="H8 H8").values == (100, 60)
    assert run("RO", "2", "2 B4-A9", bonuses="A9+A11+A13+A15").values == (90,)


@rule("9.8")
def test_an_express_counts_the_best_five_and_its_marker() -> None:
    check = run("OK", "5+5E", "5+5E A11-D14")
    assert failed(check) == ["run.no_own_marker"]
    short = TrainReach(2, frozenset({"offboard"}), 2, own_marker_counts=True)
    express = RunTraits(CompanyId("MV"), (TrainName("E"),), (short,), "green")
    route = Route(TrainName("E"), (HexId("G15"), HexId("I13"), HexId("H8")))
    check = check_run(board(), express, (route,))
    assert failed(check) == ["run.own_marker_not_counted"]
    touched = RunTraits(CompanyId("MV"), (TrainName("E"),), (TrainReach(2, frozenset({"offboard"}), 2),), "green")
    assert check_run(board(), touched, (route,)).values == (160,)


def test_two_ways_that_pay_differently_must_be_told_apart() -> None:
    on = board_with("I11 4#0, H10 911#5, H12 58#3")  # from Voronezh to Moscow over one town, or over two
    check = run("MV", "4", "4 I13-H8", on)
    assert failed(check) == ["ambiguous.route"]
    facts = fact(check, "ambiguous.route")
    assert set(facts["hexes"]) == {"I11", "I9", "H12", "H10"}  # type: ignore[call-overload]
    assert {way[0]: set(way[1:]) for way in facts["choices"]} == {90: {"I11", "I9"}, 100: {"H12", "H10"}}  # type: ignore[attr-defined]
    assert run("MV", "4", "4 I13-I9-H8", on).values == (90,)
    assert run("MV", "4", "4 I13-H12-H8", on).values == (100,)
    assert run("MV", "4 4", "4 I13-I11-H8, 4 I13-H8", on).values == (90, 100)  # the first run leaves one way only
    assert run("MV", "2", "2 I13-H8", on).values == (80,)  # it makes no difference


def test_a_town_that_is_not_named_is_one_that_does_not_count() -> None:
    on = board_with("H10 911#5, H12 8#3")  # from Voronezh to Moscow directly, or over one town
    assert run("MV", "3", "3 I13-H8", on).values == (80,)
    assert run("MV", "3", "3 I13-H10-H8", on).values == (90,)


@rule("9.11")
def test_no_routes_at_all_are_legal_and_earn_nothing() -> None:
    check = check_run(board(), traits("MV", "2"), ())
    assert (check.failures, check.total) == ((), 0)


@rule("9.11")
def test_can_run_asks_for_a_second_stop_next_to_a_marker() -> None:
    assert can_run(board(), traits("MV", "2"))
    assert not can_run(board(), traits("SV", "2"))
    assert not can_run(board(), traits("MV"))
    lonely = board_with(markers="N10 SV")
    assert not can_run(lonely, traits("SV", "2", "5+5E"))


def test_whatever_is_named_is_answered() -> None:
    random = Random(1861)
    hexes = sorted(board().map.hexes)
    near = [*sorted(board().tiles), "E1", "C5", "A5", "K7", "Q3", "Q5", "A9", "J20"]
    for _ in range(1500):
        names = [random.choice(near if random.random() < 0.97 else hexes) for _ in range(random.randrange(0, 6))]
        check = check_run(board(), traits("NW", "4"), (Route(TrainName("4"), tuple(HexId(h) for h in names)),))
        assert bool(check.failures) != bool(check.values), names


def test_failures_are_values() -> None:
    first, second = run("MV", "2", "2 I13-K7"), run("MV", "2", "2 I13-K7")
    assert first == second
    assert isinstance(first.failures[0], Failure)
