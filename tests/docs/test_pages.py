"""README and docs: links lead somewhere, commands exist, the library example runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kit.checkout import CHECKOUT
from tools.tour import with_tour

_HERE = CHECKOUT
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    *(f"docs/{page.name}" for page in sorted((_HERE / "docs").glob("*.md"))),
)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files(checkout: Path, page: str) -> None:
    path = checkout / page
    links = re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_exist(checkout: Path, page: str) -> None:
    text = (checkout / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:engine|grammar|moderator|templates|docs|tools|tests)/[\w./-]*\w)`", text)
    assert [name for name in named if not (checkout / name).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_make_targets_that_are_named_exist(checkout: Path, page: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", (checkout / "Makefile").read_text(), re.M))
    assert set(re.findall(r"\bmake ([a-z]+)\b`", (checkout / page).read_text(encoding="utf-8"))) <= targets


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_left_to_be_written(checkout: Path, page: str) -> None:
    assert not re.search(r"\b(TODO|FIXME|TBD|XXX)\b", (checkout / page).read_text(encoding="utf-8"))


def test_the_comparison_is_short_and_every_row_has_all_services(checkout: Path) -> None:
    text = (checkout / "docs/compared.md").read_text(encoding="utf-8")
    assert len([word for word in text.split() if re.search(r"\w", word)]) <= 1200
    assert {line.count("|") for line in text.splitlines() if line.startswith("|")} == {9}


def test_the_library_example_of_the_readme_runs(checkout: Path) -> None:
    readme = (checkout / "README.md").read_text(encoding="utf-8")
    lines = re.search(r"^((?: {4}.*\n|\n)*? {4}import engine\n(?: {4}.*\n|\n)*)", readme, re.M)
    assert lines
    names: dict[str, object] = {}
    exec(re.sub(r"^ {4}", "", lines[1], flags=re.M), names)
    assert names["result"], names["result"]


def test_the_tour_of_the_readme_is_real(checkout: Path) -> None:
    readme = (checkout / "README.md").read_text(encoding="utf-8")
    assert readme.count("<!-- /tour -->") == 4
    assert with_tour(readme) == readme, "the words have changed: run `make tour`"
