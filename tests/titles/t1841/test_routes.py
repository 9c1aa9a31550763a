"""Runs of 1841: what a route needs, what counts and what is free, and what may not be passed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.ids import CompanyId, HexId, TrainName
from engine.core.orders import Route
from engine.core.state import State
from engine.core.title import Title
from engine.routes.legality import RunCheck, can_run, check_run
from engine.routes.optimum import best_run
from tests.kit.games.positions import board, position, start
from tests.kit.games.situations_1841 import title

row = pytest.mark.clarification
rule = pytest.mark.rule

# The port of Genova, Genova, a pass and Milano; Milano, Como and Bergamo in a triangle; Milano, Piacenza and Parma;
# Venezia with its port, and Padova; Treviso with both hexes of East, and over a pass to Trento.
TILES = {
    "M7": "608#0", "K7": "613#0", "I7": "9#0", "G7": "8#4", "F8": "604#1", "D8": "5#5", "E9": "201#1", "G9": "8#0",
    "I9": "58#3", "J10": "9#2", "K11": "57#2", "F16": "601#0", "G15": "621#1", "D16": "619#2", "C15": "613#2",
}  # fmt: skip
MARKERS = {
    "M7": [["RATF"]], "F8": [["AFI"]], "K7": [["ATFA"]], "K11": [["ICSF"]], "F16": [["AFI"]], "D16": [["AFI"]],
}  # fmt: skip
YELLOW_MILANO = {hex: tile for hex, tile in TILES.items() if hex != "F8"}
OPEN_PASS = {hex: cities for hex, cities in MARKERS.items() if hex != "K7"}


def where(
    game: Title, trains: str, company: str, phase: str = "3", tiles: dict[str, str] = TILES, open_pass: bool = False
) -> State:
    state = position(start(game), game, tiles, OPEN_PASS if open_pass else MARKERS, phase)
    owner = CompanyId(company)
    owned = tuple(TrainName(train) for train in trains.split())
    return replace(state, companies={**state.companies, owner: replace(state.companies[owner], trains=owned)})


def run(game: Title, company: str, routes: str, phase: str = "3", open_pass: bool = False, **more: str) -> RunCheck:
    """Judge ``routes``, written as in the notation: ``3 M7-K7-F8, 2 F8-E9``. The company has just these trains."""
    declared = [route.split() for route in routes.split(", ")]
    trains = " ".join(train for train, _ in declared)
    tiles = YELLOW_MILANO if more.get("milano") == "yellow" else TILES
    state = where(game, trains, company, phase, tiles, open_pass)
    named = tuple(Route(TrainName(train), tuple(HexId(h) for h in hexes.split("-"))) for train, hexes in declared)
    return check_run(state.board, game.policies.run_traits(game, state, CompanyId(company)), named)


@pytest.mark.parametrize(
    ("company", "routes", "values"),
    [
        pytest.param("AFI", "2 F8-E9", (130,), id="two large cities", marks=[row("1.11"), rule("1841:7.1")]),
        pytest.param("ICSF", "2 I9-K11", (30,), id="a large and a small city", marks=[row("1.11"), rule("1841:7.1")]),
        pytest.param("AFI", "2 F8-I9-K11", (130,), id="a small city is free", marks=[row("1.12"), rule("1841:7.3")]),
        pytest.param("AFI", "2 F8-K11", (130,), id="and paid if it is not named", marks=row("1.12")),
        pytest.param("AFI", "2 G17-F16-F16-G15", (100,), id="a port is free", marks=[row("1.12"), row("5.2")]),
        pytest.param("AFI", "2 D16-E17", (80,), id="an area counts as a city", marks=[row("5.2"), rule("1841:7.1")]),
        pytest.param("AFI", "4 E17-D16-C15-B14", (100,), id="a pass counts", marks=[row("1.12"), row("5.2")]),
        pytest.param("RATF", "2 K7-M7", None, id="a pass is no city", marks=[row("1.11"), row("5.2")]),
        pytest.param("AFI", "2 F8-E9, 3 F8-D8-E9", (130, 150), id="on other track", marks=rule("1841:7.5")),
    ],
)
def test_what_counts_and_what_is_free(company: str, routes: str, values: tuple[int, ...] | None) -> None:
    check = run(title(), company, routes)
    assert (check.values, bool(check.failures)) == (values or (), values is None)


@pytest.mark.parametrize(
    ("company", "routes", "checks"),
    [
        pytest.param(
            "RATF", "2 O7-M7-K7", ["run.two_stations"], id="port, Genova, pass",
            marks=[row("1.11"), row("5.2"), rule("1841:7.1")],
        ),
        pytest.param(
            "ATFA", "3 F8-K7-M7", ["run.no_own_marker"], id="a token in a pass is not enough",
            marks=[row("1.11"), rule("1841:7.2")],
        ),
        pytest.param(
            "AFI", "3 F8-K7-M7", ["run.passes_blocked_city"], id="through a pass that others fill",
            marks=rule("1841:7.4"),
        ),
        pytest.param(
            "AFI", "3 E17-D16-C15-B14", ["run.too_long"], id="the pass is one too many",
            marks=[row("1.12"), row("5.2"), rule("1841:7.3")],
        ),
        pytest.param(
            "AFI", "3 C17-D16-E17", ["run.area_twice"], id="one area by two hexes",
            marks=[rule("1841:7.5"), rule("1841:7.6")],
        ),
        pytest.param("AFI", "2 F8-E9, 2 E9-F8", ["run.shared_track"], id="one track", marks=rule("1841:7.5")),
        pytest.param("AFI", "4 D16-E17-D16", ["run.stop_twice", "run.track_twice", "run.through_offboard"], id="back",
                     marks=rule("1841:7.5")),
    ],
)  # fmt: skip
def test_what_no_run_may_do(company: str, routes: str, checks: list[str]) -> None:
    assert [failure.check for failure in run(title(), company, routes).failures] == checks


def test_a_refusal_names_the_stops_that_are_enough_and_the_kinds_that_would_be() -> None:
    (failure,) = run(title(), "RATF", "2 O7-M7-K7").failures
    assert failure.facts["hexes"] == ("M7",)
    assert failure.facts["kinds"] == ("city", "offboard", "town")


@row("1.11", site=True)
@rule("1841:7.2")
def test_as_the_site_plays_a_token_in_a_pass_will_do() -> None:
    check = run(title("v1"), "ATFA", "3 F8-K7-M7")
    assert (check.failures, check.values) == ((), (140,))


@row("1.12")
@row("5.2")
@rule("1841:7.3")
def test_passes_are_free_to_8_trains_only() -> None:
    game = title()
    state = where(game, "8", "AFI")
    traits = game.policies.run_traits(game, state, CompanyId("AFI"))
    route = (Route(TrainName("8"), tuple(map(HexId, ("E17", "D16", "C15", "B14")))),)
    three = replace(traits, reaches=(replace(game.trains[TrainName("8")].reach, stops=3),))
    assert check_run(state.board, three, route).values == (100,)
    like_7 = replace(traits, reaches=(replace(game.trains[TrainName("7")].reach, stops=3),))
    assert [f.check for f in check_run(state.board, like_7, route).failures] == ["run.too_long"]


@rule("1841:7.9")
def test_a_run_crosses_borders_that_are_active() -> None:
    assert run(title(), "RATF", "3 M7-K7-F8", phase="2", open_pass=True).values == (140,)


@pytest.mark.parametrize(("phase", "value"), [("2", 80), ("3", 80), ("4", 110), ("5", 110), ("6", 150), ("8", 150)])
@rule("1841:7.7")
def test_areas_pay_by_phase(phase: str, value: int) -> None:
    assert run(title(), "AFI", "2 D16-E17", phase=phase).values == (value,)


@pytest.mark.parametrize(
    ("routes", "checks"),
    [
        ("2 F8-D8", []),
        ("2 F8-E9", []),
        ("2 F8-D8, 2 F8-E9", ["run.shared_track"]),
        ("3 D8-F8-E9", ["run.track_twice", "run.through_stem"]),
    ],
)
@rule("1841:7.8")
def test_one_train_uses_the_stem_of_yellow_milano_and_none_goes_through(routes: str, checks: list[str]) -> None:
    assert [failure.check for failure in run(title(), "AFI", routes, milano="yellow").failures] == checks


@rule("1841:7.8")
def test_the_best_run_knows_the_stem() -> None:
    game = title()
    state = where(game, "2 2", "AFI", tiles={hex: YELLOW_MILANO[hex] for hex in ("D8", "E9")})
    best = best_run(state.board, game.policies.run_traits(game, state, CompanyId("AFI")))
    assert (best.value, best.proven) == (60 + 30, True)


@row("1.11")
@rule("1841:7.1")
def test_who_reaches_ports_and_passes_alone_has_no_route() -> None:
    game = title()
    for tiles, able in (({"M7": "608#0", "K7": "613#0"}, False), (TILES, True)):
        state = where(game, "3", "RATF", tiles=tiles, open_pass=True)
        traits = game.policies.run_traits(game, state, CompanyId("RATF"))
        assert can_run(state.board, traits) is able
        assert bool(best_run(state.board, traits).routes) is able


@rule("1841:7.5")
def test_both_cities_of_yellow_torino_are_stops_of_one_run() -> None:
    game, loop = title(), (HexId("H4"), HexId("I5"), HexId("G5"), HexId("H4"))
    here = board(game, {"G5": "7#0", "I5": "3#2"}, {"H4": [["SFTG"], []]})
    traits = game.policies.run_traits(game, where(game, "2", "SFTG"), CompanyId("SFTG"))
    assert check_run(here, traits, (Route(TrainName("2"), loop),)).values == (90,)
    assert best_run(here, traits).value == 90
