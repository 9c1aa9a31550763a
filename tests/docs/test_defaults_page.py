"""docs/defaults.md: every kind of decision of every title has a row, with its default and its reason."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import engine
from moderator.words.texts import words
from tests.kit.checkout import CHECKOUT
from tests.kit.titles import TITLES
from tools.code_tables import table_of
from tools.defaults import PAGE, SEVERAL, main, problems, tables


def test_the_page_is_that_of_the_code_and_every_question_has_a_default() -> None:
    assert problems(CHECKOUT) == []


@pytest.mark.parametrize("title", TITLES)
def test_every_question_with_words_has_a_row_with_a_default_and_a_reason(title: str) -> None:
    page = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    several, own = (table_of(page, f"defaults of {name}").splitlines()[2:] for name in (SEVERAL, title))
    listed = engine.default_rules(engine.load_title(title))
    asked = {key.removesuffix(".text") for key in words().own(title)["asks"] if key.endswith(".text")}
    elsewhere = {"company.help", "announce", "company.pay", "auction.open"}  # words for all, asked in some titles
    assert asked - elsewhere <= set(listed)
    split = [[cell.strip() for cell in line[1:-1].split(" | ")] for line in several]
    shared = [(name, cells) for name, titles, *cells in split if title in titles]
    rows = [
        *shared,
        *((name, cells) for name, *cells in ([cell.strip() for cell in line[1:-1].split(" | ")] for line in own)),
    ]
    assert sorted(re.findall(r"`([\w.]+)`", " ".join(name for name, _ in rows))) == sorted(listed)
    assert all(len(cells) == 3 and cells[1] and cells[2] for _, cells in rows)
    assert "?" not in {cell for _, cells in rows for cell in cells}


def test_a_page_that_differs_is_found_and_written_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "docs").mkdir()
    shutil.copytree(CHECKOUT / "engine/titles/t1844", tmp_path / "engine/titles/t1844")
    old = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    (tmp_path / PAGE).write_text(old.replace("drops out of the auction", "bids"), encoding="utf-8")
    assert main([str(tmp_path)]) == 1
    assert "not that of the code" in capsys.readouterr().out
    main(["--write", str(tmp_path)])
    assert (tmp_path / PAGE).read_text(encoding="utf-8") == old
    assert tables()["1844"] in old
