"""The commands that write tables from the code name what differs, and mend it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import engine
from tools import rulings, settings
from tools.code_tables import field_texts


@pytest.fixture
def copied(checkout: Path, tmp_path: Path) -> Path:
    """The pages and the code that the commands read, in a folder of their own."""
    codes = [f"engine/titles/t{title}/rulings.py" for title in engine.title_names()]
    for name in ("moderator/settings.py", "deploy/railpost.toml", "docs/operating.md", "docs/rulings.md", *codes):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(checkout / name, tmp_path / name)
    return tmp_path


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("main", [settings.main, rulings.main])
def test_the_tables_are_those_of_the_code(checkout: Path, main: Callable[[list[str]], int]) -> None:
    assert main([str(checkout)]) == 0


@pytest.mark.parametrize(
    ("main", "page", "old", "new"),
    [
        (settings.main, "deploy/railpost.toml", "#poll_seconds = 20", "#poll_seconds = 30"),
        (settings.main, "deploy/railpost.toml", "# Seconds between two looks", "# Minutes between two looks"),
        (settings.main, "docs/operating.md", "| `poll_seconds` | `20` |", "| `poll_seconds` | `30` |"),
        (rulings.main, "docs/rulings.md", "| `k7_upgrade` | 7.9 | 0, 20 | 0 |", "| `k7_upgrade` | 7.9 | 0, 20 | 20 |"),
        (rulings.main, "docs/rulings.md", "| `k7_upgrade` | 7.9 |", "| `k7_upgrade` | 7.8 |"),
    ],
)
def test_a_difference_is_named_and_mended(
    copied: Path, capsys: pytest.CaptureFixture[str],
    main: Callable[[list[str]], int], page: str, old: str, new: str,
) -> None:  # fmt: skip
    before = (copied / page).read_text(encoding="utf-8")
    change(copied / page, old, new)
    assert main([str(copied)]) == 1
    said = capsys.readouterr().out
    assert f"{page}: " in said
    assert f"\n- {new}" in said
    assert f"\n+ {old}" in said
    assert main(["--write", str(copied)]) == 0
    assert (copied / page).read_text(encoding="utf-8") == before


def test_a_setting_that_nothing_explains_is_named(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(copied / "moderator/settings.py", '    """Seconds between two looks into the mailbox."""\n', "")
    assert settings.main([str(copied)]) == 1
    assert "`poll_seconds` has no text below it" in capsys.readouterr().out


def test_a_ruling_without_a_rule_is_named(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    title, *_ = engine.title_names()
    code = copied / f"engine/titles/t{title}/rulings.py"
    name, text = next(iter(field_texts(code, "Rulings").items()))
    change(code, f'"""{text}', f'"""{text.partition(": ")[2]}')
    assert rulings.main([str(copied)]) == 1
    assert f"no rule before the text of {name}" in capsys.readouterr().out


def test_a_page_without_the_marks_is_not_written(copied: Path) -> None:
    change(copied / "docs/operating.md", "<!-- table: settings -->", "")
    with pytest.raises(SystemExit, match="must stand on the page once each"):
        settings.main(["--write", str(copied)])
