"""Rules have versions, a changelog and a fingerprint, and `make check` notices rules that changed without a word."""

from __future__ import annotations

import json
import re
import shutil
import time
from pathlib import Path

import pytest

import engine
from engine.titles.changelog import Change, load_changes
from engine.titles.fingerprint import LEFT_OUT, SHARED, fingerprint
from tests.kit.samples import prove
from tools import fingerprint as tool

TITLES = engine.title_names()


@pytest.fixture
def copy(checkout: Path, tmp_path: Path) -> Path:
    """The engine's code and data, free to be changed."""
    return Path(shutil.copytree(checkout / "engine", tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__")))


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} has no {old!r}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


# ---- the fingerprint ------------------------------------------------------------------------------------------------

NO_CHANGE = {
    "a docstring": ("core/state.py", '"""The cash of ``owner``."""', '"""Other words."""'),
    "a text beneath a field": ("core/state.py", '"""The number of lots drawn so far."""', ""),
    "a comment": ("board/board.py", "from __future__", "# A comment.\nfrom __future__"),
    "a line's layout": ("finance/chart.py", "\n\n\n", "\n\n\n\n\n"),
    "the description of positions": ("core/description.py", '"cash of {0}"', '"money of {0}"'),
    "how records of a site are read": ("site18xx/t1861/converter.py", "class Converter", "class Converter2"),
    "another title's data": ("titles/t1844/facts.json", '"privates": 17', '"privates": 18'),
    "another title's code": ("titles/t1844/turn/powers.py", "Final = 80", "Final = 90"),
    "a title that is added": ("titles/registry.py", "PACKAGES: Final = {", 'PACKAGES: Final = {"1899": "t1899",'),
    "layout of data": ("titles/t1861/facts.json", "\n", "\n\n"),
    "what is said about changes": ("titles/t1861/changes.toml", "as first published", "as published"),
}
A_CHANGE = {
    "a constant of the family": ("families/f1867/turn/loans.py", "Final = 50", "Final = 60"),
    "a number in the facts": ("titles/t1861/facts.json", "420", "430"),
    "a lay": ("titles/t1861/lays.json", "0", "1"),
    "a ruling": ("titles/t1861/rulings.py", '= "', '= "x'),
    "shared code": ("steps/auction.py", "step: int = 5", "step: int = 10"),
    "the core": ("core/evolve.py", "- e.amount", "+ e.amount"),
    "how facts are read": ("facts/sections.py", "STOP_KINDS = frozenset", "STOP_KINDS = set"),
}


@pytest.mark.parametrize("what", [pytest.param(tuple(NO_CHANGE), id="all"), *map(prove, NO_CHANGE)])
def test_what_decides_nothing_leaves_the_fingerprint(copy: Path, what: str | tuple[str, ...]) -> None:
    """All of it at once, which is as good a test as one after the other; the proofs name the one that counts."""
    for path, old, new in map(NO_CHANGE.__getitem__, (what,) if isinstance(what, str) else what):
        edited(copy / path, old, new)
    assert fingerprint("t1861", copy) == engine.load_title("1861").fingerprint


@pytest.mark.parametrize("what", A_CHANGE)
def test_what_decides_changes_the_fingerprint(copy: Path, what: str) -> None:
    path, old, new = A_CHANGE[what]
    edited(copy / path, old, new)
    assert fingerprint("t1861", copy) != engine.load_title("1861").fingerprint


def test_every_edition_has_the_fingerprint_of_the_title() -> None:
    found = {
        name: {engine.load_title(name, edition).fingerprint for edition in engine.editions(name)} for name in TITLES
    }
    assert all(len(prints) == 1 for prints in found.values())
    assert len(set.union(*found.values())) == len(TITLES)


def test_every_folder_and_file_that_is_named_is_there(checkout: Path) -> None:
    """A folder that was renamed would silently count no more."""
    home = checkout / "engine"
    assert all(any((home / folder).glob("*.py")) for folder in SHARED)
    assert all(any(home.rglob(name)) for name in LEFT_OUT)
    folders = {path.name for path in home.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    others = {"defaults", "titles", "sensible", "site18xx", "svg"}
    assert folders - set(SHARED) == {*others, "families"}, "is the new folder a part of the rules?"


# ---- versions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TITLES)
def test_the_version_is_that_of_the_newest_change(name: str) -> None:
    found = engine.changes(name)
    assert engine.load_title(name).rules_version == found[-1].version == len(found)


def test_an_unknown_title_has_no_changes() -> None:
    with pytest.raises(ValueError, match="no title '1899'; there are: 1861, 1844"):
        engine.changes("1899")


def test_the_changelog_has_the_lines_that_players_are_told(checkout: Path) -> None:
    text = (checkout / "CHANGELOG.md").read_text(encoding="utf-8")
    parts = re.split(r"^## Rules of (\w+)\n", text, flags=re.MULTILINE)[1:]
    found = {
        name: re.findall(r"^\* \*\*(\d+)\*\* \(([\d-]+)\): (.+)$", part.replace("\n  ", " "), flags=re.MULTILINE)
        for name, part in zip(parts[::2], parts[1::2], strict=True)
    }
    assert found == {name: [(str(c.version), c.date, c.line) for c in engine.changes(name)] for name in TITLES}


CHANGE = '[[change]]\nversion = 1\ndate = "2026-01-31"\nline = "all is new"\nplain = false\n'


def test_changes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "changes.toml"
    path.write_text(CHANGE + CHANGE.replace("= 1", "= 2").replace("false", "true"), encoding="utf-8")
    assert load_changes(path) == (
        Change(1, "2026-01-31", "all is new", False), Change(2, "2026-01-31", "all is new", True),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (CHANGE, "", "must be a list of"),
        (CHANGE, "change = 3", "must be a list of"),
        (CHANGE, "change = [3]", "change number 1 must have version, date, line, plain"),
        (CHANGE, CHANGE + "[other]\n", "must be a list of"),
        ("version = 1", "version = 2", "change number 1 must be version 1, not 2: versions rise by one"),
        ("version = 1", 'version = "1"', "version must be int, not '1'"),
        ("version = 1", "version = true", "version must be int, not True"),
        ("plain = false\n", "", "must have version, date, line, plain, perhaps editions, and nothing else"),
        ("plain = false", 'plain = "no"', "plain must be bool"),
        ('"2026-01-31"', '"January"', "date must be like 2026-01-31, not 'January'"),
        ("all is new", "All is new.", "without a full stop"),
        ("all is new", " ", "line must be one line"),
        ("plain = false", "plain = ", "Invalid value"),
    ],
)
def test_changes_that_do_not_hold_are_refused_with_the_reason(tmp_path: Path, old: str, new: str, reason: str) -> None:
    path = tmp_path / "changes.toml"
    path.write_text(CHANGE.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=reason) as refused:
        load_changes(path)
    assert str(path) in str(refused.value)


# ---- what `make check` says -----------------------------------------------------------------------------------------


def test_the_rules_are_those_that_were_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    assert tool.main([]) == 0
    assert capsys.readouterr().out == "fingerprints: the rules are those that were accepted\n"


def test_rules_that_changed_are_noticed_and_accepted(copy: Path) -> None:
    facts = copy / "titles/t1861/facts.json"
    facts.write_text(json.dumps({**json.loads(facts.read_text(encoding="utf-8")), "new": 1}), encoding="utf-8")
    said, now = tool.look("1861", accept=False, engine=copy), len(engine.changes("1861"))
    assert said is not None and said.startswith(
        f"rules of 1861 changed since version {now} was accepted: if players can notice the change, add version"
        f" {now + 1} to"
        " engine/titles/t1861/changes.toml and CHANGELOG.md"
    )
    assert tool.look("1844", accept=False, engine=copy) is None
    said = tool.look("1861", accept=True, engine=copy)
    assert said is not None and said.startswith(f"rules of 1861: version {now} is ")
    assert tool.look("1861", accept=False, engine=copy) is None


def test_a_new_version_is_written_beside_the_old_ones(copy: Path) -> None:
    folder = copy / "titles/t1861"
    known = tool.recorded(folder / "fingerprint.txt")
    newest = max(known)
    changes = folder / "changes.toml"
    more = CHANGE.replace("version = 1", f"version = {newest + 1}")
    changes.write_text(changes.read_text(encoding="utf-8") + "\n" + more, encoding="utf-8")
    said = tool.look("1861", accept=False, engine=copy)
    assert said is not None and said.startswith(f"rules of 1861: version {newest + 1} has no fingerprint; run ")
    tool.look("1861", accept=True, engine=copy)
    now = tool.recorded(folder / "fingerprint.txt")
    assert now == {**known, newest + 1: fingerprint("t1861", copy)}


def test_a_file_of_fingerprints_that_does_not_hold_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "fingerprint.txt"
    assert tool.recorded(path) == {}
    path.write_text("one abc\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"fingerprint\.txt: every line must be a version and a fingerprint"):
        tool.recorded(path)


@pytest.mark.bench
def test_what_a_fingerprint_costs() -> None:
    for name in TITLES:
        began = time.perf_counter()
        engine.load_title(name)
        loaded = time.perf_counter()
        first = engine.load_title(name).fingerprint
        found = time.perf_counter()
        assert engine.load_title(name).fingerprint == first
        print(f"{name}: loaded in {loaded - began:.3f} s, fingerprint in {found - loaded:.3f} s")  # noqa: T201
