"""docs/glossary.md: the terms that mails explain, each with its meaning and its titles."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from moderator import render
from tests.kit.checkout import CHECKOUT
from tests.kit.titles import TITLES
from tools.code_tables import table_of
from tools.glossary import NAME, PAGE, main, problems


def test_the_page_is_that_of_the_words() -> None:
    assert problems(CHECKOUT) == []


@pytest.mark.parametrize("title", TITLES)
def test_each_term_of_a_mail_is_on_the_page(title: str) -> None:
    page = table_of((CHECKOUT / PAGE).read_text(encoding="utf-8"), NAME)
    game = engine.Game.start(engine.load_title(title), engine.Setup(("Ann", "Bob", "Cat"), seed="a", priority="Ann"))
    terms = [line.partition(": ")[0] for line in render.text_words(game).splitlines()[1:] if not line.startswith(" ")]
    named = [row.split(" | ") for row in page.splitlines()[2:]]
    here = {row[0].strip("| ") for row in named if title in row[2] or row[2].startswith("all")}
    assert here and here <= set(terms)
    for term in here:
        for one in term.partition(" (")[0].split(", "):
            assert render.text_word(game, one), one


def test_a_page_that_differs_is_found_and_written_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "docs").mkdir()
    old = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    (tmp_path / PAGE).write_text(old.replace("to pay no dividend", "to pay all"), encoding="utf-8")
    assert main([str(tmp_path)]) == 1
    assert "not that of the words" in capsys.readouterr().out
    main(["--write", str(tmp_path)])
    assert (tmp_path / PAGE).read_text(encoding="utf-8") == old
