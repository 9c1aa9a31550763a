"""The manual's examples, read as they stand."""

from __future__ import annotations

import re
from typing import get_args

import pytest

import grammar
from engine import load_title
from engine.core import orders
from grammar import Vocabulary
from moderator.domain.vocabulary import vocabulary
from tests.grammar import test_orders_1841 as test_notation_1841
from tests.grammar import test_orders_1844 as test_notation_1844
from tests.grammar import test_orders_1863 as test_notation_1863
from tests.kit.checkout import CHECKOUT
from tests.kit.notation.notation_1844 import PLAYERS
from tests.kit.notation.notation_1861 import NAMES

MANUAL = (CHECKOUT / "docs" / "notation.md").read_text(encoding="utf-8")
BLOCKS = [
    (MANUAL[: match.start()].count("\n") + 2, match[1], match[2], match[3])
    for match in re.finditer(r"^```(\w*)(?: (\w+))?\n(.*?)^```$", MANUAL, re.MULTILINE | re.DOTALL)
]
"""Line, kind, title (None where the examples are of 1861), text."""
SWISS = vocabulary(load_title("1844"), PLAYERS)
ITALIAN = vocabulary(load_title("1841"), ("Ann", "Bob", "Cat"))
LONDON = vocabulary(load_title("1863"), ("Ann", "Bob", "Cat"))
CANADA = vocabulary(load_title("1867"), ("Ann", "Bob", "Cat"))
NAMES_OF = {None: NAMES, "1844": SWISS, "1841": ITALIAN, "1863": LONDON, "1867": CANADA}
COMPANY = {None: "GRR", "1844": "MOB", "1841": "SFTG", "1863": "MET", "1867": "GWR"}
"""Whose orders those without a head are."""


WORDS = {
    "check",
    "partial",
    "propose",
    "vote",
    "resign",
    "show",
    "withdraw",
    "notify",
    "pictures",
    "zone",
    "alias",
    "address",
    "revoke",
    "help",
    "away",
    "back",
    "calendar",
    "undo",
}


def blocks(kind: str) -> list[tuple[int, str | None, str]]:
    return [(line, title, text) for line, tag, title, text in BLOCKS if tag == kind]


def shown(title: str | None, names: Vocabulary) -> set[type[orders.Order]]:
    texts = [text for _, of, text in blocks("orders") if of == title]
    return {type(order) for text in texts for order in grammar.read(text, names).orders}


def test_every_block_is_tested() -> None:
    assert {tag for _, tag, _, _ in BLOCKS} == {"orders", "mail", "words", "press", "mistakes", "same", "record"}
    assert {title for _, _, title, _ in BLOCKS} == set(NAMES_OF)


@pytest.mark.parametrize(("line", "title", "text"), blocks("orders"), ids=[f"line {b[0]}" for b in blocks("orders")])
def test_orders(line: int, title: str | None, text: str) -> None:
    names = NAMES_OF[title]
    reading = grammar.read(text, names)
    assert (reading.errors, reading.words) == ((), ())
    assert reading.orders
    canonical = grammar.write_block(reading.orders, names)
    assert grammar.read(canonical, names).orders == reading.orders


def test_every_order_is_in_the_manual() -> None:
    assert set[type]().union(*(shown(title, names) for title, names in NAMES_OF.items())) == set(get_args(orders.Order))


def test_every_order_of_a_title_is_in_its_part() -> None:
    assert shown("1844", SWISS) == {type(order) for _, order, _ in test_notation_1844.FORMS}
    assert shown("1841", ITALIAN) == {type(order) for _, order, _ in test_notation_1841.FORMS}
    assert shown("1863", LONDON) == {type(order) for _, order, _ in test_notation_1863.FORMS}


def test_the_mail_between_begin_and_end() -> None:
    for _, title, text in blocks("mail"):
        lines = text.splitlines()
        assert lines[0].startswith("BEGIN ") and lines[-1] == "END"
        assert grammar.read("\n".join(lines[1:-1]), NAMES_OF[title]).errors == ()


def test_words() -> None:
    for _, title, text in blocks("words"):
        reading = grammar.read(text, NAMES_OF[title])
        assert reading.errors == ()
        assert {word.kind for word in reading.words} == WORDS


def test_press() -> None:
    found = [grammar.read(text, NAMES_OF[title]) for _, title, text in blocks("press")]
    assert all((one.errors, one.words, one.sections) == ((), (), ()) for one in found)
    said, asked = ([(press.to, press.text) for press in one.press] for one in found)
    assert [to for to, _ in said] == [("Bob",), ("Bob", "Cat"), ()]
    assert said[1][1].startswith("Dear both,\n") and said[1][1].endswith("Best regards, Ann")
    to = (grammar.MASTER,)
    assert asked == [(to, "may I still sell NW in this round?"), (to, "Dear Max,\nI am away until Monday.")]


def test_mistakes() -> None:
    for _, title, text in blocks("mistakes"):
        for line in text.splitlines():
            said, _, told = line.partition("//")
            piece, _, nearest = told.strip().partition(" -> ")
            errors = grammar.read(said, NAMES_OF[title], default_actor=COMPANY[title]).errors
            assert [(error.piece, error.nearest) for error in errors] == [(piece, nearest or None)]


def test_other_words_for_the_same() -> None:
    for _, title, text in blocks("same"):
        for line in text.splitlines():
            canonical, other = (side.strip() for side in line.split(" = "))
            (order,) = grammar.read(other, NAMES_OF[title], default_actor=COMPANY[title]).orders
            assert grammar.write(order, NAMES_OF[title]) == canonical


def test_the_turns_of_a_tile_in_three_ways() -> None:
    """The manual says that these are the same."""
    for title, three in (
        (None, "lay 8 K9 1; lay K9 8 SW; lay #8 K9 exits SW,N"),
        ("1844", "lay 8 B21 2; lay B21 8 NW; lay 8 B21 exits NW,E"),
    ):
        reading = grammar.read(three, NAMES_OF[title], default_actor=COMPANY[title])
        assert reading.errors == () and len(set(reading.orders)) == 1
