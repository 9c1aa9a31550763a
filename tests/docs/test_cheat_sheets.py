"""docs/cheatsheet-*.md: every order and word on them is understood, and each fits a page."""

from __future__ import annotations

import re

import pytest

import engine
import grammar
from moderator.domain.vocabulary import vocabulary
from tests.kit.checkout import CHECKOUT

_DOCS = CHECKOUT / "docs"
_PLAIN = frozenset({";", "//", "lays", "tokens", "tiles", "trains", "prices", "orders", "position", "record"})
"""Marks and names on the pages that are no orders by themselves."""


@pytest.mark.parametrize("title", engine.title_names())
def test_what_a_sheet_shows_is_understood(title: str) -> None:
    page = (_DOCS / f"cheatsheet-{title}.md").read_text(encoding="utf-8")
    names = vocabulary(engine.load_title(title), ("Ann", "Bob", "Cat"))
    company = next(iter(names.companies))
    found = [
        text
        for text in re.findall(r"`([^`]+)`", page)
        if text not in _PLAIN and not re.fullmatch(r"[NSEW]+|\w+:", text)
    ]
    assert len(found) > 40
    for text in found:
        reading = grammar.read(text, names, default_actor=company)
        assert not reading.errors, (text, reading.errors)
        assert reading.orders or reading.words or reading.press, text


@pytest.mark.parametrize("title", engine.title_names())
def test_a_sheet_fits_a_page(title: str) -> None:
    lines = (_DOCS / f"cheatsheet-{title}.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 60
