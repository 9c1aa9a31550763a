"""Laying and upgrading track, a table of situations for each rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pytest

import engine
from engine.board.board import Board
from engine.board.network import reach
from engine.core.checks import Failure
from engine.core.ids import CompanyId, HexId, TileId
from engine.core.orders import Lay
from engine.core.state import State
from engine.core.title import Title
from engine.steps.lay_track import Earlier, check_lay, lay_price, list_lays
from tests.positions import Markers, Tiles, from_record, position, recorded, start


@lru_cache(maxsize=8)
def title(edition: str = "v2.0", **options: str) -> Title:
    return engine.load_title("1861", edition, options)


@lru_cache(maxsize=1)
def first() -> State:
    return start(title())


@dataclass(frozen=True, slots=True)
class Where:
    """A position: tiles, markers, phase, and what was laid this turn before."""

    tiles: Tiles
    markers: Markers
    phase: str = "2"
    earlier: Earlier = ()
    money: int = 1000

    def state(self) -> State:
        return position(first(), title(), self.tiles, self.markers, self.phase)


def lay(text: str, company: str) -> Lay:
    """``8 I7 1`` as an order."""
    tile, hex, rotation = text.split()
    return Lay(CompanyId(company), TileId(tile), HexId(hex), int(rotation))


def fails(where: Where, company: str, text: str, rules: Title | None = None) -> tuple[Failure, ...]:
    order = lay(text, company)
    return check_lay(rules or title(), where.state(), order.actor, order, where.earlier, where.money)


def keys(where: Where, company: str, text: str, rules: Title | None = None) -> set[str]:
    return {f.check for f in fails(where, company, text, rules)}


BARE = Where({}, {"I13": [["M-V"]]})
HOME = Where({"I13": "57#0"}, {"I13": [["M-V"]]})
LINE = {"I13": "57#0", "I11": "9#0"}


# ---- the turn -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.1")
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


@pytest.mark.rule("7.1", "7.8")
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
    assert lay_price(title(), HOME.state(), CompanyId("M-V"), HexId(hex), earlier) == price


@pytest.mark.rule("7.8")
def test_what_cannot_be_paid_is_refused_with_what_is_missing() -> None:
    assert keys(replace(HOME, money=40), "M-V", "9 I15 0") == set()
    (failure,) = fails(replace(HOME, money=39), "M-V", "9 I15 0")
    assert failure == Failure("lay.money", {"hex": "I15", "cost": 40, "spendable": 39, "missing": 1})


@pytest.mark.rule("7.9")
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
    assert lay_price(rules, Where(tiles, {}, "5").state(), CompanyId("M-V"), HexId(hex), ()) == price


# ---- where ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.4")
def test_home_comes_first_in_any_orientation() -> None:
    for rotation in range(6):
        assert keys(BARE, "M-V", f"57 I13 {rotation}") == set()
    assert keys(BARE, "M-V", "9 I11 0") == {"lay.home", "lay.unconnected"}
    assert keys(BARE, "M-V", "9 I13 0") == {"lay.wrong_kind"}
    assert {x.hex for x in list_lays(title(), BARE.state(), CompanyId("M-V"), (), 1000)} == {"I13"}


@pytest.mark.rule("7.4", "7.16")
def test_printed_track_at_home_counts_as_track() -> None:
    moscow = Where({}, {"H8": [["M-K"], [], []]})
    assert keys(moscow, "M-K", "58 H10 1") == set()
    assert keys(moscow, "M-K", "58 H10 0") == {"lay.unconnected"}


@pytest.mark.rule("7.4")
def test_home_of_a_started_public_company_is_where_its_first_marker_stands() -> None:
    assert keys(Where({}, {"L12": [["NW"]]}, "4"), "NW", "57 L12 0") == set()
    assert "lay.home" in keys(Where({}, {"L12": [["NW"]]}, "4"), "NW", "8 L10 0")


@pytest.mark.rule("2.15")
@pytest.mark.parametrize(("phase", "expected"), [("2", {"lay.closed"}), ("3", set()), ("8", set())])
def test_hexes_of_private_companies_open_in_phase_3(phase: str, expected: set[str]) -> None:
    where = Where({**LINE, "K11": "4#1"}, {"I13": [["M-V"]]}, phase)
    assert keys(where, "M-V", "9 I9 0") == expected


@pytest.mark.rule("7.5")
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


@pytest.mark.rule("7.5")
def test_a_refusal_names_the_edges_where_a_route_arrives() -> None:
    (failure,) = fails(HOME, "M-V", "8 I11 1")
    assert failure.facts["edges"] == ("S",)
    assert failure.facts["exits"] == ("SW", "N")


@pytest.mark.rule("7.5", "8.1")
def test_a_city_full_of_others_ends_the_route_that_track_would_extend() -> None:
    tiles = {"I13": "57#0", "I11": "9#0", "I9": "9#0", "I7": "57#0"}
    where = Where(tiles, {"I13": [["M-V"]]}, "3")
    assert keys(where, "M-V", "4 I5 0") == set()
    blocked = replace(where, markers={"I13": [["M-V"]], "I7": [["N"]]})
    assert keys(blocked, "M-V", "4 I5 0") == {"lay.unconnected"}


# ---- which tile -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.2")
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


@pytest.mark.rule("7.6")
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


@pytest.mark.rule("7.6", "7.14")
def test_a_y_city_takes_y_tiles_and_no_other_does() -> None:
    samara = Where({}, {"N10": [["S-V"]]}, "3")
    assert keys(samara, "S-V", "57 N10 0") == {"lay.label"}
    assert keys(samara, "S-V", "621 N10 0") == set()
    assert keys(BARE, "M-V", "621 I13 0") == {"lay.label"}


@pytest.mark.rule("7.7")
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


@pytest.mark.rule("7.7")
def test_track_does_not_meet_a_blank_side_of_a_gray_hex() -> None:
    # B6 lies beside Dünaberg C5, which has no track on that side.
    riga = Where({"B4": "201#0"}, {"B4": [["R-O"]]})
    assert keys(riga, "R-O", "9 B6 0") == set()
    (failure,) = fails(riga, "R-O", "7 B6 3")
    assert (failure.check, failure.facts["edges"]) == ("lay.edge", ("NE",))


@pytest.mark.rule("7.3", "7.17")
def test_a_used_up_tile_must_be_freed_first_and_plain_yellow_never_runs_out() -> None:
    gone = {"E9": "57#0", "H18": "57#0"}
    assert keys(Where(gone, {"I13": [["M-V"]]}), "M-V", "57 I13 0") == {"lay.used_up"}
    freed = {"E9": "14#0", "H18": "57#0"}
    assert keys(Where(freed, {"I13": [["M-V"]]}, "3"), "M-V", "57 I13 0") == set()
    many: dict[str, str] = {h: "9#0" for h in title().map.hexes if h not in ("I13", "I11")}
    assert "lay.used_up" not in keys(Where({**many, "I13": "57#0"}, {"I13": [["M-V"]]}), "M-V", "9 I11 0")


@pytest.mark.rule("7.16")
def test_printed_track_is_upgraded_and_takes_no_yellow_tile() -> None:
    moscow = Where({}, {"H8": [["M-K"], [], []]}, "3")
    assert keys(moscow, "M-K", "637 H8 0") == set()
    assert "lay.wrong_step" in keys(moscow, "M-K", "57 H8 0")
    (failure,) = fails(Where({"B4": "201#0"}, {"B4": [["R-O"]]}), "R-O", "7 C5 0")
    assert failure == Failure("lay.never", {"hex": "C5", "color": "gray"})


# ---- upgrades -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.10")
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("23 I11 0", set()),  # a new arm from the south edge, where the route comes
        ("20 I11 0", {"lay.new_unconnected"}),  # the new track crosses and meets no route
        (
            "27 I11 3",
            {"lay.new_unconnected"},
        ),  # the new arm joins at the north edge: to take it, a route would turn back
    ],
)
def test_some_new_plain_track_extends_a_route(order: str, expected: set[str]) -> None:
    assert keys(Where(LINE, {"I13": [["M-V"]]}, "3"), "M-V", order) == expected


EVERY = 41
"""One in so many upgrades is compared: all of them take over a minute (and hold)."""


@pytest.mark.rule("7.10", "7.11")
@pytest.mark.parametrize("game", ["29683", "167259"])
def test_connection_is_what_routes_reach_once_the_tile_lies(records: Path, game: str) -> None:
    compared, tried = set(), 0
    for number, (_, before) in enumerate(recorded(records / "1861", game, title())):
        if number % 90:
            continue
        state = from_record(first(), title(), before)
        companies = sorted({c for cities in state.board.markers.values() for city in cities for c in city})
        for hex, (old, turned) in state.board.tiles.items():
            lays = [(t, r) for t, rotations in title().map.upgrades[old].items() for r in rotations]
            for company in companies:
                for tile, rotation in lays:
                    tried += 1
                    if tried % EVERY:
                        continue
                    order = Lay(company, tile, hex, (rotation + turned) % 6)
                    found = {f.check for f in check_lay(title(), state, company, order, (), 1000)}
                    if not found & {"lay.edge", "lay.no_rotation"}:
                        joined = not found & {"lay.unconnected", "lay.new_unconnected"}
                        assert joined is extends(state.board, order), (number, order)
                        compared.add((joined, bool(title().map.tiles[tile].face.cities)))
    assert len(compared) == 4


def extends(board: Board, order: Lay) -> bool:
    """Whether the tile, once laid, has track on a route: of plain track only what is new."""
    after = board.lay(order.hex, order.tile, order.rotation)
    old, new = ({frozenset(p) for p in b.face(order.hex).paths} for b in (board, after))
    fresh = new - old if not after.face(order.hex).cities and not after.face(order.hex).towns else new
    reached = reach(after, order.actor).pieces
    return any((order.hex, i) in reached for i, p in enumerate(after.face(order.hex).paths) if frozenset(p) in fresh)


@pytest.mark.rule("7.11")
def test_of_a_city_or_town_any_track_on_a_route_is_enough() -> None:
    tiles = {"I13": "57#0", "I15": "9#0", "I17": "4#0"}
    town = Where(tiles, {"I13": [["M-V"]]}, "3")
    assert keys(town, "M-V", "88 I17 0") == set()
    away = Where({**tiles, "I15": "9#1"}, {"I13": [["M-V"]]}, "3")
    assert keys(away, "M-V", "88 I17 0") == {"lay.unconnected"}


@pytest.mark.rule("7.11")
def test_one_reached_space_of_several_is_enough() -> None:
    assert keys(Where({}, {"H8": [[], ["N"], []]}, "3"), "N", "637 H8 3") == set()
    assert keys(HOME, "M-V", "637 H8 0") == {"lay.color", "lay.unconnected"}


@pytest.mark.rule("7.12")
def test_old_track_stays_and_the_refusal_says_how_the_tile_would_fit() -> None:
    where = Where(LINE, {"I13": [["M-V"]]}, "3")
    failure = next(f for f in fails(where, "M-V", "23 I11 1") if f.check == "lay.rotation")
    assert failure.facts["allowed"] == (0, 3)
    assert keys(where, "M-V", "16 I11 0") == {"lay.track"}


@pytest.mark.rule("7.12")
def test_markers_go_with_the_space_that_keeps_its_exits() -> None:
    state = Where({}, {"H8": [["M-K"], ["N"], ["M-NN"]]}, "3").state()
    for rotation in range(6):
        laid = state.board.lay(HexId("H8"), TileId("637"), rotation)
        for company, exit in (("M-K", 0), ("N", 2), ("M-NN", 4)):
            city = next(i for i in range(3) if company in laid.at(HexId("H8"), i))
            assert exit in laid.face(HexId("H8")).exits_of("c", city)


@pytest.mark.rule("7.13")
@pytest.mark.parametrize(
    ("tiles", "order", "expected"),
    [
        ({"I13": "14#0"}, "63 I13 0", set()),
        ({"I13": "14#0"}, "611 I13 0", {"lay.most_exits"}),
        ({"I13": "14#0", "E9": "63#0", "H18": "63#0", "I19": "63#0"}, "611 I13 0", set()),
    ],
)
def test_a_brown_city_takes_six_exits_where_that_is_possible(tiles: Tiles, order: str, expected: set[str]) -> None:
    assert keys(Where(tiles, {"I13": [["M-V"]]}, "5"), "M-V", order) == expected


@pytest.mark.rule("7.13")
def test_riga_at_the_edge_of_the_map_cannot_take_six_exits() -> None:
    state = Where({"B4": "207#4"}, {"B4": [["R-O"]]}, "5").state()
    lays = {(x.tile, x.rotation) for x in list_lays(title(), state, CompanyId("R-O"), (), 1000) if x.hex == "B4"}
    assert lays == {("801", 4)}


@pytest.mark.rule("7.14")
@pytest.mark.parametrize(
    ("old", "option", "expected"),
    [
        ("623#0", "no", set()),
        ("801#0", "no", {"lay.not_over"}),
        ("801#0", "yes", set()),
    ],
)
def test_kharkov_alone_takes_the_gray_kh_tile(old: str, option: str, expected: set[str]) -> None:
    where = Where({"G15": old}, {"G15": [["K-R"]]}, "6")
    assert keys(where, "K-R", "640 G15 0", title(kharkov_over_801=option)) == expected


@pytest.mark.rule("7.14")
def test_other_y_cities_stop_at_brown() -> None:
    where = Where({"N10": "623#0"}, {"N10": [["S-V"]]}, "6")
    assert keys(where, "S-V", "640 N10 0") == {"lay.label"}


@pytest.mark.rule("7.14", "7.15")
@pytest.mark.parametrize(
    ("hex", "tiles", "phase", "order"),
    [
        ("H8", {}, "3", "637 H8 0"),
        ("H8", {"H8": "637#0"}, "5", "638 H8 0"),
        ("H8", {"H8": "638#0"}, "6", "639 H8 0"),
        ("D14", {"D14": "635#0"}, "5", "636 D14 0"),
        ("E1", {}, "5", "641 E1 0"),
        ("E1", {"E1": "641#0"}, "6", "642 E1 0"),
    ],
)
def test_moscow_kiev_and_st_petersburg_have_tiles_of_their_own(hex: str, tiles: Tiles, phase: str, order: str) -> None:
    cities = title().map.tiles[TileId(tiles[hex].split("#")[0])].face.cities if hex in tiles else ()
    markers = {hex: [["NW"]] + [[]] * (len(cities or title().map.hexes[HexId(hex)].face.cities) - 1)}
    where = Where(tiles, markers, phase)
    assert keys(where, "NW", order) == set()
    assert order.split(maxsplit=1)[0] in {x.tile for x in list_lays(title(), where.state(), CompanyId("NW"), (), 1000)}


# ---- answers --------------------------------------------------------------------------------------------------------


def test_every_failed_check_is_named_at_once() -> None:
    where = replace(HOME, earlier=((HexId("I13"), True), (HexId("I15"), False)), money=0)
    assert keys(where, "M-V", "63 H6 0") == {
        "lay.most", "lay.closed", "lay.money", "lay.color", "lay.wrong_step", "lay.wrong_kind", "lay.unconnected",
    }  # fmt: skip


@pytest.mark.parametrize(("order", "check"), [("9 Z9 0", "lay.no_hex"), ("999 I11 0", "lay.no_tile")])
def test_unknown_names_are_told(order: str, check: str) -> None:
    assert keys(HOME, "M-V", order) == {check}


def test_the_list_holds_exactly_the_lays_that_pass() -> None:
    where = Where({**LINE, "I9": "8#0", "H8": "637#0"}, {"I13": [["M-V"]], "H8": [["M-K"], [], []]}, "3")
    state = where.state()
    for company in ("M-V", "M-K"):
        listed = set(list_lays(title(), state, CompanyId(company), (), 1000))
        looks = {state.board.lay(x.hex, x.tile, x.rotation).face(x.hex).exits for x in listed}
        for hex in title().map.hexes:
            for tile in title().map.tiles:
                for rotation in range(6):
                    order = Lay(CompanyId(company), tile, hex, rotation)
                    if not check_lay(title(), state, order.actor, order, (), 1000):
                        same = {x for x in listed if (x.hex, x.tile) == (hex, tile)}
                        exits = state.board.lay(hex, tile, rotation).face(hex).exits
                        assert exits in {state.board.lay(hex, tile, x.rotation).face(hex).exits for x in same}
                    else:
                        assert order not in listed
        assert looks
