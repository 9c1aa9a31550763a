"""Laying and upgrading track, a table of situations for each rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.acts.lay_track import Earlier, check_lay, lay_price, lays_left, list_lays
from engine.acts.lays_left import LaysLeft
from engine.acts.track_connection import kind_of
from engine.board.map import Face, Stop
from engine.core.checks import Failure
from engine.core.ids import CompanyId, HexId, TileId
from engine.core.orders import Lay
from engine.families.f1867.turn.company_turn import RULES
from tests.kit.games.positions import Markers, Tiles
from tests.kit.games.track_situations import BARE, HOME, LINE, Where, fails, keys, title
from tests.kit.samples import sampled


def lay(hex: str) -> Lay:
    return Lay(CompanyId("M-V"), TileId("9"), HexId(hex), 0)


# ---- the turn -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1861:7.1")
@pytest.mark.parametrize(
    ("earlier", "order", "expected"),
    [
        ((), "9 I11 0", set()),
        ((("I15", False),), "9 I11 0", set()),
        ((("I15", True),), "9 I11 0", set()),
        ((("I11", False),), "23 I11 0", {"lay.same_hex"}),
        ((("I15", False), ("I17", False)), "9 I11 0", {"lay.most"}),
        ((("I13", True),), "23 I11 0", {"lay.second_upgrade"}),
    ],
)
def test_two_operations_in_different_hexes_and_one_upgrade(earlier: Earlier, order: str, expected: set[str]) -> None:
    tiles = LINE if "23" in order else {"I13": "57#0"}
    assert keys(Where(tiles, {"I13": [["M-V"]]}, "3", earlier), "M-V", order) == expected


@pytest.mark.rule("1861:7.1")
@pytest.mark.parametrize(
    ("earlier", "left"),
    [
        ((), LaysLeft(2, 1, 0, 20)),
        ((("I15", False),), LaysLeft(1, 1, 1, 20)),
        ((("I15", True),), LaysLeft(1, 0, 1, 20)),
        ((("I15", False), ("I17", True)), LaysLeft(0, 0, 2, 20)),
    ],
)
def test_the_lays_that_are_left_in_a_turn(earlier: Earlier, left: LaysLeft) -> None:
    assert lays_left(RULES, earlier) == left


@pytest.mark.rule("1861:7.1", "1861:7.8")
@pytest.mark.parametrize(
    ("hex", "earlier", "price"),
    [
        ("I11", (), 0),
        ("I11", (("I15", False),), 20),
        ("I15", (), 40),
        ("I15", (("I11", False),), 60),
        ("M11", (), 80),
        ("I5", (), 20),
    ],
)
def test_price_is_terrain_and_20_for_a_second_operation(hex: str, earlier: Earlier, price: int) -> None:
    assert lay_price(title(), HOME.state(), lay(hex), earlier, RULES) == price


@pytest.mark.rule("1861:7.8")
def test_what_cannot_be_paid_is_refused_with_what_is_missing() -> None:
    assert keys(replace(HOME, money=40), "M-V", "9 I15 0") == set()
    (failure,) = fails(replace(HOME, money=39), "M-V", "9 I15 0")
    assert failure == Failure("lay.money", {"hex": "I15", "cost": 40, "spendable": 39, "missing": 1})


@pytest.mark.rule("1861:7.9")
@pytest.mark.parametrize(
    ("hex", "tiles", "option", "price"),
    [
        ("D14", {}, "0", 0),
        ("D14", {"D14": "635#0"}, "0", 40),
        ("K7", {}, "0", 0),
        ("K7", {}, "20", 20),
        ("K7", {"K7": "207#4"}, "20", 0),
        ("I15", {"I15": "9#0"}, "0", 0),
        ("M7", {"M7": "57#0"}, "0", 0),
    ],
)
def test_upgrades_cost_nothing_but_kiev_to_brown_and_by_option_nizhnii_novgorod(
    hex: str, tiles: Tiles, option: str, price: int
) -> None:
    rules = title(k7_upgrade=option)
    assert lay_price(rules, Where(tiles, {}, "5").state(), lay(hex), (), RULES) == price


# ---- where ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1861:7.4")
def test_home_comes_first_in_any_orientation() -> None:
    for rotation in range(6):
        assert keys(BARE, "M-V", f"57 I13 {rotation}") == set()
    assert keys(BARE, "M-V", "9 I11 0") == {"lay.home", "lay.unconnected"}
    assert keys(BARE, "M-V", "9 I13 0") == {"lay.wrong_kind"}
    assert {x.hex for x in list_lays(title(), BARE.state(), CompanyId("M-V"), (), 1000, RULES)} == {"I13"}


@pytest.mark.rule("1861:7.4", "1861:7.16")
def test_printed_track_at_home_counts_as_track() -> None:
    moscow = Where({}, {"H8": [["M-K"], [], []]})
    assert keys(moscow, "M-K", "58 H10 1") == set()
    assert keys(moscow, "M-K", "58 H10 0") == {"lay.unconnected"}


@pytest.mark.rule("1861:7.4")
def test_home_of_a_started_public_company_is_where_its_first_marker_stands() -> None:
    assert keys(Where({}, {"L12": [["NW"]]}, "4"), "NW", "57 L12 0") == set()
    assert "lay.home" in keys(Where({}, {"L12": [["NW"]]}, "4"), "NW", "8 L10 0")


@pytest.mark.rule("1861:2.15")
@pytest.mark.parametrize(("phase", "expected"), [("2", {"lay.closed"}), ("3", set()), ("8", set())])
def test_hexes_of_private_companies_open_in_phase_3(phase: str, expected: set[str]) -> None:
    where = Where({**LINE, "K11": "4#1"}, {"I13": [["M-V"]]}, phase)
    assert keys(where, "M-V", "9 I9 0") == expected


@pytest.mark.rule("1861:7.5")
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("9 I11 0", set()),
        ("8 I11 0", set()),
        ("8 I11 1", {"lay.unconnected"}),
        ("9 H14 0", {"lay.unconnected"}),
        ("4 I17 0", {"lay.unconnected"}),
    ],
)
def test_yellow_track_extends_a_route(order: str, expected: set[str]) -> None:
    assert keys(HOME, "M-V", order) == expected


@pytest.mark.rule("1861:7.5")
def test_a_refusal_names_the_edges_where_a_route_arrives() -> None:
    (failure,) = fails(HOME, "M-V", "8 I11 1")
    assert failure.facts["edges"] == ("S",)
    assert failure.facts["exits"] == ("SW", "N")


@pytest.mark.rule("1861:7.5", "1861:8.1")
def test_a_city_full_of_others_ends_the_route_that_track_would_extend() -> None:
    tiles = {"I13": "57#0", "I11": "9#0", "I9": "9#0", "I7": "57#0"}
    where = Where(tiles, {"I13": [["M-V"]]}, "3")
    assert keys(where, "M-V", "4 I5 0") == set()
    blocked = replace(where, markers={"I13": [["M-V"]], "I7": [["N"]]})
    assert keys(blocked, "M-V", "4 I5 0") == {"lay.unconnected"}


def test_a_hex_with_cities_is_of_the_kind_of_the_first() -> None:
    city, halt = Stop("city", 20, 1), Stop("pass", 0, 1)
    assert kind_of(Face("green", (city, halt))) == "city" and kind_of(Face("green", (halt, city))) == "pass"


# ---- which tile -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("1861:7.2")
@pytest.mark.parametrize(
    ("phase", "order", "expected"),
    [
        ("2", "14 I13 0", {"lay.color"}),
        ("3", "14 I13 0", set()),
        ("4", "63 I13 0", {"lay.color", "lay.wrong_step"}),
        ("5", "63 I13 0", {"lay.wrong_step"}),
    ],
)
def test_colours_come_with_the_phases_and_one_at_a_time(phase: str, order: str, expected: set[str]) -> None:
    assert keys(replace(HOME, phase=phase), "M-V", order) == expected


@pytest.mark.rule("1861:7.6")
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("57 I11 0", {"lay.wrong_kind"}),
        ("4 I11 0", {"lay.wrong_kind"}),
        ("201 I13 0", {"lay.wrong_step", "lay.label"}),
    ],
)
def test_a_tile_shows_what_the_hex_shows(order: str, expected: set[str]) -> None:
    assert keys(HOME, "M-V", order) == expected


@pytest.mark.rule("1861:7.6", "1861:7.14")
def test_a_y_city_takes_y_tiles_and_no_other_does() -> None:
    samara = Where({}, {"N10": [["S-V"]]}, "3")
    assert keys(samara, "S-V", "57 N10 0") == {"lay.label"}
    assert keys(samara, "S-V", "621 N10 0") == set()
    assert keys(BARE, "M-V", "621 I13 0") == {"lay.label"}


@pytest.mark.rule("1861:7.7")
@pytest.mark.parametrize(
    ("tiles", "markers", "company", "order", "edges"),
    [
        ({}, {"B4": [["R-O"]]}, "R-O", "621 B4 0", ("N",)),
        ({}, {"D20": [["O-K"]]}, "O-K", "201 D20 0", ("S",)),
        ({}, {"K17": [["T-R"]]}, "T-R", "57 K17 1", ("NE",)),
    ],
)
def test_track_does_not_leave_the_map(
    tiles: Tiles, markers: Markers, company: str, order: str, edges: tuple[str, ...]
) -> None:
    (failure,) = fails(Where(tiles, markers, "3"), company, order)
    assert failure.check == "lay.edge"
    assert failure.facts["edges"] == edges


@pytest.mark.rule("1861:7.7")
def test_track_does_not_meet_a_blank_side_of_a_gray_hex() -> None:
    # B6 lies beside Dünaberg C5, which has no track on that side.
    riga = Where({"B4": "201#0"}, {"B4": [["R-O"]]})
    assert keys(riga, "R-O", "9 B6 0") == set()
    (failure,) = fails(riga, "R-O", "7 B6 3")
    assert (failure.check, failure.facts["edges"]) == ("lay.edge", ("NE",))


@pytest.mark.rule("1861:7.3", "1861:7.17")
def test_a_used_up_tile_must_be_freed_first_and_plain_yellow_never_runs_out() -> None:
    gone = {"E9": "57#0", "H18": "57#0"}
    assert keys(Where(gone, {"I13": [["M-V"]]}), "M-V", "57 I13 0") == {"lay.used_up"}
    freed = {"E9": "14#0", "H18": "57#0"}
    assert keys(Where(freed, {"I13": [["M-V"]]}, "3"), "M-V", "57 I13 0") == set()
    many: dict[str, str] = {h: "9#0" for h in title().map.hexes if h not in ("I13", "I11")}
    assert "lay.used_up" not in keys(Where({**many, "I13": "57#0"}, {"I13": [["M-V"]]}), "M-V", "9 I11 0")


@pytest.mark.rule("1861:7.16")
def test_printed_track_is_upgraded_and_takes_no_yellow_tile() -> None:
    moscow = Where({}, {"H8": [["M-K"], [], []]}, "3")
    assert keys(moscow, "M-K", "637 H8 0") == set()
    assert "lay.wrong_step" in keys(moscow, "M-K", "57 H8 0")
    (failure,) = fails(Where({"B4": "201#0"}, {"B4": [["R-O"]]}), "R-O", "7 C5 0")
    assert failure == Failure("lay.never", {"hex": "C5", "color": "gray"})


# ---- answers --------------------------------------------------------------------------------------------------------


def test_every_failed_check_is_named_at_once() -> None:
    where = replace(HOME, earlier=((HexId("I13"), True), (HexId("I15"), False)), money=0)
    assert keys(where, "M-V", "63 H6 0") == {
        "lay.most", "lay.closed", "lay.money", "lay.color", "lay.wrong_step", "lay.wrong_kind", "lay.unconnected",
    }  # fmt: skip


@pytest.mark.parametrize(("order", "check"), [("9 Z9 0", "lay.no_hex"), ("999 I11 0", "lay.no_tile")])
def test_unknown_names_are_told(order: str, check: str) -> None:
    assert keys(HOME, "M-V", order) == {check}


@pytest.mark.parametrize("company", sampled(("M-V", "M-K"), ("M-V",)))
def test_the_list_holds_exactly_the_lays_that_pass(company: str) -> None:
    where = Where({**LINE, "I9": "8#0", "H8": "637#0"}, {"I13": [["M-V"]], "H8": [["M-K"], [], []]}, "3")
    state = where.state()
    listed = set(list_lays(title(), state, CompanyId(company), (), 1000, RULES))
    looks = {state.board.lay(x.hex, x.tile, x.rotation).face(x.hex).exits for x in listed}
    for hex in title().map.hexes:
        for tile in title().map.tiles:
            for rotation in range(6):
                order = Lay(CompanyId(company), tile, hex, rotation)
                if not check_lay(title(), state, order.actor, order, (), 1000, RULES):
                    same = {x for x in listed if (x.hex, x.tile) == (hex, tile)}
                    exits = state.board.lay(hex, tile, rotation).face(hex).exits
                    assert exits in {state.board.lay(hex, tile, x.rotation).face(hex).exits for x in same}
                else:
                    assert order not in listed
    assert looks
