"""Files from outside, made by somebody who wishes the service ill: refused with one sentence, before they cost much.

Work is counted (orders read, orders tried, calls), never timed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import engine
import grammar
from engine.core.game import Game
from engine.site18xx import walk as site_walk
from engine.site18xx.places import legs_of
from grammar import reading
from moderator import input_limits as bounded
from moderator.domain.records import import_shape, record
from moderator.domain.records import limits as record_limits
from moderator.domain.records.import_18xx import RecordError, read_import
from moderator.entrypoints import cli
from moderator.input_limits import UnusableError, parse_json, read_text
from moderator.settings_file import BadConfiguration, load
from tests.kit.records.site_form import site_record
from tests.kit.samples import one_in
from tests.proofs.test_games import remembered_runs
from tests.titles.t1861.test_site import chance_game

HEAD = '[Title "1861"]\n[Edition "2020"]\n[Seat1 "Ann"]\n[Seat2 "Bob"]\n[Seat3 "Cat"]\n[Result "*"]\n\n'
Data = dict[str, Any]
ACTION = {"id": 1, "type": "pass", "entity": 1}


@pytest.fixture(scope="module")
def data() -> Data:
    with remembered_runs():
        return site_record(chance_game(4, 6, {}, 150))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], list[int]]:
    """Counts calls of a function: the list's only entry."""

    def count(owner: Any, name: str) -> list[int]:
        calls, inner = [0], getattr(owner, name)

        def counting(*given: Any, **named: Any) -> Any:
            calls[0] += 1
            return inner(*given, **named)

        monkeypatch.setattr(owner, name, counting)
        return calls

    return count


# ---- records in our own text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + "x" * 2_000_000, f"{len(HEAD) + 2_000_000} characters; at most 2000000 are read"),
        (HEAD + "Ann: pass\n" * 85_000, "85008 lines and semicolons; at most 80000 are read"),
        (HEAD + "Ann: " + "pass;" * 85_000, "85008 lines and semicolons; at most 80000 are read"),
        ("".join(f'[T{n} "x"]\n' for n in range(30_000)) + HEAD, "30006 tags; at most 1000 are read"),
        (HEAD + "e" + "\u0301\u0316" * 20_000, "record:8:1: more than 30 marks on one letter"),
        (
            HEAD + "\ufdfa" * 120_000,
            f"{len(HEAD) + 2_160_000} characters in plain form (NFKC); at most 2000000 are read",
        ),
        (HEAD + "Ann: bid \ud800", "half of a character"),
    ],
)
def test_a_record_beyond_a_limit_is_not_read(counted: Callable[[Any, str], list[int]], text: str, said: str) -> None:
    read = counted(grammar, "read")
    with pytest.raises(record.RecordError) as error:
        record.read_record(text)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert read == [0]


def test_more_orders_than_a_game_can_have_are_not_played(counted: Callable[[Any, str], list[int]]) -> None:
    played = counted(Game, "submit")
    with pytest.raises(record.RecordError, match="24000 orders; at most 20000 are played"):
        record.read_record(HEAD + "Ann:\n" + " pass\n" * 24_000)
    assert played == [0]


def test_the_first_hundred_faults_are_told_and_how_many_more_there_are() -> None:
    with pytest.raises(record.RecordError) as error:
        record.read_record(HEAD + "Ann: done\n" + "nonsense\n" * 5_000)
    assert len(error.value.faults) == record_limits.MOST_FAULTS + 1
    assert str(error.value).endswith("this and 4899 more")


def test_lines_that_go_on_are_joined_once(counted: Callable[[Any, str], list[int]]) -> None:
    """A row of lines that end in hyphens took the square of its length."""
    from grammar import pieces

    joins = counted(pieces, "joined")
    (piece,) = pieces.cut("a-\n" + " b-\n" * 5_000)
    assert len(piece.text) == 2 + 2 * 5_000
    assert piece.last_line == 5_001
    assert joins == [1]


@settings(max_examples=60)
@given(
    st.lists(
        st.sampled_from(
            [
                *HEAD.splitlines(), "Ann:", "Ann: pass",
                " bid 25 TSR", "lay 8 K9 1;", "[", '[Seat4 "\\"]', "[Priority \"\"]",
                '[Privates "x"]', '[Option.x "y"]', '[Result "Ann 9\u0669"]', '[Result "; ;"]', "press", "end press",
                '[Seat1 "Ann"]', '[Seat3 "Ann"]', '[Seat4 ":"]', '[Seat4 "\u202e"]', '[Seat4 ""]', "\x00", "\ufeff",
                "//",                 "bid " + "9" * 5_000, "-", "a-", " b,", "\ud800", "e\u0301" * 40,
            ]
        ),
        max_size=30,
    )
)  # fmt: skip
def test_any_text_is_a_record_or_refused_as_one(lines: list[str]) -> None:
    with suppress(record.RecordError):
        record.replay_record(record.read_record(HEAD + "\n".join(lines)))


# ---- JSON


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000 + "]" * 100_000, "has more than 32 lists and objects within each other"),
        ('{"a":' * 100_000, "has more than 32 lists and objects within each other"),
        ("[" * 100_000, "has more than 32"),
        ("[" + "1," * 500_000 + "1]", "has 500001 commas and opening brackets; at most 400000 are read"),
        ("[" + "9" * 5_000 + "]", "has a number of 5000 digits; numbers are below 1000000000000000"),
        ("[1e999]", "has the number '1e999'"),
        ("[-1e999]", "has the number '-1e999'"),
        ("[1." + "0" * 5_000 + "]", "numbers are below"),
        ("[NaN]", "has NaN, which is no number of JSON"),
        ("[-Infinity]", "has -Infinity"),
        ('{"title": 1, "title": 2}', "gives 'title' twice in one object"),
        ('["\\ud800"]', "has half of a character, \\ud800"),
        ('{"\\udfff": 1}', "has half of a character"),
        ('["' + "[" * 1_000, "is not JSON"),
        ("", "is not JSON"),
        ("\ufeff[]", "is not JSON"),
    ],
)
def test_json_that_no_export_has_is_refused_with_the_reason(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UnusableError) as error:
        parse_json(text)
    assert said in str(error.value)
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError) as refused:
        read_import(path)
    assert str(refused.value).startswith("game.json")
    result = CliRunner().invoke(cli.app, ["record", "verify", str(path)])
    assert (result.exit_code, result.output.count("\n")) == (2, 1), result.output


def test_brackets_in_texts_are_no_lists() -> None:
    said = "[{" * 100 + '\\"' + "]"
    assert parse_json(json.dumps([said, [said]])) == [said, [said]]
    assert parse_json('["\\ud83d\\ude82"]') == ["\U0001f682"]


@example("[" * 40)
@example('"\\')
@given(st.text(alphabet='[]{}",:\\ud8019eE+-.truefalsn \n'))
def test_any_text_is_json_or_refused(text: str) -> None:
    """The reader refuses what the standard library refuses, and no more than the limits besides."""
    try:
        found = parse_json(text)
    except UnusableError:
        return
    assert found == json.loads(text)


@pytest.mark.parametrize("name", ["game.json", "game.txt"])
def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(12_000_000)

    def unreadable(*_: object) -> Any:
        raise AssertionError("it was read")

    monkeypatch.setattr(json, "loads", unreadable)
    monkeypatch.setattr(reading, "normalise", unreadable)
    result = CliRunner().invoke(cli.app, ["record", "verify", str(path)])
    assert result.exit_code == 2
    most = bounded.LARGEST_EXPORT if name.endswith("json") else bounded.LARGEST_RECORD
    assert result.output == f"{name}: has 12000000 bytes; at most {most} are read\n"


def test_what_has_no_size_is_read_up_to_the_limit() -> None:
    with pytest.raises(UnusableError, match="has more than 1000 bytes; at most 1000 are read"):
        read_text(Path("/dev/zero"), 1_000)


def test_bytes_that_are_no_text_are_named_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"one\ntwo \xff\n")
    with pytest.raises(UnusableError, match="is not text in UTF-8: byte 8, in line 2"):
        read_text(tmp_path / "x", 1_000)


# ---- exported games


def imported(folder: Path, data: Any) -> None:
    path = folder / "record.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    for _ in read_import(path).play():
        pass


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"players": [{"id": n, "name": f"p{n}"} for n in range(50)]}, "has 50 players; at most 20"),
        ({"players": [7]}, "players: must be an object, not 7"),
        ({"players": [{"id": 1, "name": "x" * 500}]}, "name: longer than 200 characters"),
        ({"settings": 5}, "settings: must be an object, not 5"),
        ({"settings": {"optional_rules": [[]]}}, "optional_rules: must be a text"),
        ({"result": {"1": []}}, "result must be an object with a number"),
        ({"actions": [{**ACTION, "entity": [1]}]}, "action 1 (id 1): entity: must be a number or a text"),
        ({"actions": [{**ACTION, "type": "bid", "price": "9" * 500}]}, "price: longer than 200 characters"),
        ({"actions": [{**ACTION, "type": "buy_shares", "shares": ["MK_1"] * 99}]}, "shares: has 99 entries"),
        ({"actions": [{**ACTION, "auto_actions": 5}]}, "auto_actions must be a list"),
        ({"actions": [{**ACTION, "auto_actions": [5]}]}, "action 1 (id 1) is not an object"),
        (
            {"actions": [{**ACTION, "type": "run_routes", "entity": "MK", "routes": [{"connections": [[3]]}]}]},
            "routes: connections: must be a text, not 3",
        ),
        ({"actions": [{**ACTION}] * 10_500}, "has more than 10000 actions"),
    ],
)  # fmt: skip
def test_a_form_that_the_site_does_not_write_is_named_before_anything_is_played(
    tmp_path: Path, data: Data, counted: Callable[[Any, str], list[int]], broken: Data, said: str
) -> None:
    played = counted(Game, "submit")
    with pytest.raises(RecordError) as error:
        imported(tmp_path, {**data, **broken})
    assert said in str(error.value)
    assert played == [0]


def test_a_row_of_passes_is_not_tried_out_again_and_again(
    tmp_path: Path, data: Data, counted: Callable[[Any, str], list[int]]
) -> None:
    """Each of them was looked at for each, and for each an order after the other was tried."""
    first = next(n for n, a in enumerate(data["actions"]) if a["type"] != "pass")
    passes = [{"type": "pass", "entity": a["entity"], "entity_type": "player", "id": 1} for a in data["actions"][:1]]
    tried, looked = counted(Game, "submit"), counted(site_walk.Walk, "actor")
    with pytest.raises(RecordError):
        imported(tmp_path, {**data, "actions": [*data["actions"][: first + 1], *passes * 3_000]})
    assert tried[0] < site_walk.MOST_LOOKS / 10
    assert looked[0] < site_walk.MOST_LOOKS


def test_a_run_whose_legs_fit_in_every_way_is_turned_a_few_times() -> None:
    loop = ["A1", "B2", "C3", "A1"]
    found = list(islice(legs_of({"connections": [loop] * 50}), 100))
    assert len(found) == 100
    assert list(legs_of({"connections": [*[loop] * 50, ["D4", "E5"]]})) == []


def test_undo_of_undo_is_looked_up_not_searched(data: Data) -> None:
    class Id(int):
        compared = 0

        def __eq__(self, other: object) -> bool:
            Id.compared += 1
            return int(self) == other

        __hash__ = int.__hash__

    from engine.site18xx.actions import effective

    actions: list[Data] = []
    for n in range(1_000):
        actions += [
            {"type": "pass", "id": Id(2 * n)},
            {"type": "undo", "id": Id(2 * n + 1), "action_id": max(1, 2 * n - 2)},
        ]
    effective(actions)
    assert Id.compared < 10 * len(actions)


HOSTILE: list[Any] = [
    None, True, 0, -1, 7, 10**14, -(10**14), 1.5, "", "x", "9" * 200, " ", "MK", "101", "\x00", "101_0", "-", ":", "P1",
    [], {}, ["x"], [""], [[]], {"a": 1}, ["MK_0"] * 50, "H8-0-0", "H8", "8-0",
]  # fmt: skip


def spoilt(data: Data, chance: random.Random) -> Data:
    """A record with a few values, fields or actions of it put out of order."""
    spoilt = deepcopy({**data, "actions": data["actions"][: chance.choice([20, 40, 80])]})
    for _ in range(chance.choice([1, 1, 2, 3])):
        action = chance.choice(spoilt["actions"])
        match chance.randrange(10):
            case 0:
                spoilt["actions"].insert(chance.randrange(20), deepcopy(chance.choice(data["actions"])))
            case 1:
                action.pop(chance.choice(list(action)))
            case 2:
                action["type"] = chance.choice(data["actions"])["type"]
            case 3:
                spoilt[chance.choice(list(spoilt))] = deepcopy(chance.choice(HOSTILE))
                return spoilt
            case _:
                action[chance.choice(list(action))] = deepcopy(chance.choice(HOSTILE))
        if not action:
            return spoilt
    return spoilt


@pytest.mark.parametrize("seed", one_in(3, range(60)))
def test_a_spoilt_record_is_played_or_refused_with_a_sentence(tmp_path: Path, data: Data, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(4):
        with suppress(RecordError):
            imported(tmp_path, spoilt(data, chance))


def test_an_action_after_the_end_is_named(tmp_path: Path) -> None:
    with remembered_runs():
        game = chance_game(3, 3, {})
    assert game.finished
    whole = site_record(game)
    bid = next(action for action in whole["actions"] if action["type"] == "bid")
    with pytest.raises(RecordError, match="the game is over before it"):
        imported(tmp_path, {**whole, "actions": [*whole["actions"], bid]})


# ---- settings, orders


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("arc_sealers = " + "[" * 2_000, "lists within lists without end"),
        ("arc_sealers = [[]]", "has lists or tables in a list"),
        ("a" + ".a" * 1_500 + " = 1", "'a' is a table; a setting is written NAME = VALUE"),
        ("[data]\nx = 1", "'data' is a table"),
        ("x = " + "9" * 3_990, "there is no such setting"),
        ("poll_seconds = " + "9" * 3_900, "poll_seconds: Input should be a valid number"),
        ("poll_seconds = 1e9", "poll_seconds: at most 315360000"),
        ("poll_seconds = inf", "poll_seconds: at most 315360000"),
        ("poll_seconds = nan", "poll_seconds: "),
        ("confirm_hours = 1000000", "confirm_hours: at most 87600"),
        ("# " + "x" * 5_000, "has 5002 characters in one line; at most 4000"),
        ("#\n" * 60_000, "has 120000 bytes; at most 100000 are read"),
        ('data = "x"\ndata = "y"', "line 2"),
    ],
)
def test_settings_that_nobody_would_write(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "railpost.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadConfiguration) as error:
        load(path)
    assert str(path) in str(error.value)
    assert said in str(error.value)


def test_a_file_of_orders_is_read_up_to_a_limit(tmp_path: Path) -> None:
    game = Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), "x"))
    (tmp_path / "game.txt").write_text(record.write_record(game, {}, sealed=False), encoding="utf-8")
    (tmp_path / "orders.txt").write_text("pass\n" * 300_000, encoding="utf-8")
    command = ["check", str(tmp_path / "orders.txt"), "--record", str(tmp_path / "game.txt")]
    result = CliRunner().invoke(cli.app, command)
    assert (result.exit_code, result.output) == (2, "orders.txt: has 1500000 bytes; at most 1000000 are read\n")


# ---- real ones are far from every limit


def test_real_games_are_far_from_every_limit(records: Path) -> None:
    for path in real_games(records):
        data = parse_json(text := read_text(path, bounded.LARGEST_EXPORT // 10))
        assert 10 * (text.count(",") + text.count("[") + text.count("{")) < bounded.MOST_VALUES
        assert 5 * len(data["actions"]) < import_shape.MOST_ACTIONS
        import_shape.check_game(data)


def real_games(records: Path) -> Iterator[Path]:
    for path in sorted(records.glob("18[46]*/*.json")):
        if path.name.count(".") == 1:
            yield path
