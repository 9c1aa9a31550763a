"""docs/tour: the pages show the mails that the programs write today, and no secret."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.kit.checkout import CHECKOUT
from tests.kit.service.long_game import check
from tools.long_game.game import LongGame
from tools.long_game.pages import EXAMPLE, FOLDER, pages_of, played, without_secrets
from tools.long_game.script import CHAPTERS


@pytest.fixture(scope="module")
def game() -> Iterator[LongGame]:
    """The game as it is played today."""
    with played() as found:
        yield found


@pytest.fixture(scope="module")
def made(game: LongGame) -> dict[str, str]:
    """The pages of that game."""
    return pages_of(game)


def test_all_that_should_happen_in_the_game_has_happened(game: LongGame) -> None:
    check(game)
    assert list(game.chapters) == list(CHAPTERS)


def test_the_pages_are_those_of_today(made: dict[str, str]) -> None:
    here = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    assert here.keys() == made.keys()
    assert [name for name in made if made[name] != here[name]] == [], "the words have changed: run `make tour`"


def test_the_pages_have_no_secret_address(made: dict[str, str]) -> None:
    words = re.findall(r"railpost\+[\w.-]*?(\w+)@", "".join(made.values()))
    assert len(words) > 20 and set(words) == {EXAMPLE}


@pytest.mark.parametrize("address", ["railpost+1861-1.3.{}@example.net", "railpost+motion.{}@example.net"])
def test_the_secret_word_is_replaced(address: str) -> None:
    assert without_secrets(address.format("a2b3" * 6 + "cd")) == address.format(EXAMPLE)


def test_every_page_is_on_the_site_and_in_the_list(made: dict[str, str]) -> None:
    site = (CHECKOUT / "mkdocs.yml").read_text(encoding="utf-8")
    assert [name for name in made if f"tour/{name}" not in site] == []
    assert [name for name in made if name != "README.md" and f"({name})" not in made["README.md"]] == []
