"""An owner of a game corrects its facts: what holds is played, what does not is refused with line and reason, and rules
stay as they are."""

from __future__ import annotations

import ast
import hashlib
import json
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from typing import Any

import pytest

import engine
from engine import FaultyFacts, Game, Setup, Title
from engine.core.ids import HexId, TileId, TrainName
from engine.facts.corrections import Corrections
from engine.facts.file import Facts, FactsError
from engine.robots import sensible
from moderator import library
from moderator.domain.records.record import RecordError
from tests.kit.checkout import CHECKOUT
from tests.kit.facts.bounds import KINDS, LENGTHS, NUMBERS, put
from tests.kit.facts.fault_samples import SPOILED, Spoiled
from tests.kit.samples import prove, sampled
from tests.kit.titles import TITLES

BOXES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "1861": ("1861", {}),
    "1844": ("1844", {}),
    "1841": ("1841", {}),
    "1863": ("1863", {}),
    "1867": ("1867", {}),
    "1841 lite": ("1841", {"map": "lite", "version": "2"}),
}
PLAYERS = ("Ann", "Bob", "Cat")
each_box = pytest.mark.parametrize("box", BOXES)


def shipped(box: str) -> Title:
    name, options = BOXES[box]
    return engine.load_title(name, None, options)


@lru_cache
def exported(box: str) -> str:
    return engine.export_facts(shipped(box))


def load(box: str, text: str) -> Title:
    name, options = BOXES[box]
    return engine.load_title(name, None, options, text)


def faults(box: str, text: str) -> list[tuple[int, str]]:
    with pytest.raises(FaultyFacts) as caught:
        load(box, text)
    return [(fault.line, fault.reason) for fault in caught.value.faults]


def changed(box: str, **sections: Any) -> str:
    return json.dumps({**json.loads(exported(box)), **sections}, indent=1, ensure_ascii=False)


def lays(title: Title) -> dict[HexId, dict[TileId, tuple[int, ...]]]:
    """First lays, without tiles that fit in no way."""
    found = {hex: {t: turns for t, turns in rows.items() if turns} for hex, rows in title.map.first_lays.items()}
    return {hex: rows for hex, rows in found.items() if rows}


@each_box
def test_a_file_as_it_was_written_changes_nothing(box: str) -> None:
    """First lays that the file does not list follow from what is printed."""
    before, title = shipped(box), load(box, exported(box))
    assert engine.compare_facts(title) == ()
    assert title.own_facts == exported(box)
    assert title.facts_digest == hashlib.sha256(exported(box).encode()).hexdigest()
    assert lays(title) == lays(before) and title.map.upgrades == before.map.upgrades
    for part in ("trains", "phases", "privates", "companies", "table", "bank", "chart"):
        assert getattr(title, part) == getattr(before, part), part
    assert {h.id: h for h in title.map.hexes.values()}.keys() == before.map.hexes.keys()
    assert title.fingerprint != before.fingerprint


@pytest.mark.parametrize(
    ("spoiled", "box"),
    [
        (spoiled, box) if at % len(BOXES) == number else prove((spoiled, box))
        for at, spoiled in enumerate(SPOILED)
        for number, box in enumerate(BOXES)
        if box != "1867" or " home " not in f"{spoiled.name} "  # its companies have none in the box
    ],
    ids=lambda one: one if isinstance(one, str) else one.name,
)
def test_a_spoiled_copy_is_refused_with_place_and_reason(box: str, spoiled: Spoiled) -> None:
    text, place = spoiled.text(exported(box))
    found = faults(box, text)
    assert any(spoiled.reason in reason for _, reason in found), found
    line, reason = next(one for one in found if spoiled.reason in one[1])
    assert reason.startswith(": ".join(place)), (reason, place)
    said = text.splitlines()[line - 1]
    where = place[-1] if not place[-1].isdigit() or place[-2] == "neighbors" else ""
    assert f'"{where}"' in said or not where or place[0] == "markets" or where in reason, (said, place)


@each_box
def test_a_train_out_of_the_table_costs_what_the_file_says(box: str) -> None:
    data = json.loads(exported(box))
    train = data["trains"][0]
    train["cost"] += 5
    text = json.dumps(data, indent=1, ensure_ascii=False)
    title = load(box, text)
    assert title.trains[TrainName(train["name"])].cost == train["cost"]
    (one,) = engine.compare_facts(title)
    assert (one.place, one.shipped, one.corrected) == (
        ("trains", train["name"], "cost"),
        train["cost"] - 5,
        train["cost"],
    )
    assert text.splitlines()[one.line - 1].strip() == f'"cost": {train["cost"]},'


def test_a_box_without_privates_can_be_corrected() -> None:
    """A section without entries may stay so, and gets none."""
    whole = import_module("engine.titles.t1861").CORRECTIONS
    rulings = shipped("1861").rulings
    read = whole.facts_of(rulings)
    bare = replace(read, data={**read.data, "privates": []})
    box = Corrections("1861", whole.form, lambda rulings: bare, whole.lays_of)
    text = box.export(rulings)
    assert box.played(rulings, text)[0].data["privates"] == []
    more = json.dumps({**json.loads(text), "privates": [{"name": "Tsarskoye Selo", "price": 30}]}, indent=1)
    with pytest.raises(FaultyFacts, match="privates"):
        box.played(rulings, more)


@pytest.mark.parametrize("name", engine.title_names())
def test_a_key_that_a_title_reads_can_be_corrected(name: str) -> None:
    """A key that files of corrections leave out, because nothing reads it, stands in no code of the title."""
    folder = CHECKOUT / "engine" / "titles" / f"t{name}"
    form = import_module(f"engine.titles.t{name}").CORRECTIONS.form
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in folder.glob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    written = {node.value for node in nodes if isinstance(node, ast.Constant)}
    keys = {
        node.slice.value for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
    }
    keys |= {
        node.args[0].value
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get"
        and node.args and isinstance(node.args[0], ast.Constant)
    }  # fmt: skip
    assert not keys & form.unread
    assert form.reads <= written


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_beyond_its_bounds_is_refused_with_the_bound(name: str) -> None:
    low, high = json.loads(exported(name)), json.loads(exported(name))
    expected = set[str]()
    for place, (least, most) in NUMBERS[name].items():
        put(low, place, least - 1)
        put(high, place, most + 1)
        where = ": ".join(map(str, place))
        expected |= {
            f"{where}: must be {least} or more, not {least - 1}",
            f"{where}: must be {most} or less, not {most + 1}",
        }
    assert {reason for data in (low, high) for _, reason in faults(name, json.dumps(data))} == expected


@pytest.mark.parametrize("name", LENGTHS)
def test_a_list_that_is_too_long_or_too_short_is_refused_with_its_bounds(name: str) -> None:
    for place, (least, most) in LENGTHS[name].items():
        for length in (*([least - 1] if least else []), most + 1):
            data = json.loads(exported(name))
            put(data, place, [None] * length)
            ((_, reason),) = faults(name, json.dumps(data))
            assert reason == f"{': '.join(map(str, place))}: must have {least} to {most} entries, not {length}"


@pytest.mark.parametrize("name", KINDS)
def test_a_value_of_another_kind_is_refused_with_the_right_kind(name: str) -> None:
    for place, (right, words) in KINDS[name].items():
        data = json.loads(exported(name))
        values: tuple[Any, ...] = (None, True, 7, 1.5, "x", [], {})
        for value in values:
            if type(value) is not right:
                put(data, place, value)
                said = f"{': '.join(map(str, place))}: must be {words}, not {value!r}"
                assert any(reason == said for _, reason in faults(name, json.dumps(data))), said


@pytest.mark.parametrize(
    ("track", "reason"),
    [
        (7, "track is a list of two ends, not 7"),
        (["0"], "track is a list of two ends, not ['0']"),
        (["0", "c0", {}, {}], "track is a list of two ends, not ['0', 'c0', {}, {}]"),
        (["0", 3], "1: must be a text, not 3"),
        (["0", "c0", {"terminal": 7}], "2: terminal: must be true or false, not 7"),
    ],
)
def test_track_of_another_form_is_refused(track: Any, reason: str) -> None:
    data = json.loads(exported("1861"))
    data["tiles"]["57"]["paths"][0] = track
    assert [said for _, said in faults("1861", json.dumps(data))] == [f"tiles: 57: paths: 0: {reason}"]


def test_a_file_may_have_a_million_characters() -> None:
    assert load("1861", exported("1861").ljust(1_000_000)).own_facts
    assert faults("1861", exported("1861").ljust(1_000_001)) == [(1, "1000001 characters; at most 1000000 are read")]


def test_a_company_keeps_a_home_and_one_without_gets_none() -> None:
    """Where a company begins is for its owner to correct; whether the board says so is a rule."""
    home = {"hex": "E1", "city": 0}
    for name, sym, value, reason in (("1844", "NOB", [], "must have a hex"), ("1861", "NW", [home], "must stay empty")):
        data = json.loads(exported(name))
        put(data, ("companies", sym, "home"), value)
        assert [said for _, said in faults(name, json.dumps(data))] == [f"companies: {sym}: home: {reason}"]


def test_track_that_was_moved_is_one_difference_and_track_that_was_added_changes_the_list() -> None:
    whole = import_module("engine.titles.t1861").CORRECTIONS
    data = json.loads(exported("1861"))
    first, second = data["tiles"]["57"]["paths"]
    data["tiles"]["57"]["paths"] = [first, ["4", "c0"]]
    data["tiles"]["9"]["paths"] = [["0", "3"], ["1", "4"]]
    found = whole.differences(shipped("1861").rulings, json.dumps(data))
    assert [(one.place, one.shipped, one.corrected) for one in found] == [
        (("tiles", "9", "paths"), [["0", "3"]], [["0", "3"], ["1", "4"]]),
        (("tiles", "57", "paths", "1"), second, ["4", "c0"]),
    ]


@each_box
def test_all_faults_are_told_at_once(box: str) -> None:
    data = json.loads(exported(box))
    data["trains"][0]["cost"] = -1
    data["players"]["3"]["cash"] = None
    data["tiles"]["57"]["count"] = 1.5
    reasons = " | ".join(reason for _, reason in faults(box, json.dumps(data)))
    assert "-1" in reasons and "None" in reasons and "1.5" in reasons


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 0, ""),
        ("nonsense", 1, "a value is expected here"),
        ("[]", 1, "must be a JSON object"),
        ('{"title": "1861"}\n{', 2, "nothing may follow"),
        ('{\n"title": "1861",\n"title": "1861"}', 3, "'title' is given twice"),
        ('{\n"title": "1861"\n"hexes": []}', 3, "a comma or } is expected"),
        ('{"title" "1861"}', 1, "a colon is expected"),
        ('{"title": NaN}', 1, "a value is expected here"),
        ('{"title": 1e999}', 1, "too large"),
        ('{"title": 123456789012345}', 1, "too large"),
        ('{"title": 1000000000}', 1, "too large"),
        ('{"title": 999999999}', 1, "must be '1861', the game that is played, not 999999999"),
        ('{"title": "\\ud800"}', 1, "half of a character"),
        ('{"title": "\\udfff"}', 1, "half of a character"),
        ('{"title": "\n"}', 1, "a text does not end"),
        ('{"a":' * 40, 1, "within each other"),
        (" " * 1_000_001, 1, "characters"),
        ('{"title": "1861"}', 1, "the section is missing"),
    ],
)  # fmt: skip
def test_what_is_no_file_of_facts(text: str, line: int, reason: str) -> None:
    if not text:
        assert load("1861", text).own_facts == "", "no file is no correction"
        return
    assert any(at == line and reason in said for at, said in faults("1861", text))


@each_box
@pytest.mark.parametrize("tries", sampled([4, 60], [4]))
def test_a_value_of_any_other_form_is_refused_and_never_crashes(box: str, tries: int) -> None:
    """So many values, one at a time, become something else."""
    chance = random.Random(box)
    values: tuple[Any, ...] = (
        None,
        True,
        -1,
        0,
        7,
        10**8,
        1.5,
        "",
        "x",
        "H8",
        [],
        [0],
        ["0", "c0"],
        {},
        {"x": 1},
        [[]],
    )
    loaded, told = 0, list[FactsError]()
    for _ in range(tries):
        data = json.loads(exported(box))
        at: Any = data
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            key = chance.choice(keys)
            if not isinstance(at[key], (dict, list)) or not at[key] or chance.random() < 0.15:
                break
            at = at[key]
        if chance.random() < 0.2 and isinstance(at, dict):
            del at[key]
        else:
            at[key] = chance.choice(values)
        try:
            load(box, json.dumps(data))
        except FaultyFacts as error:
            told.extend(error.faults)
        else:
            loaded += 1
    assert all(fault.reason and fault.line >= 1 for fault in told)
    assert loaded < tries / 2, "most are refused"


def test_an_upgrade_that_is_left_out_follows_from_the_tiles() -> None:
    data = json.loads(exported("1861"))
    del data["upgrades"]["57"]
    text = json.dumps(data)
    assert load("1861", text).map.upgrades[TileId("57")] == shipped("1861").map.upgrades[TileId("57")]


def test_a_hex_can_be_put_right_with_its_neighbours() -> None:
    """A barrier that was forgotten: track is not laid across it any more."""
    data = json.loads(exported("1861"))
    at = {row["coord"]: row for row in data["hexes"]}
    at["G11"]["borders"], at["G11"]["closed_edges"] = [{"edge": 0, "type": "impassable"}], [0]
    at["G13"]["borders"], at["G13"]["closed_edges"] = [{"edge": 3, "type": "impassable"}], [3]
    title = load("1861", json.dumps(data))
    assert 0 in title.map.hexes[HexId("G11")].closed_edges
    for tile, turns in title.map.first_lays[HexId("G11")].items():
        assert all(0 not in title.map.tiles[tile].face.turned(r).exits for r in turns)
    places = {one.place[:2] for one in engine.compare_facts(title)}
    assert places == {("hexes", "G11"), ("hexes", "G13")}


def test_a_number_that_a_ruling_decides_cannot_be_corrected() -> None:
    data = json.loads(exported("1861"))
    next(t for t in data["trains"] if t["name"] == "2+2")["quantity"] = 3
    ((_, reason),) = faults("1861", json.dumps(data))
    assert "the ruling trains_2_2 decides it" in reason


def test_a_file_goes_with_its_box() -> None:
    ((line, reason),) = faults("1841", exported("1841 lite"))
    assert "'map': 'full'" in reason and "'map': 'lite'" in reason and line == 3
    text = json.dumps({**json.loads(exported("1841")), "box": {"map": "x" * 150}})
    ((_, reason),) = faults("1841", text)
    assert reason.endswith(f"the file is for {{'map': '{'x' * 111}..."), "120 characters of it"


def test_what_is_reconstructed_is_as_the_file_says() -> None:
    title = load("1861", changed("1861", reconstructed=["hexes", "tiles"]))
    assert title.reconstructed == ("hexes", "tiles") and shipped("1861").reconstructed == ()
    assert any("cannot be 'rules'" in reason for _, reason in faults("1861", changed("1861", reconstructed=["rules"])))


# ---- games and records -----------------------------------------------------------------------------------------------


def corrected(box: str) -> Title:
    """Trains are dearer, and everybody has less."""
    data = json.loads(exported(box))
    for train in data["trains"]:
        train["cost"] += 10
    data["players"]["3"]["cash"] -= 10
    return load(box, json.dumps(data, indent=1, ensure_ascii=False))


@contextmanager
def other_facts(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Railpost brings other facts: every price, count and value is another one."""
    module = import_module(f"engine.titles.t{name}")
    box = import_module(f"engine.titles.t{name}.box")
    reads = box.read_facts

    def read(path: Any) -> Facts:
        found: Facts = reads(path)
        if path.name.startswith("lays") or "trains" not in found.data or isinstance(found.data["trains"], dict):
            return found
        trains = [{**t, "cost": t["cost"] * 2} for t in found.data["trains"]]
        tiles = {n: {**t, "count": 1} for n, t in found.data["tiles"].items()}
        players = {n: {**p, "cash": p["cash"] - 50, "certificate_limit": 5} for n, p in found.data["players"].items()}
        hexes = [{**h, "name": "Elsewhere"} if "name" in h else h for h in found.data["hexes"]]
        privates = [{**p, "revenue": p["revenue"] + 5} for p in found.data["privates"]]
        data = {"trains": trains, "tiles": tiles, "players": players, "hexes": hexes, "privates": privates}
        return Facts(found.name, found.text, {**found.data, **data})

    caches = [module._build, *([box._read] if hasattr(box, "_read") else [])]
    with monkeypatch.context() as patch:
        patch.setattr(box, "read_facts", read)
        for cache in caches:
            cache.cache_clear()
        yield
    for cache in caches:
        cache.cache_clear()


@pytest.mark.parametrize("box", sampled(TITLES, ("1863",)))
def test_a_corrected_copy_is_played_to_the_end_and_replays_after_railpost_brings_others(
    box: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = corrected(box)
    game = Game.start(title, Setup(PLAYERS, seed="corrected"))
    while not game.finished:
        ask = game.asked()[0]
        assert game.submit(sensible(game, ask))
    text = library.write_record(game)
    with other_facts(box, monkeypatch):
        assert (
            shipped(box).trains[TrainName(next(iter(title.trains)))]
            != title.trains[TrainName(next(iter(title.trains)))]
        )
        again = library.read_record(text)
        assert again.title.own_facts == title.own_facts and again.title.facts_digest == title.facts_digest
        assert again.standings() == game.standings() and again.told_digest() == game.told_digest()
        bare = "\n".join(line for line in text.splitlines() if not line.startswith("[FactsFile"))
        with pytest.raises(RecordError, match="give it with --facts"):
            library.read_record(bare)
        assert library.read_record(bare, facts=title.own_facts).standings() == game.standings()
        with pytest.raises(RecordError, match="has the SHA-256"):
            library.read_record(bare, facts=exported(box))


def test_a_record_whose_file_was_spoiled_is_refused() -> None:
    game = Game.start(corrected("1861"), Setup(PLAYERS, seed="corrected"))
    text = library.write_record(game)
    line = next(line for line in text.splitlines() if line.startswith("[FactsFile"))
    number = text.splitlines().index(line) + 1
    for other, reason in (
        ('[FactsFile "nonsense"]', "cannot be unpacked"),
        (line[:-40] + '"]', "cannot be unpacked"),
        (line.replace('FactsFile "', 'FactsFile "AAAA'), "cannot be unpacked"),
    ):
        with pytest.raises(RecordError, match=reason) as caught:
            library.read_record(text.replace(line, other))
        assert caught.value.faults[0].line == number
    digest = corrected("1861").facts_digest
    with pytest.raises(RecordError, match="SHA-256"):
        library.read_record(text.replace(digest, "0" * 64))
    shipped_game = library.write_record(Game.start(shipped("1861"), Setup(PLAYERS, seed="x")))
    with pytest.raises(RecordError, match="the facts that Railpost brings"):
        library.read_record(shipped_game, facts=exported("1861"))
