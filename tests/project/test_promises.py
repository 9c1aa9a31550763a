"""docs/promises.md: what a released version promised holds in this one. `python -m tools.promises` says the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import engine
from tests.kit.checkout import CHECKOUT
from tools import promises
from tools.promised import deprecations, games, orders
from tools.promised.names import broken, listing

VERSIONS = promises.versions(CHECKOUT)
RECORDS = [(version, path) for version in VERSIONS for path in promises.records(CHECKOUT, version)]
ORDERS = [(version, name) for version in VERSIONS for name in promises.subjects()]
WRITTEN = CHECKOUT / promises.FOLDER / "1.0.0"


def test_the_first_version_wrote_everything_down() -> None:
    assert "1.0.0" in VERSIONS
    assert {path.stem for path in promises.records(CHECKOUT, "1.0.0")} >= {
        "1861-v2.0", "1861-first", "1861-2020", "1844-rulebook", "1844-18xx.games", "1841-clarified", "1841-v1",
        "1841-v2", "1863-historical", "1863-equal", "1867-18xx.games",
    }  # fmt: skip
    for name in ("1841", "1844", "1861", "1863", "1867", orders.MASTER):
        assert len(json.loads((WRITTEN / f"orders-{name}.json").read_text(encoding="utf-8"))) > 30


def test_the_version_that_stands_here_is_written_down() -> None:
    assert engine.__version__ in VERSIONS, "`python -m tools.promises --write` writes down what this version promises"


@pytest.mark.parametrize("version", VERSIONS)
def test_names_settings_commands_and_keys_stay(version: str) -> None:
    assert promises.lost_names(CHECKOUT, version) == []


@pytest.mark.parametrize(("version", "name"), ORDERS)
def test_orders_keep_their_meaning(version: str, name: str) -> None:
    assert promises.changed_orders(CHECKOUT, version, name) == []


@pytest.mark.parametrize(("version", "record"), RECORDS, ids=lambda value: getattr(value, "stem", value))
def test_records_replay_to_the_same_positions(version: str, record: Path) -> None:
    assert promises.departed(CHECKOUT, version, record) is None


@pytest.mark.parametrize("version", VERSIONS)
def test_positions_open(version: str) -> None:
    assert promises.lost_positions(CHECKOUT, version) == []


def test_no_folder_of_a_released_version_is_changed() -> None:
    assert promises.changed_folders(CHECKOUT) == []


def test_each_name_that_will_go_says_so_in_time() -> None:
    assert list(deprecations.faults(CHECKOUT, engine.__version__)) == []


# ---- what would be found ---------------------------------------------------------------------------------------------

ANY, NAMED = "POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY"


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ([["game", ANY, False], ["seat", ANY, True]], []),
        ([["game", ANY, False], ["seat", ANY, True], ["more", ANY, True]], []),
        ([["game", ANY, True], ["seat", ANY, True]], []),
        ([["game", ANY, False]], ["f: the parameter seat is gone"]),
        ([["game", ANY, False], ["seat", ANY, False]], ["f: the parameter seat must be given now"]),
        (
            [["game", ANY, False], ["seat", NAMED, True]],
            ["f: the parameter seat cannot be given as before (POSITIONAL_OR_KEYWORD, now KEYWORD_ONLY)"],
        ),
        (
            [["seat", ANY, True], ["game", ANY, False]],
            ["f: the parameter game is at another place", "f: the parameter seat is at another place"],
        ),
        (
            [["game", ANY, False], ["seat", ANY, True], ["more", NAMED, False]],
            ["f: the new parameter more must be given"],
        ),
    ],
)
def test_a_call_that_was_right_stays_right(now: list[object], said: list[str]) -> None:
    before = {"f": {"call": [["game", ANY, False], ["seat", ANY, True]]}}
    assert list(broken(before, {"f": {"call": now}})) == said


def test_what_is_gone_or_otherwise_is_named() -> None:
    before = {
        "engine.x": {"read": True}, "settings": ["a", "b"], "exit statuses": {"OK": 0},
        "railpost game": {"options": ["--all"], "arguments": [["game", True]]}, "json of list": {"keys": ["a"]},
    }  # fmt: skip
    assert list(broken(before, {**before, "more": {"read": True}, "settings": ["a", "b", "c"]})) == []
    now = {
        "settings": ["a"], "exit statuses": {"OK": 1}, "json of list": {"keys": ["b"]},
        "railpost game": {"options": [], "arguments": [["game", True], ["file", True]]},
    }  # fmt: skip
    assert list(broken(before, now)) == [
        "engine.x is gone", "settings: b is gone", "exit statuses: OK was 0, now 1", "railpost game: --all is gone",
        "railpost game: its arguments were [['game', True]] (name, required)", "json of list: a is gone",
    ]  # fmt: skip


def test_the_listing_has_methods_fields_options_and_columns() -> None:
    found = listing(CHECKOUT)
    assert ["order", ANY, False] in found["engine.Game.submit"]["call"]
    assert found["engine.State.cash"] == {"read": True}
    assert ["tile", ANY, False] in found["engine.orders.Lay"]["call"]
    assert "--json" in found["railpost game list"]["options"]
    assert any("edition" in entry["keys"] for name, entry in found.items() if name.startswith("json of"))
    assert "imap_host" in found["settings"]


def test_an_order_with_another_meaning_is_found() -> None:
    held = {"pass": orders.meaning("1861", "pass"), "sell 1 NW": orders.meaning("1861", "sell 2 NW"), "pasta": []}
    found = list(orders.changed("1861", held))
    assert len(found) == 2
    assert "'sell 1 NW' means" in found[0] and "'pasta' can no longer be read" in found[1]


def test_a_record_that_departs_needs_a_newer_version_of_the_rules() -> None:
    text = (WRITTEN / "1867-18xx.games.record").read_text(encoding="utf-8")
    digest = text.partition('[Digests "1: ')[2][:8]
    other = text.replace(digest, "00000000", 1)
    rules = engine.load_title("1867").rules_version
    assert "version of the rules" in (games.departed(other, None) or "")
    assert games.departed(other, rules + 1) is not None  # that version does not exist
    older = other.replace(f'[Rules "{rules}"]', f'[Rules "{rules - 1}"]')
    assert games.departed(older, None) is not None  # the departure is not written down
    assert games.departed(older, rules) is None
    assert "cannot be read" in (games.departed("[Title", rules) or "")


def test_a_position_opens_or_its_form_is_known_to_be_another() -> None:
    game = engine.Game.start(engine.load_title("1867"), engine.Setup(("Ann", "Bob", "Cat"), "a seed", "Ann"))
    text, digest = engine.write_position(game), game.told_digest()
    assert "another position" in (games.lost_position(text, digest[:-1] + "x", other_form=True) or "")
    assert "version 9" in (games.lost_position(text.replace("P1.", "P9."), digest, other_form=False) or "")
    assert games.lost_position(text.replace("P1.", "P9."), digest, other_form=True) is None
    assert "no whole position" in (games.lost_position(text[:-1], digest, other_form=True) or "")


def test_the_command_names_the_version_that_promised_and_leaves_its_folder_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held = tmp_path / promises.FOLDER / engine.__version__
    held.mkdir(parents=True)
    shutil.copytree(CHECKOUT / "moderator" / "entrypoints", tmp_path / "moderator" / "entrypoints")
    (held / "names.json").write_text('{"engine.gone": {"read": true}}', encoding="utf-8")
    (held / "positions.json").write_text("{}", encoding="utf-8")
    assert promises.main([str(tmp_path)]) == 1
    assert f"{engine.__version__} promised: engine.gone is gone" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="is there already"):
        promises.main(["--write", str(tmp_path)])


def test_a_folder_that_changes_after_a_later_version_is_found(tmp_path: Path) -> None:
    folder = tmp_path / promises.FOLDER
    promises.close_folders(tmp_path)
    assert not folder.exists()  # the first version finds none
    for version in ("1.0.0", "1.1.0"):
        (folder / version).mkdir(parents=True)
        (folder / version / "names.json").write_text("{}", encoding="utf-8")
        assert promises.changed_folders(tmp_path) == []
        promises.close_folders(tmp_path)
    assert promises.changed_folders(tmp_path) == []
    (folder / "1.1.0" / "orders-1861.json").write_text("{}", encoding="utf-8")
    promises.close_folders(tmp_path)  # what was written down stays
    assert promises.changed_folders(tmp_path) == ["1.1.0"]
    shutil.rmtree(folder / "1.0.0")
    assert promises.changed_folders(tmp_path) == ["1.0.0", "1.1.0"]


@pytest.mark.parametrize(
    ("warned", "listed", "said"),
    [
        ('"engine.replay goes in 2.0.0: use engine.Game", DeprecationWarning, stacklevel=2', "engine.replay", []),
        ('"engine.replay.orders goes in 3.0.0: use x", DeprecationWarning, stacklevel=2', "engine.replay.orders", []),
        ('"engine.replay goes", DeprecationWarning, stacklevel=2', "engine.replay", ["a constant of the form"]),
        ("text, DeprecationWarning, stacklevel=2", "engine.replay", ["a constant of the form"]),
        ('"engine.replay goes in 1.0.0: use x", DeprecationWarning, stacklevel=2', "engine.replay", ["until 2.0.0"]),
        ('"engine.old goes in 2.0.0: use x", DeprecationWarning, stacklevel=2', "engine.old", ["no promised name"]),
        (
            '"engine.replay goes in 2.0.0: use x", DeprecationWarning', "engine.replays",
            ["does not list `engine.replay`", "without `stacklevel`"],
        ),
        ('"quite another matter", UserWarning', "", []),
    ],
)  # fmt: skip
def test_a_name_that_goes_without_due_notice_is_found(
    tmp_path: Path, warned: str, listed: str, said: list[str]
) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "old.py").write_text(
        f"import warnings\n\ndef f(text):  # no DeprecationWarning here\n    warnings.warn({warned})\n",
        encoding="utf-8",
    )
    (tmp_path / "CHANGELOG.md").write_text(
        f"# Changelog\n\n## 1.1.0\n\n### Will go\n\n* `{listed}`\n\n## 1.0.0\n\n* `engine.replay`\n", encoding="utf-8"
    )
    found = list(deprecations.faults(tmp_path, "1.1.0"))
    assert len(found) == len(said)
    for line, part in zip(found, said, strict=True):
        assert line.startswith("engine/old.py:4: ") and part in line
