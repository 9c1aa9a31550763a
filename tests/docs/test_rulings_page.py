"""docs/rulings.md says what the editions are made of."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import engine

TITLES = {
    "1861": ("v2.0", "first", "2020"),
    "1844": ("rulebook", "18xx.games"),
    "1841": ("clarified", "v2", "v1"),
    "1863": ("historical", "equal"),
    "1867": ("18xx.games",),
}
"""Title -> its editions in the order of the page's columns."""
PLAYED = [(title, edition) for title, columns in TITLES.items() for edition in columns]


def of(title: str, part: str) -> Any:
    return import_module(f"engine.titles.t{title}.{part}")


def sections(checkout: Path, title: str) -> str:
    """All that the page has under the headings of a title."""
    page = (checkout / "docs" / "rulings.md").read_text(encoding="utf-8")
    return "".join(part for part in re.split(r"^(?=## )", page, flags=re.M) if part.startswith(f"## {title}: "))


def rows(checkout: Path, title: str) -> dict[str, dict[str, str]]:
    """Table of named rulings: name -> column -> cell."""
    head = ["rule", "values", *TITLES[title]]
    found = re.findall(r"^\| `(\w+)` \| (.+) \|$", sections(checkout, title), re.M)
    return {name: dict(zip(head, cells.split(" | "), strict=True)) for name, cells in found}


@pytest.mark.parametrize("title", TITLES)
def test_every_named_ruling_is_on_the_page_with_its_values(checkout: Path, title: str) -> None:
    found = {name: tuple(row["values"].split(", ")) for name, row in rows(checkout, title).items()}
    assert found == of(title, "rulings").choices()


@pytest.mark.parametrize("title", TITLES)
def test_every_named_ruling_has_its_reason(checkout: Path, title: str) -> None:
    explained = re.findall(r"^\*\*(`.+`)\.\*\*", sections(checkout, title), re.M)
    assert sorted(re.findall(r"`(\w+)`", " ".join(explained))) == sorted(of(title, "rulings").choices())


@pytest.mark.parametrize(("title", "edition"), PLAYED)
def test_the_page_has_each_edition_as_it_is_played(checkout: Path, title: str, edition: str) -> None:
    rulings = of(title, "editions").EDITIONS[edition]
    found = {name: row[edition] for name, row in rows(checkout, title).items()}
    assert found == of(title, "rulings").as_options(rulings)


@pytest.mark.parametrize(("title", "edition"), [(t, e) for t in engine.title_names() for e in engine.editions(t)])
def test_a_title_without_options_plays_its_edition(title: str, edition: str) -> None:
    assert (title, edition) in PLAYED
    assert engine.load_title(title, edition).rulings == of(title, "editions").EDITIONS[edition]


@pytest.mark.parametrize("title", TITLES)
def test_the_page_and_the_list_of_rules_know_the_same_numbers(checkout: Path, title: str) -> None:
    tables = re.findall(r"^\| ((?:\d+\.\d+(?:, )?)+) \|", sections(checkout, title), re.M)
    cells = tables + [row["rule"] for row in rows(checkout, title).values()]
    listed = set(re.findall(r'^id = "(.+)"$', (checkout / "docs" / "rules" / f"{title}.toml").read_text(), re.M))
    assert {number for cell in cells for number in cell.split(", ")} <= listed


def plain(text: str) -> str:
    """``text`` without marks of layout, and in small letters."""
    even = text.translate(str.maketrans("\u2019\u201c\u201d", '\'""', "*_`"))
    return " ".join(even.split()).lower()


def book_of(folder: Path, title: str) -> str:
    """The text of the rulebook, or of the amendments, that begins with the number of ``title``."""
    texts = (plain(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.txt")))
    return next(text for text in texts if title in text[:200])


@pytest.mark.parametrize("title", ["1863", "1841", "1844"])
def test_a_reason_quotes_what_stands_in_the_rulebook(checkout: Path, rulebooks: Path, title: str) -> None:
    book = book_of(rulebooks, title)
    quoted = re.findall(r'"([^"]+)"', " ".join(sections(checkout, title).split()))
    pieces = [plain(piece).strip(" .,") for each in quoted for piece in each.split("...")]
    assert len(pieces) > 10
    assert [piece for piece in pieces if piece not in book] == []
