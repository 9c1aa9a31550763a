"""docs/rulings.md says what the editions are made of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import engine
from engine.titles.t1861.rulings import as_options, choices


def rows(checkout: Path) -> dict[str, dict[str, str]]:
    """Table of named rulings: name -> column -> cell."""
    page = (checkout / "docs" / "rulings.md").read_text(encoding="utf-8")
    head = ["rule", "values", "v2.0", "first", "2020"]
    found = re.findall(r"^\| `(\w+)` \| (.+) \|$", page, re.M)
    return {name: dict(zip(head, cells.split(" | "), strict=True)) for name, cells in found}


def test_every_named_ruling_is_on_the_page_with_its_values(checkout: Path) -> None:
    assert {name: tuple(row["values"].split(", ")) for name, row in rows(checkout).items()} == choices()


@pytest.mark.parametrize("edition", ["v2.0", "first", "2020"])
def test_the_page_has_each_edition_as_it_is_played(checkout: Path, edition: str) -> None:
    title = engine.load_title("1861", edition)
    assert {name: row[edition] for name, row in rows(checkout).items()} == as_options(title.rulings)


def test_the_page_and_the_list_of_rules_know_the_same_numbers(checkout: Path) -> None:
    page = (checkout / "docs" / "rulings.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| ((?:\d+\.\d+(?:, )?)+) \|", page, re.M) + [row["rule"] for row in rows(checkout).values()]
    listed = set(re.findall(r'^id = "(.+)"$', (checkout / "docs" / "rules" / "1861.toml").read_text(), re.M))
    assert {number for cell in cells for number in cell.split(", ")} <= listed
