"""The page about the game master: every example on it can be read, and the help mail lists the same words."""

from __future__ import annotations

import re

import pytest

from grammar.master.reading import FORMS, read_master
from tests.kit.checkout import CHECKOUT

PAGE = (CHECKOUT / "docs/master.md").read_text("utf-8")
HELP = (CHECKOUT / "templates/en/master_words.txt.j2").read_text("utf-8")
SEATS = ("Ann", "Bob")


@pytest.mark.parametrize("block", re.findall(r"```master\n(.*?)```", PAGE, re.DOTALL))
def test_every_example_is_read(block: str) -> None:
    reading = read_master(block, SEATS)
    assert not reading.faults
    assert reading.words


def test_the_help_mail_can_be_written_back() -> None:
    lines = HELP.replace("{{ mark }}", "").splitlines()[1:]
    found = [read_master(line, SEATS) for line in lines]
    assert [reading.faults for reading in found if reading.faults] == []


def test_page_and_help_have_every_form() -> None:
    for text in (PAGE, HELP):
        said = {line.removeprefix("{{ mark }}").split()[0].rstrip(":") for line in text.splitlines() if line.strip()}
        assert set(FORMS) <= said
