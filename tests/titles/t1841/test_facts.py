"""The data of 1841 against what is printed: map, tiles, chart, trains, phases, companies and concessions, in each of
the four boxes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine.core.ids import CompanyId, HexId, PhaseName, TileId, TrainName
from engine.core.title import Title
from engine.facts.board import load_map
from engine.facts.file import Facts, FactsError, changed, parse_facts
from engine.titles.t1841.box import facts_of, lays_of
from engine.titles.t1841.names import COMPANY_OF, CONCESSIONED, HISTORICAL, MAJOR, MINOR
from engine.titles.t1841.pieces import external_boxes, historical_cities, major_cities, veneto_tokens, zone_of, zones
from engine.titles.t1841.rulings import Rulings, rulings_of
from engine.titles.t1841.track import borders
from tests.kit.games.situations_1841 import position, space, title

CHART = """72 83 95 107 120 133 147 164 182 202 224 248 276 306 340+ 377 419 465 516
63 72 82 93 104 116 128 142 158 175 195 216+ 240 266 295 328 365 404 449
57 66 75 84 95 105 117 129 144* 159 177 196 218 242 269 298 331 367 408
54 62 71 80 90 100* 111 123 137 152 169 187 208 230 256 284
52 59 68* 77 86 95 106 117 130 145 160 178 198 219
47 54 62 70 78 87 96 107 118 131 146 162 180
41 47 54 61 68 75 84 93 103 114 127 141
34 39 45 50 57 63 70 77 86 95 106
27 31 36 40 45 50 56 62 69 76
21 24 27 31 35 39 43 48 53
16 18 20 23 26 29 32 35
11 13 15 16 18 20 23
8 9 10 11 13 14"""
TERRAIN = {
    200: "A5 G1",
    100: "C15 D12 D14 K7 L6 L8 M11 M5 M9 N10 N12 O11 O13 O3 P14 Q15",
    50: "B16 F16 H2 I1 J16 J8 K9 L16 L2 M13 M3 M7 N4 N6 N8 O15 O5 O9 P16",
}
BARRIERS = """C7 SW NW NE; D8 N; D10 NW N; D12 S NW SE; D14 SW; E3 S SE; E11 N SE; F14 NW; G1 SE; G13 N; L6 S; L8 S
SW SE; M3 S; M5 S; M7 NE; M9 S SW NW SE; N6 N; N10 SW NW; O3 N; O11 S SW; O13 SE; P10 NE; P14 NW N;
Q11 N; Q15 S; S15 SW N; T14 NE; A9 S; B6 SE; B8 S SW; B10 S SW SE; C9 N NE SE; C11 NW SE S; D6 NE; E13
S NW NE SE; F4 NW; F12 NW N; G3 S SW N; H2 NW NE; J10 S; K9 SE; L10 NW N; N4 SE; N8 N NE; N14 S; O5 NW
N; O9 N NE"""
COUNTRIES = """C7 S SE; E7 SW NW; G7 SW NW; I7 S SW NW; J8 S SW SE; K9 SW NW; I9 SW NW N NE; J10 N NE; I11 S; J12 NW N;
I13 NW N NE; J14 N NE; K15 N; J16 NW N; P10 N SE; P12 NW N; O13 NW N NE; O15 NW N NE; P16 N"""
VENETO = "C7 S SE; F12 SW; H12 S SW NW; I13 NW N NE; J14 N NE; K15 N; J16 NW N"
LUGANO = "C7 S SE"
EDGES = ("S", "SW", "NW", "N", "NE", "SE")
FULL = Rulings()
BOXES = {
    "first": FULL,
    "second": replace(FULL, version="2"),
    "first, short": replace(FULL, map="lite"),
    "second, short": replace(FULL, version="2", map="lite"),
}


def sides(text: str) -> set[tuple[str, int]]:
    """``C7 S SE; E7 SW``, as hexes and edges."""
    rows = (row.split() for row in text.replace("\n", " ").split(";"))
    return {(hex, EDGES.index(side)) for hex, *named in rows for side in named}


def both(found: Title, given: set[tuple[str, int]]) -> set[tuple[str, int]]:
    """The sides with those across from them."""
    hexes = found.map.hexes
    return given | {(hexes[HexId(h)].neighbors[e], (e + 3) % 6) for h, e in given if e in hexes[HexId(h)].neighbors}


# ---- the four boxes -------------------------------------------------------------------------------------------------


@pytest.mark.rule("1841:1.2", "1841:1.3")
@pytest.mark.parametrize(
    ("box", "hexes", "companies", "digest"),
    [
        ("first", 133, 24, "a35e1cdeeca8"),
        ("second", 133, 24, "a1967393465e"),
        ("first, short", 122, 20, "7e3e60db62ee"),
        ("second, short", 122, 20, "d337ca59b09f"),
    ],
)
def test_nothing_of_a_box_is_lost(box: str, hexes: int, companies: int, digest: str) -> None:
    """The digest is of the map, tiles, upgrades, borders and first lays, as they were checked against their source."""
    found, lays = facts_of(BOXES[box]).data, lays_of(BOXES[box]).data
    tiles = sum(tile["count"] for tile in found["tiles"].values())
    assert found["counts"] == {"hexes": hexes, "tiles": tiles, "companies": companies}
    assert (len(found["hexes"]), tiles, len(found["companies"])) == (hexes, 191, companies)
    board = [found[part] for part in ("hexes", "tiles", "upgrades", "province_borders")]
    whole = json.dumps([board, lays["lays"]], sort_keys=True)
    assert hashlib.sha256(whole.encode()).hexdigest()[:12] == digest


@pytest.mark.rule("1841:1.2")
def test_the_second_version_has_another_box() -> None:
    first, second = title(), title("v2")
    assert {h for h in first.map.hexes if first.map.hexes[h].face.color != second.map.hexes[h].face.color} == {"M3"}
    assert [len(t.map.hexes[HexId("O5")].face.towns) for t in (first, second)] == [0, 1]
    assert [sorted(t.map.tiles.keys() & {"608", "612"}) for t in (first, second)] == [["608"], ["612"]]
    kinds = [{c: t.companies[CompanyId(c)].charter.kind for c in ("SFTC", "SFL")} for t in (first, second)]
    assert kinds == [{"SFTC": MINOR, "SFL": MINOR}, {"SFTC": MAJOR, "SFL": MAJOR}]
    assert [c for c in first.companies if c not in second.companies] == ["SFV"]
    assert list(second.companies).index(CompanyId("SB")) == list(first.companies).index(CompanyId("SFV"))
    barriers = [(h, e) for h in first.map.hexes for e in first.map.hexes[h].closed_edges]
    gone = {(h, EDGES[e]) for h, e in barriers if e not in second.map.hexes[h].closed_edges}
    assert gone == {("M3", "S"), ("N4", "SE"), ("O3", "N"), ("O5", "NW"), ("I3", "N")}  # I3: blind_ends


@pytest.mark.rule("1841:1.3", "1841:9.16")
def test_the_short_map_has_no_tuscany() -> None:
    short = title(map="lite")
    assert set(title().companies) - set(short.companies) == {"SFLP", "SFMA", "SSFL", "SFLi"}
    assert list(short.privates) == ["Bayard", "C-SFTC", "C-SFTN", "C-SFTG", "C-IRSFF"]
    assert "Tuscany" not in zones(short)
    assert short.map.hexes[HexId("Q11")].face.color == "red"


# ---- map ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1841:6.14")
def test_the_map_has_its_terrain_and_barriers() -> None:
    found = title()
    hexes = found.map.hexes
    cost = {h: amount for amount, names in TERRAIN.items() for h in names.split()}
    assert {h.id: h.face.terrain for h in hexes.values() if h.face.terrain} == cost
    barred = {(h, e) for h, e in sides(BARRIERS) if e in hexes[HexId(h)].neighbors}
    for hex, edge in both(found, barred):
        across = hexes[HexId(hex)].neighbors[edge]
        assert edge in hexes[HexId(hex)].closed_edges or (edge + 3) % 6 in hexes[across].closed_edges, (hex, edge)
    for tile in ("613", "614", "615"):
        assert found.map.tiles[TileId(tile)].face.terrain == 50


@pytest.mark.rule("1841:6.10")
@pytest.mark.clarification("1.10")
@pytest.mark.parametrize(("edition", "options"), [("clarified", {}), ("v2", {}), ("clarified", {"map": "lite"})])
def test_track_meets_ports_areas_and_grey_hexes_only_at_their_track(edition: str, options: Mapping[str, str]) -> None:
    map = title(edition, **options).map
    for hex in (h for h in map.hexes.values() if h.buildable):
        for edge, neighbor in hex.neighbors.items():
            other, side = map.hexes[neighbor], (edge + 3) % 6
            if not other.buildable and side not in other.face.exits:
                assert edge in hex.closed_edges, f"{hex.id} to {other.id}"


@pytest.mark.rule("1841:6.10")
@pytest.mark.parametrize(("edition", "rotations"), [("clarified", (4, 5)), ("v2", (2, 3, 4, 5))])
def test_a_barrier_of_the_other_hex_bars_too_but_on_the_site(edition: str, rotations: tuple[int, ...]) -> None:
    """Tile 7 with rotation 2 or 3 would end at the barrier of G3."""
    assert title(edition).map.first_lays[HexId("I3")][TileId("7")] == rotations


@pytest.mark.rule("1841:6.13")
@pytest.mark.parametrize(
    ("edition", "options", "phase", "given"),
    [
        ("clarified", {}, "2", COUNTRIES),
        ("clarified", {}, "3", COUNTRIES),
        ("clarified", {}, "4", VENETO),
        ("clarified", {}, "5", VENETO),
        ("clarified", {"veneto_border_until": "5"}, "5", LUGANO),
        ("clarified", {}, "6", LUGANO),
        ("v2", {}, "4", VENETO),
        pytest.param("v2", {}, "5", LUGANO, marks=pytest.mark.clarification("5.4", site=True)),
        ("v2", {}, "8", LUGANO),
    ],
)
def test_the_borders_of_each_phase(edition: str, options: Mapping[str, str], phase: str, given: str) -> None:
    found = title(edition, **options)
    assert borders.borders(found, position(found, phase=phase)) == both(found, sides(given))


def test_the_short_map_has_the_borders_of_its_hexes() -> None:
    found = title(map="lite")
    state = position(found, phase="2")
    assert {h for h, _ in borders.borders(found, state)} <= set(found.map.hexes)
    on_both = borders.borders(found, state) & borders.borders(title(), position(title(), phase="2"))
    assert on_both == borders.borders(found, state)


@pytest.mark.rule("1841:7.6")
def test_the_external_boxes() -> None:
    assert {name: set(hexes) for name, hexes in external_boxes(title()).items()} == {
        "a4": {"a4"}, "A7": {"A7"}, "Trento": {"C13", "B14"}, "E1": {"E1"}, "East": {"E17", "C17"}, "O17": {"O17"},
        "Marseille": {"P4", "Q3", "Q5"}, "Roma": {"U13", "U15", "V12", "V14"},
    }  # fmt: skip
    assert set(external_boxes(title(map="lite"))["Roma"]) == {"P12", "Q11", "Q13", "R14"}


@pytest.mark.rule("1841:4.8", "1841:4.9", "1841:4.10")
def test_the_zones_of_home_cities() -> None:
    found = title()
    assert {zone: " ".join(hexes) for zone, hexes in zones(found).items()} == {
        "Piedmont": "H4 J6 M3 M7",
        "Tuscany": "R14 P12 Q11 S11",
        "Conservative zone": "K11 L12 K13 L14 K15",
        "Lombardy": "D8 E7 F8 E9 H8 H10 E11",
        "Veneto": "H12 G13 F14 G15 F16 D16",
    }
    assert (zone_of(found, HexId("F16")), zone_of(found, HexId("C7"))) == ("Veneto", None)
    assert major_cities(found) == {"L14", "R14", "M7", "F8", "H4", "F16"}
    assert historical_cities(found) == {"F8", "F16", "H4", "J6", "M3", "R14", "P12", "Q11"}
    assert veneto_tokens(found) == {"H12", "G13", "F14", "G15", "F16", "D16", "D14", "C15"}


def first_lays(found: Title, hex: str) -> dict[str, set[frozenset[int]]]:
    """Tile -> the sets of exits with which it may lie in the hex as printed."""
    given = found.map.first_lays[HexId(hex)]
    return {t: {found.map.tiles[t].face.turned(r).exits for r in turns} for t, turns in given.items() if turns}


def upgrades(found: Title, *tiles: str) -> list[set[TileId]]:
    return [{new for new, turns in found.map.upgrades[TileId(tile)].items() if turns} for tile in tiles]


@pytest.mark.rule("1841:6.16")
@pytest.mark.clarification("5.9")
def test_tiles_of_one_small_city_are_upgraded_and_those_of_two_are_not() -> None:
    one = {"87", "88", "144", "204"}
    assert all(found and found <= one for found in upgrades(title(), "3", "4", "58"))
    assert upgrades(title(), "1", "2", "55", "56", "69", "630", "631", "632", "633") == [set()] * 9
    assert upgrades(title(), *sorted(one)) == [set()] * 4


@pytest.mark.rule("1841:6.17")
@pytest.mark.clarification("2.16")
def test_yellow_venezia_lies_in_one_way() -> None:
    assert title().map.first_lays[HexId("F16")] == {"601": (0,)}
    face = title().map.tiles[TileId("601")].face
    assert [set(face.exits_of(kind, 0)) for kind in "ct"] == [{EDGES.index("SW")}, {EDGES.index("SE")}]
    assert [title().map.upgrades[TileId(old)][TileId(new)] for old, new in (("601", "602"), ("602", "603"))] == [
        (1,), (0,),
    ]  # fmt: skip


@pytest.mark.rule("1841:6.18")
@pytest.mark.clarification("2.17")
def test_green_genova_lies_in_either_of_two_ways() -> None:
    port, away = frozenset({EDGES.index("S"), EDGES.index("N")}), frozenset({EDGES.index("NW"), EDGES.index("SE")})
    assert first_lays(title(), "M7") == {"608": {port, away}}
    assert list(first_lays(title("v2"), "M7")) == ["612"]


@pytest.mark.rule("1841:6.19")
@pytest.mark.clarification("2.18")
@pytest.mark.parametrize("edition", ["clarified", "v2"])
def test_the_north_side_of_pisa_is_a_barrier(edition: str) -> None:
    found, north = title(edition), EDGES.index("N")
    assert north in found.map.hexes[HexId("Q11")].closed_edges
    assert not any(north in exits for ways in first_lays(found, "Q11").values() for exits in ways)


@pytest.mark.rule("1841:6.20", "1841:6.15")
def test_the_green_tiles_of_torino_and_firenze_join_their_cities() -> None:
    map = title().map
    for hex in ("H4", "R14"):
        assert len(map.hexes[HexId(hex)].face.cities) == 2
        assert {len(map.tiles[TileId(t)].face.cities) for t in first_lays(title(), hex)} == {1}
    assert {t for hex in ("A5", "G1") for t in first_lays(title(), hex)} == {"610"}
    others = [h.id for h in map.hexes.values() if h.face.color == "yellow" and h.face.cities[0].kind == "pass"]
    assert {t for hex in others for t in first_lays(title(), hex)} == {"613", "614", "615"}


# ---- chart, trains, phases, players ---------------------------------------------------------------------------------


@pytest.mark.rule("1841:4.3", "1841:12.2")
def test_the_chart() -> None:
    chart = title().chart
    printed = [row.split() for row in CHART.splitlines()]
    assert {cell: str(price) for cell, price in chart.prices.items()} == {
        (r, c): price.rstrip("+*") for r, row in enumerate(printed) for c, price in enumerate(row)
    }
    starts = {"par_any": "*", "par_major": "+"}
    for mark, sign in starts.items():
        assert set(chart.cells_marked(mark)) == {
            (r, c) for r, row in enumerate(printed) for c, price in enumerate(row) if price.endswith(sign)
        }
    assert chart.cells_marked("game_end") == (space("S1"),)


@pytest.mark.rule("1841:1.9", "1841:1.10", "1841:8.7")
@pytest.mark.clarification("2.21")
def test_the_trains() -> None:
    trains = title().trains
    assert {t.name: (t.cost, t.quantity, t.rusts) for t in trains.values()} == {
        "2": (100, 8, None), "3": (200, 6, None), "4": (350, 4, "2"), "5": (550, 3, "3"), "6": (800, 2, None),
        "7": (1100, 2, "4"), "8": (1450, 7, "5"),
    }  # fmt: skip
    assert [t.quantity for t in title(map="lite").trains.values()] == [6, 5, 3, 2, 2, 2, 7]


@pytest.mark.rule("1841:7.3")
def test_passes_count_for_all_trains_but_8_trains() -> None:
    trains = title().trains
    counting = {name: "pass" in train.reach.must_count for name, train in trains.items()}
    assert counting == {TrainName(name): name != "8" for name in ("2", "3", "4", "5", "6", "7", "8")}
    assert all({"city", "offboard"} <= t.reach.must_count and "town" not in t.reach.must_count for t in trains.values())
    assert [t.reach.stops for t in trains.values()] == [2, 3, 4, 5, 6, 7, 8]


@pytest.mark.rule("1841:8.3", "1841:8.8")
def test_the_phases() -> None:
    phases = title().phases
    assert [p.name for p in phases] == ["2", "3", "4", "5", "6", "7", "8"]
    assert [p.rounds for p in phases] == [1, 2, 2, 3, 3, 3, 3]
    assert [p.colors[-1] for p in phases] == ["yellow", "green", "green", *["brown"] * 4]
    limits = [(p.train_limits[MINOR], p.train_limits[MAJOR]) for p in phases]
    assert limits == [(2, 4), (2, 4), (2, 3), (2, 3), (1, 2), (1, 2), (1, 2)]


@pytest.mark.rule("1841:1.1", "1841:1.4", "1841:1.5", "1841:5.10")
def test_the_figures_for_each_number_of_players() -> None:
    assert {n: (row.cash, row.certificate_limit) for n, row in title().table.items()} == {
        3: (1120, 21), 4: (840, 16), 5: (672, 13), 6: (560, 11), 7: (480, 10), 8: (420, 9),
    }  # fmt: skip
    short = title(map="lite")
    assert {n: (row.cash, row.certificate_limit) for n, row in short.table.items()} == {
        3: (840, 21), 4: (630, 16), 5: (504, 13), 6: (420, 11),
    }  # fmt: skip
    assert (title().bank, short.bank) == (14_400, 10_900)
    assert {row.holding_percent for row in title().table.values()} == {60}


# ---- companies and concessions --------------------------------------------------------------------------------------


@pytest.mark.rule("1841:1.7")
def test_the_certificates_of_each_kind_of_company() -> None:
    for company in title().companies.values():
        found = {n: (kind.shares, kind.percent, k) for n, (kind, k) in company.charter.certificates.items()}
        director, ordinary = ((2, 20, 1), (1, 10, 8)) if company.charter.kind == MAJOR else ((2, 40, 1), (1, 20, 3))
        assert found == {"director": director, "ordinary": ordinary}


@pytest.mark.rule("1841:4.6", "1841:4.7")
@pytest.mark.clarification("1.4")
def test_the_homes_of_historical_companies() -> None:
    companies = title().companies
    assert {c.id: c.charter.homes for c in companies.values() if c.charter.homes} == {
        "SFMA": (("R14", 1),), "SFLP": (("P12", 0),), "SSFL": (("Q11", 0),), "IRSFF": (("F8", 0), ("F16", 0)),
        "SFTG": (("H4", 0), ("J6", 0)), "SFTN": (("H4", 1),), "SFTC": (("M3", 0),),
    }  # fmt: skip
    hexes = title().map.hexes
    assert hexes[HexId("R14")].face.exits_of("c", 1) == {EDGES.index("NW")}
    assert hexes[HexId("H4")].face.exits_of("c", 1) == {EDGES.index("NE")}
    assert hexes[HexId("H4")].face.exits_of("c", 0) == {EDGES.index("SW"), EDGES.index("SE")}


@pytest.mark.rule("1841:4.2")
def test_the_companies_and_since_when_they_may_be_started() -> None:
    companies = title().companies
    others = [c for c in companies if c not in HISTORICAL]
    assert [c for c in others if companies[c].charter.kind == MINOR] == ["CTLP", "FTP", "SLDV"]
    assert (len(others), len(companies)) == (14, 24)
    assert {companies[c].available_from for c in others} == {PhaseName("3")}
    assert {companies[c].available_from for c in HISTORICAL if c in companies} == {None}


@pytest.mark.rule("1841:2.14")
@pytest.mark.clarification("2.8")
def test_the_concessions() -> None:
    privates = title().privates
    assert [COMPANY_OF.get(p) for p in privates] == [None, *CONCESSIONED]
    assert {(p.face, p.minimum, p.kind, p.counts) for p in privates.values()} == {(50, 20, "concession", False)}
    assert {p.id: p.income for p in privates.values() if p.income} == {"Bayard": 20}


# ---- files of changes -----------------------------------------------------------------------------------------------


def test_changes_are_laid_over_facts_entry_by_entry() -> None:
    old = parse_facts('{"a": 1, "b": {"x": 1, "y": 2}, "c": [{"sym": "P", "n": 1}, {"sym": "Q", "n": 2}]}', "old")
    new = parse_facts('{"a": null, "b": {"y": 3, "z": 4}, "c": {"P": {"sym": "R"}, "Q": null, "S": {"n": 5}}}', "new")
    found = changed(old, new)
    assert found.data == {"b": {"x": 1, "y": 3, "z": 4}, "c": [{"sym": "R", "n": 1}, {"sym": "S", "n": 5}]}
    assert found.name == "old, changed by new"


def test_a_one_sided_barrier_must_lie_between_hexes_of_the_map() -> None:
    given: dict[str, Any] = {**facts_of(FULL).data, "one_sided_borders": [["a4", 3]]}
    with pytest.raises(FactsError, match="has no neighbour across edge 3"):
        load_map(Facts("facts", facts_of(FULL).text, given), lays_of(FULL))


def test_a_title_of_each_box_knows_its_rulings() -> None:
    assert (rulings_of(title("v2")).version, rulings_of(title(map="lite")).map) == ("2", "lite")
