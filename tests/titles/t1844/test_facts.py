"""The data of 1844 against what is printed: map, tiles, chart, trains, phases, companies and privates."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import pytest

from engine import load_title
from engine.board.board import Board
from engine.board.map import Map
from engine.core.ids import CompanyId, HexId, TileId, TrainName
from engine.facts.sections import (
    Facts,
    FactsError,
    load_charts,
    load_companies,
    load_map,
    load_phases,
    load_privates,
    load_table,
    load_trains,
    load_turns,
    parse_facts,
    read_facts,
)
from engine.titles.t1844.pieces import MOUNTAIN_HEXES, PANELS, TUNNEL_HEXES, transit, tunnel_rotations
from tests.kit.checkout import CHECKOUT

HERE = CHECKOUT / "engine" / "titles" / "t1844"

COUNTS = """3*3 4*6 5*5 6*6 7*5 8*11 9*11 57*6 58*6 14*4 15*7 16*2 19*2 20*2 23*6 24*6 25*2 26*2 27*2 28*2 29*2 59*2
87*2 88*2 204*2 619*4 901*1 904*1 907*1 908*1 39*1 40*1 41*1 42*1 43*1 44*1 45*1 46*1 47*1 64*1 65*1 66*1 67*1 68*1 70*1
611*6 902*1 905*1 909*1 911*2 903*1 906*1 910*1 915*2"""
TERRAIN = {
    20: "B19 C12 C16 D13 D15 D19 E10 E12 E18 E22 F7 F9 F17 F25 G26 H13 I6 J1 K8 K10 K20 K22 L21",
    30: "C22 D7 D9 D11 D23 E6 F13 F15 F21 G28 H3 H5 H15 I8 I10 I28 J7 J11 L11",
    60: "F23 G10 G24 H9 H11 H25 I22 I24 I26 J15 J19 J21 J23 J27 K6 K12 L7 L9",
    90: "G22 I18 I20",
}
BARS = "D19-E20 D21-E20 E8-F9 F5-G6 G4-G6 G4-H5 I10-I12 I10-J11 I12-J11 I16-I18 H19-I18 J15-K14 K14-L13"
MOUNTAINS = {"H7": "012345", "L13": "12", "I14": "023", "G14": "12345", "F19": "24", "J29": "2", "L23": "12"}
AREAS = {
    "A18 A20 B17": (20, 40, 60, 70),
    "B11": (30, 40, 50, 60),
    "M8": (0, 30, 50, 70),
    "M18 M20 M22 L15": (40, 50, 70, 90),
    "C8": (10, 30, 50, 70),
    "F3": (10, 30, 50, 70),
    "L1": (30, 50, 70, 90),
    "C26": (10, 30, 50, 70),
    "H29 G30 I30": (20, 40, 60, 80),
    "E26": (10, 20, 30, 40),
}
COLORS = ("yellow", "green", "brown", "gray")


@lru_cache(maxsize=1)
def facts() -> Facts:
    return read_facts(HERE / "facts.json")


@lru_cache(maxsize=1)
def the_map() -> Map:
    return load_map(facts(), read_facts(HERE / "lays.json"))


def changed(change: dict[str, Any]) -> Facts:
    return parse_facts(json.dumps({**facts().data, **change}), "facts.json")


# ---- map and tiles --------------------------------------------------------------------------------------------------


def test_the_tiles_are_as_many_as_in_the_box() -> None:
    tiles = the_map().tiles
    counted = {t.id: t.count for t in tiles.values() if not t.overlay}
    assert counted == {TileId(n): int(k) for n, k in (item.split("*") for item in COUNTS.split())}
    assert {t.id: t.count for t in tiles.values() if t.overlay} == {
        "XM1": 2, "XM2": 2, "XM3": 2, "X78": 5, "X79": 5, "OP1": 1, "OP2": 3, "OP3": 1,
    }  # fmt: skip
    assert PANELS == {"XM1": 2, "XM2": 2, "XM3": 2}


def test_the_map_has_its_hexes_terrain_and_bars() -> None:
    hexes = the_map().hexes
    assert len(hexes) == 131
    assert Counter(h.face.color for h in hexes.values()) == {
        "white": 85, "yellow": 4, "gray": 12, "red": 17, "blue": 4, "purple": 9,
    }  # fmt: skip
    cost = {h: amount for amount, names in TERRAIN.items() for h in names.split()}
    assert {h.id: h.face.terrain for h in hexes.values() if h.face.terrain} == cost
    for bar in BARS.split():
        a, b = bar.split("-")
        edge = next(e for e, n in hexes[HexId(a)].neighbors.items() if n == b)
        assert edge in hexes[HexId(a)].closed_edges
        assert (edge + 3) % 6 in hexes[HexId(b)].closed_edges


def test_mountains_are_stops_without_value_and_areas_pay_by_phase() -> None:
    hexes = the_map().hexes
    for name, edges in MOUNTAINS.items():
        face = hexes[HexId(name)].face
        assert [(s.kind, s.revenue) for s in face.offboards] == [("mountain", 0)]
        assert face.exits_of("o", 0) == {int(e) for e in edges}
    assert set(MOUNTAIN_HEXES) == set(MOUNTAINS)
    for names, values in AREAS.items():
        stops = [hexes[HexId(h)].face.offboards[0] for h in names.split()]
        assert {s.kind for s in stops} == {"offboard"}
        assert {tuple(s.value(c) for c in COLORS) for s in stops} == {values}
        assert len({s.group for s in stops}) == 1
    areas = [h.face.offboards[0].group for h in hexes.values() if h.face.color == "red" and h.face.offboards]
    assert Counter(areas) == {"Stuttgart": 3, "Milano": 4, "Innsbruck": 3, "": 6}, "a side of the map is no area"
    assert {(*sorted(area.hexes), area.side, area.amount) for area in transit(load_title("1844"))} == {
        ("A18", "A20", "B17", "N", 30),
        ("B11", "N", 30),
        ("M8", "S", 40),
        ("L15", "M18", "M20", "M22", "S", 40),
        ("C8", "W", 50),
        ("F3", "W", 50),
        ("L1", "W", 90),
        ("C26", "E", 50),
        ("G30", "H29", "I30", "E", 90),
    }


def test_nothing_ordinary_is_built_in_grey_red_blue_and_tunnel_hexes() -> None:
    map = the_map()
    assert set(map.first_lays) == {h.id for h in map.hexes.values() if h.buildable}
    assert not any(map.hexes[h].buildable or map.hexes[h].face.paths for h in TUNNEL_HEXES)
    for hex, tiles in map.first_lays.items():
        here = map.hexes[hex]
        for tile, rotations in tiles.items():
            for rotation in rotations:
                face = map.tiles[tile].face.turned(rotation)
                assert here.face.exits <= face.exits, "printed stubs are kept"
                for edge in face.exits:
                    other = map.hexes[here.neighbors[edge]]
                    assert edge not in here.closed_edges
                    fixed = other.face.color in ("gray", "red", "blue")
                    assert not fixed or (edge + 3) % 6 in other.face.exits, "track would meet a blank side"


def test_track_meets_grey_and_red_hexes_at_their_track_and_tunnel_hexes_at_their_mouths() -> None:
    map = the_map()
    free = tunnel_rotations(Board.start(map))
    mouths = {
        hex: {e for tile, turns in free[hex].items() for r in turns for e in map.tiles[tile].face.turned(r).exits}
        for hex in TUNNEL_HEXES
    }
    for hex in (h for h in map.hexes.values() if h.buildable):
        for edge, neighbor in hex.neighbors.items():
            other, side = map.hexes[neighbor], (edge + 3) % 6
            barred = edge in hex.closed_edges or side in other.closed_edges
            if other.face.color == "purple":
                assert barred is (side not in mouths[other.id]), f"{hex.id} to {other.id}"
            elif not other.buildable:
                assert barred is (side not in other.face.exits), f"{hex.id} to {other.id}"


def test_the_special_cities_have_their_own_chains() -> None:
    map = the_map()
    lays = {h: {t: map.tiles[t].face.color for t in map.first_lays[HexId(h)]} for h in ("D15", "C20", "I4", "F11")}
    assert lays["D15"] == {"14": "green", "15": "green", "619": "green"}
    assert (lays["C20"], lays["I4"]) == ({"59": "green"}, {"901": "green"})
    assert set(lays["F11"]) == {"5", "6", "57"}
    zurich, bern = map.relabelled[HexId("D19")], map.relabelled[HexId("F11")]
    assert {old: set(new) for old, new in zurich.items()} == {
        "5": {"907", "908"}, "6": {"907", "908"}, "57": {"907", "908"}, "907": {"909"}, "908": {"909"},
        "909": {"910"}, "910": set(),
    }  # fmt: skip
    assert [set(bern[TileId(t)]) for t in ("57", "904", "905", "906")] == [{"904"}, {"905"}, {"906"}, set()]
    assert not set(map.upgrades[TileId("64")]) and not set(map.upgrades[TileId("911")])


# ---- chart ----------------------------------------------------------------------------------------------------------


def test_the_chart_and_its_ends() -> None:
    chart = load_charts(facts())["grid"]
    assert len(chart.prices) == 102
    assert {chart.prices[c] for c in chart.cells_marked("par")} == {60, 70, 80, 90, 100}
    assert chart.start_cell(100, "par") == (1, 4)
    assert chart.start_cell(100, "sbb_start") == (5, 8)
    for kind in ("historical", "sbb", "pre-sbb"):
        assert chart.price(chart.move(kind, (1, 11), "right")) == 210
        assert chart.move(kind, (0, 17), "right") == (0, 17)
        assert chart.move(kind, (2, 0), "left") == (3, 0)
        assert chart.move(kind, (1, 1), "up") == (1, 1), "a blank space"
        assert chart.move(kind, (7, 5), "down") == (7, 5)
        assert chart.move(kind, (3, 14), "right") == (2, 14), "the right end of a row leads up"


def test_regionals_turn_up_at_the_red_line_and_stop_at_200() -> None:
    chart = load_charts(facts())["grid"]
    prices, cell = [160], (4, 11)
    for _ in range(5):
        cell = chart.move("regional", cell, "right")
        prices.append(chart.price(cell))
    assert prices == [160, 170, 180, 190, 200, 200]
    beyond = set(chart.cells_marked("no_regional"))
    inside = set(chart.prices) - beyond
    assert max(chart.prices[c] for c in inside) == 200
    assert all(set(chart.moves["regional"][c].values()) <= inside for c in inside)


# ---- trains, phases, companies, privates ----------------------------------------------------------------------------


def test_trains_have_two_sides_and_one_supply() -> None:
    trains = load_trains(facts())
    assert list(trains) == ["2", "2H", "3", "3H", "4", "4H", "5", "5H", "6", "6H", "8E", "8H"]
    assert {t.name: t.quantity for t in trains.values() if t.card is None} == {
        "2": 13, "3": 9, "4": 6, "5": 4, "6": 4, "8E": None,
    }  # fmt: skip
    assert [(t.cost, t.card) for t in trains.values() if t.card is not None] == [
        (70, "2"), (150, "3"), (260, "4"), (400, "5"), (550, "6"), (700, "8E"),
    ]  # fmt: skip
    assert {t.name: t.flips for t in trains.values() if t.flips} == {"2": "2H", "3": "3H", "4": "4H", "5": "5H"}
    assert {t.name: t.rusts for t in trains.values() if t.rusts} == {
        "4": "2H", "4H": "2H", "6": "3H", "6H": "3H", "8E": "4H", "8H": "4H",
    }  # fmt: skip
    assert load_turns(facts()) == {
        "3": "2", "3H": "2", "4": "3", "4H": "3", "6": "4", "6H": "4", "8E": "5", "8H": "5",
    }  # fmt: skip


def test_how_far_trains_run() -> None:
    trains = load_trains(facts())
    normal, regional, express = (trains[TrainName(t)].reach for t in ("3", "3H", "8E"))
    everything, nothing = frozenset({"city", "town", "offboard", "mountain"}), frozenset[str]()
    assert (normal.stops, normal.must_count, normal.hexes, normal.shuns) == (3, everything, None, nothing)
    assert (regional.stops, regional.must_count, regional.hexes, regional.shuns) == (
        3,
        everything,
        3,
        frozenset({"red"}),
    )
    assert (express.stops, express.must_count, express.own_marker_counts, express.ends_count) == (
        8,
        nothing,
        True,
        False,
    )
    assert (normal.ends_count, regional.ends_count) == (True, True)


def test_phases_and_players() -> None:
    phases = load_phases(facts())
    assert [p.rounds for p in phases] == [1, 1, 2, 2, 3, 3, 3]
    assert [p.colors[-1] for p in phases] == ["yellow", "yellow", "green", "green", "brown", "brown", "gray"]
    assert [p.train_limits["historical"] for p in phases] == [4, 4, 4, 3, 2, 2, 2]
    assert {p.train_limits[kind] for p in phases for kind in ("regional", "pre-sbb")} == {2}
    assert [p.train_limits.get("sbb") for p in phases] == [None] * 4 + [4] * 3
    table = load_table(facts())
    assert {n: (row.cash, row.certificate_limit) for n, row in table.items()} == {
        3: (800, 24), 4: (620, 18), 5: (510, 15), 6: (440, 13), 7: (400, 11),
    }  # fmt: skip


def certificates(company: str) -> dict[str, tuple[int, int, int]]:
    found = load_companies(facts())[CompanyId(company)].charter.certificates
    return {name: (kind.shares, kind.percent, n) for name, (kind, n) in found.items()}


def test_the_certificates_of_each_kind_of_company() -> None:
    assert certificates("NOB") == {"director": (2, 50, 1), "ordinary": (1, 25, 2)}
    assert certificates("JN") == {"director": (2, 40, 1), "ordinary": (1, 20, 3)}
    assert certificates("BLS") == {"director": (2, 20, 1), "ordinary": (1, 10, 8)}
    assert certificates("SBB") == {"director": (2, 10, 1), "ordinary": (1, 5, 10), "double": (2, 10, 4)}
    assert list(certificates("SBB")) == ["director", "ordinary", "double"]


def test_homes_destinations_and_launches() -> None:
    companies = load_companies(facts())
    assert {c.id: (c.charter.home[0] if c.charter.home else None, c.destination) for c in companies.values()} == {
        "NOB": ("D19", "D15"), "SCB": ("C12", "F17"), "VSB": ("C24", "F25"), "JS": ("I4", "F7"), "GB": ("G18", "H19"),
        "JN": ("F7", None), "ChA": ("G28", None), "VZ": ("K10", None),
        "FNM": ("L21", "G20"), "RhB": ("G26", "J13"), "BLS": ("F11", "J13"), "STB": ("D15", "H13"),
        "AB": ("D25", "C20"), "MOB": ("I6", "H13"), "SBB": (None, None),
    }  # fmt: skip
    assert all(c.charter.home[1] == 0 for c in companies.values() if c.charter.home)
    hexes = the_map().hexes
    assert [hexes[HexId(h)].name for h in ("D19", "F7", "D25", "C24", "K2")] == [
        "Zürich", "Neuchâtel", "Appenzell", "St. Gallen", "Genève",
    ]  # fmt: skip
    by_kind = {c.charter.kind: (c.launch_percent, c.holding_percent, c.charter.markers) for c in companies.values()}
    assert by_kind == {
        "pre-sbb": (50, 75, 2), "regional": (60, 60, 3), "historical": (50, 60, 5), "sbb": (0, 60, 10),
    }  # fmt: skip


def test_privates_mountain_railways_and_tunnels() -> None:
    privates = load_privates(facts())
    assert [p.kind for p in privates.values()] == ["private"] * 7 + ["mountain"] * 5 + ["tunnel"] * 5
    assert [(p.minimum, p.face, p.income) for p in privates.values() if p.kind == "private"] == [
        (20, 20, 5), (50, 50, 10), (80, 80, 15), (110, 110, 20), (140, 140, 25), (180, 180, 30), (100, 100, 0),
    ]  # fmt: skip
    assert {(p.kind, p.face, p.income) for p in privates.values() if p.kind != "private"} == {
        ("mountain", 150, 0), ("tunnel", 50, 0),
    }  # fmt: skip
    assert not any(p.counts for p in privates.values())


# ---- files that do not hold -----------------------------------------------------------------------------------------


def with_hex(name: str, change: Mapping[str, Any]) -> Facts:
    hexes = [{**h, **change} if h["coord"] == name else h for h in facts().data["hexes"]]
    return changed({"hexes": hexes})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"paths": [["2", "5", {"gauge": "broad"}]]}, "track cannot have {'gauge': 'broad'}"),
        ({"paths": [["2", "5", {"terminal": True}]]}, "terminal track ends in a city"),
        ({"paths": [["2"]]}, "track cannot be ['2']"),
        ({"offboards": [{"kind": "island", "revenue": 0}]}, "a stop cannot be a 'island'"),
        ({"towns": [{"kind": "mountain", "revenue": 0}]}, "a stop cannot be a 'mountain'"),
    ],
)
def test_a_hex_that_does_not_hold_is_refused_with_its_place(change: Mapping[str, Any], reason: str) -> None:
    with pytest.raises(FactsError) as raised:
        load_map(with_hex("H19", change), read_facts(HERE / "lays.json"))
    assert reason in raised.value.reason
    assert "hexes: H19" in raised.value.reason


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"turns_to_other_side_on_first": "9"}, "turns on a train '9' that is not listed"),
        ({"rusts_on_first": "9"}, "rusts on a train '9' that is not listed"),
        ({"reach": {"kind": "leaps", "max": 2}}, "reach of kind 'leaps' is not known"),
        ({"other_side": {"name": "3", "cost": 1, "reach": {"kind": "hexes", "max": 2}}}, "'3' is listed twice"),
    ],
)
def test_a_train_that_does_not_hold_is_refused(change: Mapping[str, Any], reason: str) -> None:
    trains = [{**t, **change} if t["name"] == "2" else t for t in facts().data["trains"]]
    read = changed({"trains": trains})
    load = load_turns if "turns_to_other_side_on_first" in change else load_trains
    with pytest.raises(FactsError) as raised:
        load(read)
    assert reason in raised.value.reason
    assert "trains: 2" in raised.value.reason
