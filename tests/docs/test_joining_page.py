"""The page about joining, and the words in mails: every example can be read, and none is missing."""

from __future__ import annotations

import re

from grammar.plain_words import FORMS, PlainWord, read_plain
from tests.kit.checkout import CHECKOUT

PAGE = (CHECKOUT / "docs/joining.md").read_text("utf-8")
HELP = (CHECKOUT / "templates/en/plain_words.txt.j2").read_text("utf-8")


def words_on(page: str) -> list[object]:
    return [read_plain(line.replace("{{ mark }}", "")) for line in page.splitlines() if line.strip()]


def test_every_example_is_read() -> None:
    (block,) = re.findall(r"```plain\n(.*?)```", PAGE, re.DOTALL)
    found = words_on(block)
    assert {word.what for word in found if isinstance(word, PlainWord)} == set(FORMS)
    assert all(isinstance(word, PlainWord) for word in found)


def test_the_help_mail_can_be_written_back() -> None:
    found = words_on(HELP.partition("\n")[2])
    assert all(isinstance(word, PlainWord) for word in found)
    assert {word.what for word in found if isinstance(word, PlainWord)} == set(FORMS) - {"start"}
