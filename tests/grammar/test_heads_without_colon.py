"""The name of a company before its order is read as a head, although the colon between them is missing."""

from __future__ import annotations

import pytest

import engine
import grammar
from grammar import Reading
from moderator.domain.vocabulary import vocabulary


def read(title: str, text: str) -> Reading:
    return grammar.read(text, vocabulary(engine.load_title(title), ("Ann", "Bob")), default_actor="Ann")


@pytest.mark.parametrize(
    ("title", "text", "with_colon"),
    [
        ("1841", "SFLi discard 3", "SFLi: discard 3"),
        ("1841", "SFLI discard 3", "SFLi: discard 3"),
        ("1861", "GRR run best, pay full, done", "GRR: run best, pay full, done"),
        ("1861", "NW run best; pay full\nSE run best; done", "NW: run best; pay full\nSE: run best; done"),
        ("1863", "DIS dividend 40", "DIS: dividend 40"),
        ("1844", "FNM run best", "FNM: run best"),
    ],
)
def test_it_is_read_as_with_a_colon(title: str, text: str, with_colon: str) -> None:
    found, meant = read(title, text), read(title, with_colon)
    assert not found.errors and not meant.errors
    assert [(s.actor, [line.order for line in s.orders]) for s in found.sections] == [
        (s.actor, [line.order for line in s.orders]) for s in meant.sections
    ]


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("1861", "Bob pass"),  # a letter speaks of other players
        ("1861", "GRR is a nice company"),
        ("1861", "GRR show map"),  # no order
        ("1861", "GRR"),
        ("1867", "NO done"),  # the company North Ontario, or the word
    ],
)
def test_anything_else_is_asked_about(title: str, text: str) -> None:
    found = read(title, text)
    assert not found.orders and [error.reason for error in found.errors] == ["colon"]


def test_an_order_that_is_broken_over_two_lines_comes_first() -> None:
    found = read("1861", "merge N into\nNW keep K9")
    assert not found.orders and [error.reason for error in found.errors] == ["wrapped"]


def test_one_share_may_be_counted() -> None:
    for title, counted, plain in [
        ("1861", "buy 1 SE", "buy SE"),
        ("1861", "buy 1 of SE from treasury", "buy SE from treasury"),
        ("1841", "buy 1 SFTG", "buy SFTG"),
        ("1841", "buy 1 SFTG from Bob for 50", "buy SFTG from Bob for 50"),
        ("1844", "buy 1 FNM from ipo", "buy FNM from ipo"),
        ("1863", "buy 1 DIS from pool", "buy DIS from pool"),
    ]:
        found = read(title, counted)
        assert not found.errors and found.orders == read(title, plain).orders != ()
    (two,) = read("1861", "buy 2 SE").errors
    assert two.piece == "2" and two.whole == ("`buy SE`",)
