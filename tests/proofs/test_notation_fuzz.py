"""Spoilt input: whatever is written, the reading ends, tells where it stumbled, and invents nothing."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

import grammar
from grammar import Reading, Vocabulary
from tests.grammar import test_orders as test_notation_orders
from tests.grammar import test_orders_1841 as test_notation_1841
from tests.grammar import test_orders_1844 as test_notation_1844
from tests.grammar import test_orders_1863 as test_notation_1863
from tests.kit.notation.notation_1841 import ITALIAN
from tests.kit.notation.notation_1844 import SWISS
from tests.kit.notation.notation_1861 import NAMES

LETTERS = (
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" * 2
    + " -,;:./#()+>|\"'£₽\n\t\r  --,,;;\n\n"
    + "\u00a0\u200b\u202e\u2013\u2019\u0131\u0130é́ñßŒﬁ½²①Ж京한\ud7ff🚂\x00\x1b\ufeff\ufffd\U000e0041"
)
"""What is put in: letters and digits most often, then what has a meaning, then what has none."""


@dataclass(frozen=True, slots=True)
class Source:
    """A title's names, and forms of its orders."""

    names: Vocabulary
    forms: tuple[str, ...]
    company: str


SOURCES = {
    "1861": Source(NAMES, tuple(form[0] for form in test_notation_orders.FORMS), "GRR"),
    "1844": Source(SWISS, tuple(form[0] for form in test_notation_1844.FORMS), "MOB"),
    "1841": Source(ITALIAN, tuple(form[0] for form in test_notation_1841.FORMS), "SFTG"),
    "1863": Source(test_notation_1863.NAMES, tuple(form[0] for form in test_notation_1863.FORMS), "MET"),
}


def spoilt(chance: random.Random, source: Source) -> str:
    """A few orders under heads with some characters, words or lines gone, doubled, moved or replaced."""
    lines = [chance.choice(source.forms) for _ in range(chance.randint(1, 5))]
    if chance.random() < 0.7:
        lines.insert(0, chance.choice((*source.names.players, *source.names.companies)) + ":")
    text = chance.choice(("\n", "\n  ", "; ")).join(lines)
    for _ in range(chance.randint(1, 6)):
        at, to = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
        match chance.randrange(7):
            case 0:
                text = text[:at] + text[at + 1 :]
            case 1 | 2:
                text = text[:at] + chance.choice(LETTERS) + text[at:]
            case 3:
                text = text[:at] + chance.choice(LETTERS) + text[at + 1 :]
            case 4:
                text = text[: at - 1] + text[at : at + 1] + text[at - 1 : at] + text[at + 1 :] if at else text
            case 5:
                text = text[:at] + text[to:]
            case 6:
                text = text[:to] + text[at : min(to, at + 40)] + text[to:]
    return text


def hold(text: str, reading: Reading, names: Vocabulary) -> None:
    """What is true of every reading."""
    lines = grammar.normalise(text).split("\n")
    for error in reading.errors:
        line = lines[error.line - 1]
        assert 1 <= error.column <= len(line) + 1
        there = line[error.column - 1 :].split("//")[0].rstrip()
        assert there.startswith(error.piece) or error.piece.startswith(there), "a piece may go on in the next line"
        assert error.expected and all(error.expected)
        assert error.nearest != error.piece
    assert [(e.line, e.column) for e in reading.errors] == sorted((e.line, e.column) for e in reading.errors)
    for section in reading.sections:
        for order in section.orders:
            assert order.order.actor == section.actor
            assert lines[order.line - 1][order.column - 1 :].startswith(order.text[:3])
    canonical = grammar.write_block(reading.orders, names)
    again = grammar.read(canonical, names)
    assert again.errors == () and again.orders == reading.orders
    assert reading.words or reading.sections or reading.errors or not _substance(lines)


def _substance(lines: list[str]) -> bool:
    return any(line.split("//")[0].strip(" ;") for line in lines)


def fuzz(title: str, count: int, seed: int) -> None:
    chance, source = random.Random(seed), SOURCES[title]
    for number in range(count):
        text = spoilt(chance, source)
        try:
            actor = chance.choice((source.company, "Ann", None))
            hold(text, grammar.read(text, source.names, default_actor=actor), source.names)
        except Exception as error:
            raise AssertionError(f"seed {seed}, number {number}: {text!r}") from error


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", SOURCES)
def test_spoilt_orders(title: str) -> None:
    fuzz(title, 100, seed=int(title))


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("title", SOURCES)
def test_spoilt_orders_in_plenty(title: str, seed: int) -> None:
    fuzz(title, 5_000, seed)


@pytest.mark.parametrize(
    "text",
    [
        "-" * 2000,
        "K9-" * 600,
        "run " + "3 K9," * 350,
        "(" * 2000,
        "merge " + "N," * 900,
        "a" * 2000,
        "#/" * 900,
        "1" * 2000,
    ],
)
def test_long_and_tedious(text: str) -> None:
    assert len(grammar.read(text, NAMES, default_actor="GRR").errors) == 1


def test_a_text_of_nothing_but_mistakes() -> None:
    text = "\n".join(f"la{n} K{n} xyz{n}" for n in range(2_000))
    reading = grammar.read(text, NAMES, default_actor="GRR")
    assert len(reading.errors) == 2_000
