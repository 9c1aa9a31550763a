"""Facts of a title: what is loaded, and how a file that does not hold is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine.core.ids import CompanyId, HexId, PhaseName, PrivateId, TileId, TrainName
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
    parse_facts,
    read_facts,
)
from tests.kit.checkout import CHECKOUT

HERE = CHECKOUT / "engine" / "titles" / "t1861"


@pytest.fixture(scope="module")
def facts() -> Facts:
    return read_facts(HERE / "facts.json")


@pytest.fixture(scope="module")
def lays() -> Facts:
    return read_facts(HERE / "lays.json")


def test_the_map_of_1861(facts: Facts, lays: Facts) -> None:
    map = load_map(facts, lays)
    assert map.flat
    assert (len(map.hexes), len(map.tiles)) == (144, 62)
    assert sum(t.count or 0 for t in map.tiles.values()) == 128
    assert [t.id for t in map.tiles.values() if t.count is None] == ["7", "8", "9"]
    assert map.hexes[HexId("H8")].neighbors == {0: "H10", 1: "G9", 2: "G7", 3: "H6", 4: "I7", 5: "I9"}
    assert [c.reserved_for for c in map.hexes[HexId("H8")].face.cities] == [("M-K",), ("N",), ("M-NN",)]
    assert map.hexes[HexId("I5")].closed_until == "3"
    assert map.hexes[HexId("G15")].future_label == ("Kh", "gray")
    assert map.hexes[HexId("A11")].face.offboards[0].value("brown") == 50
    assert map.tiles[TileId("635")].face.terrain == 40
    assert map.distance(HexId("Q3"), HexId("M7")) == 4
    assert load_map(facts, lays) is map


def test_companies_have_their_printed_names_and_the_other_spelling(facts: Facts) -> None:
    companies = load_companies(facts)
    assert len(companies) == 25
    assert [c.id for c in companies.values() if c.charter.kind == "minor"] == [
        "R-O", "K-B", "O-K", "K-K", "SP-W", "M-B", "K-R", "N", "D", "M-K", "M-NN", "M-V", "V", "T-R", "S-V", "E",
    ]  # fmt: skip
    assert companies[CompanyId("D")].synonyms == ("Y",)
    assert companies[CompanyId("M-K")].synonyms == companies[CompanyId("MK")].synonyms == ()
    assert (companies[CompanyId("M-K")].charter.kind, companies[CompanyId("MK")].charter.kind) == ("minor", "public")
    assert companies[CompanyId("K-K")].charter.home == ("D14", 2)
    assert [c.id for c in companies.values() if c.available_from == "3"] == ["M-B", "D", "V", "T-R", "S-V", "E"]
    public, minor, state = (companies[CompanyId(c)] for c in ("NW", "N", "RSR"))
    assert {k: (c.shares, c.percent, c.director, n) for k, (c, n) in public.charter.certificates.items()} == {
        "director": (2, 20, True, 1),
        "ordinary": (1, 10, False, 8),
    }
    assert {k: (c.shares, c.percent, c.director, n) for k, (c, n) in minor.charter.certificates.items()} == {
        "minor": (2, 100, True, 1)
    }
    assert (public.charter.markers, minor.charter.markers, state.charter.markers, dict(state.charter.certificates)) == (
        3,
        1,
        8,
        {},
    )


def test_trains_phases_privates_and_players(facts: Facts) -> None:
    trains = load_trains(facts)
    assert {t.name: t.rusts for t in trains.values() if t.rusts} == {"4": "2", "6": "3", "8": "4"}
    assert [t.name for t in trains.values() if t.special] == ["2+2", "5+5E"]
    assert trains[TrainName("5+5E")].reach.multiplier == 2
    assert [p.name for p in load_phases(facts)] == ["2", "3", "4", "5", "6", "7", "8"]
    assert next(p for p in load_phases(facts) if p.name == PhaseName("5")).colors == ("yellow", "green", "brown")
    private = load_privates(facts)[PrivateId("WVR")]
    assert (private.minimum, private.face, private.income, private.bonus) == (60, 90, 30, 10)
    assert private.bonus_hexes == ("A9", "A11", "A13", "A15")
    assert {n: (r.cash, r.certificate_limit) for n, r in load_table(facts).items()} == {
        2: (420, 21), 3: (420, 21), 4: (315, 16), 5: (252, 13), 6: (210, 11),
    }  # fmt: skip


def test_charts_move_as_the_arrows_say(facts: Facts) -> None:
    charts = load_charts(facts)
    assert set(charts) == {"grid", "column"}
    grid = charts["grid"]
    assert grid.price((0, 18)) == 540
    assert grid.move("public", (0, 5), "up") == (1, 6)
    assert grid.move("minor", (1, 6), "right") == (0, 6)
    assert grid.move("public", (0, 18), "right") == (0, 18)


# ---- files that do not hold -----------------------------------------------------------------------------------------


def hex_of(data: dict[str, Any], coord: str) -> dict[str, Any]:
    return next(h for h in data["hexes"] if h["coord"] == coord)


def spoil_neighbor(data: dict[str, Any]) -> None:
    hex_of(data, "H8")["neighbors"]["0"] = "H12"


def spoil_track(data: dict[str, Any]) -> None:
    hex_of(data, "H8")["paths"][0] = ["0", "c7"]


def spoil_color(data: dict[str, Any]) -> None:
    hex_of(data, "H8")["color"] = "mauve"


def spoil_end(data: dict[str, Any]) -> None:
    data["tiles"]["57"]["paths"][0] = ["north", "c0"]


def spoil_upgrade(data: dict[str, Any]) -> None:
    data["upgrades"]["57"]["999"] = [0]


def spoil_rotation(data: dict[str, Any]) -> None:
    data["upgrades"]["57"]["14"] = [6]


def spoil_move(data: dict[str, Any]) -> None:
    data["markets"]["charts"]["grid"]["moves"]["public"][0]["left"] = [0, 0]


def spoil_rust(data: dict[str, Any]) -> None:
    data["trains"][0]["rusts_on_first"] = "9"


def spoil_bonus(data: dict[str, Any]) -> None:
    data["privates"][1]["ability"]["hexes"] = ["Z9"]


def spoil_shares(data: dict[str, Any]) -> None:
    data["companies"][0]["shares"][0] = 30


def spoil_cost(data: dict[str, Any]) -> None:
    data["trains"][0]["cost"] = "cheap"


def spoil_home(data: dict[str, Any]) -> None:
    next(c for c in data["companies"] if c["sym"] == "OK")["home"] = [{"city": 0}]


@pytest.mark.parametrize(
    ("spoil", "load", "reason", "line"),
    [
        (spoil_neighbor, "map", "hexes: H8: the neighbour across edge 0 is H10, not H12", '"coord": "H8"'),
        (spoil_track, "map", "hexes: H8: track ends in 'c7'", '"coord": "H8"'),
        (spoil_color, "map", "hexes: H8: unknown colour 'mauve'", '"coord": "H8"'),
        (spoil_end, "map", "tiles: 57: track ends in 'north'", '"57": {"color"'),
        (spoil_upgrade, "map", "upgrades: 57: 999: is not known", '"999": [0]'),
        (spoil_rotation, "map", "upgrades: 57: tile 14: rotations are 0 to 5, not [6]", '"14": [6]'),
        (
            spoil_move,
            "charts",
            "left of [0, 4] is [0, 0], where no cell is",
            '"public": [{"cell": [0, 4], "left": [0, 0]',
        ),
        (spoil_rust, "trains", "rusts on a train '9' that is not listed", '"name": "2"'),
        (spoil_cost, "trains", "'cost' must be int, not 'cheap'", '"name": "2"'),
        (spoil_bonus, "privates", "hex 'Z9' is not on the map", '"sym": "BSS"'),
        (spoil_shares, "companies", "shares add up to 110 %", '"sym": "NW"'),
        (spoil_home, "companies", "companies: OK: 'hex' is missing", '"sym": "OK"'),
    ],
)
def test_a_mistake_is_told_with_file_line_and_reason(
    facts: Facts, lays: Facts, spoil: Callable[[dict[str, Any]], None], load: str, reason: str, line: str
) -> None:
    data = json.loads(facts.text)
    spoil(data)
    text = written(data)
    spoilt = parse_facts(text, "spoilt.json")
    loaders: dict[str, Callable[[], object]] = {
        "map": lambda: load_map(spoilt, lays),
        "charts": lambda: load_charts(spoilt),
        "trains": lambda: load_trains(spoilt),
        "privates": lambda: load_privates(spoilt),
        "companies": lambda: load_companies(spoilt),
    }
    with pytest.raises(FactsError) as caught:
        loaders[load]()
    assert caught.value.file == "spoilt.json"
    assert reason in caught.value.reason
    assert line in text.splitlines()[caught.value.line - 1]


def written(data: dict[str, Any]) -> str:
    """One line for each entry of a section, as the files are."""
    lines = ["{"]
    for key, value in data.items():
        lines.append(f"{json.dumps(key)}:")
        if isinstance(value, dict):
            lines += ["{", *(f"{json.dumps(k)}: {json.dumps(v)}," for k, v in value.items())]
            lines[-1] = lines[-1].rstrip(",")
            lines.append("},")
        elif isinstance(value, list) and value:
            lines += ["[", *(f"{json.dumps(v, ensure_ascii=False)}," for v in value)]
            lines[-1] = lines[-1].rstrip(",")
            lines.append("],")
        else:
            lines.append(f"{json.dumps(value)},")
    lines[-1] = lines[-1].rstrip(",")
    return "\n".join([*lines, "}"])


def test_lays_of_an_unknown_hex_or_tile_are_refused(facts: Facts) -> None:
    for text, reason in (('{"lays": {"Z9": {"7": [0]}}}', "Z9"), ('{"lays": {"H8": {"1000": [0]}}}', "1000")):
        with pytest.raises(FactsError, match=f"lays.*{reason}: is not known"):
            load_map(facts, parse_facts(text, "lays.json"))


def test_what_is_no_json_is_told_by_line() -> None:
    with pytest.raises(FactsError, match=r"broken\.json:2: Expecting"):
        parse_facts('{\n"hexes": oops}', "broken.json")
    with pytest.raises(FactsError, match="must be a JSON object"):
        parse_facts("[]", "list.json")
    with pytest.raises(FactsError, match="hexes: must be a list"):
        load_privates(
            parse_facts('{"privates": [{"sym": "X", "ability": {"kind": "route_bonus", "hexes": ["A1"]}}]}', "x")
        )
