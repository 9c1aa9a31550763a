"""The manual's examples, read as they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

import grammar
from engine.core import orders
from tests.notation_names import NAMES

MANUAL = (Path(__file__).resolve().parents[1] / "docs" / "notation.md").read_text(encoding="utf-8")
BLOCKS = [
    (MANUAL[: match.start()].count("\n") + 2, match[1], match[2])
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", MANUAL, re.MULTILINE | re.DOTALL)
]


def blocks(kind: str) -> list[tuple[int, str]]:
    return [(line, text) for line, tag, text in BLOCKS if tag == kind]


def test_every_block_is_tested() -> None:
    assert {tag for _, tag, _ in BLOCKS} == {"orders", "mail", "words", "mistakes", "same"}


@pytest.mark.parametrize(("line", "text"), blocks("orders"), ids=lambda value: f"line {value}" if value else None)
def test_orders(line: int, text: str) -> None:
    reading = grammar.read(text, NAMES)
    assert (reading.errors, reading.words) == ((), ())
    assert reading.orders
    canonical = grammar.write_block(reading.orders)
    assert grammar.read(canonical, NAMES).orders == reading.orders


def test_every_order_is_in_the_manual() -> None:
    shown = {type(order) for _, text in blocks("orders") for order in grammar.read(text, NAMES).orders}
    assert shown == set(get_args(orders.Order))


def test_the_mail_between_begin_and_end() -> None:
    for _, text in blocks("mail"):
        lines = text.splitlines()
        assert lines[0].startswith("BEGIN ") and lines[-1] == "END"
        assert grammar.read("\n".join(lines[1:-1]), NAMES).errors == ()


def test_words() -> None:
    for _, text in blocks("words"):
        reading = grammar.read(text, NAMES)
        assert reading.errors == ()
        assert {word.kind for word in reading.words} == {"check", "partial", "show", "withdraw", "notify", "help"}


def test_mistakes() -> None:
    for _, text in blocks("mistakes"):
        for line in text.splitlines():
            said, _, told = line.partition("//")
            piece, _, nearest = told.strip().partition(" -> ")
            errors = grammar.read(said, NAMES, default_actor="GRR").errors
            assert [(error.piece, error.nearest) for error in errors] == [(piece, nearest or None)]


def test_other_words_for_the_same() -> None:
    for _, text in blocks("same"):
        for line in text.splitlines():
            canonical, other = (side.strip() for side in line.split(" = "))
            (order,) = grammar.read(other, NAMES, default_actor="GRR").orders
            assert grammar.write(order) == canonical


def test_the_turns_of_a_tile_in_three_ways() -> None:
    """The manual says that these are the same."""
    three = "lay 8 K9 1; lay K9 8 SW; lay #8 K9 exits SW,N"
    assert len(set(grammar.read(three, NAMES, default_actor="GRR").orders)) == 1
