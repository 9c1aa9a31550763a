"""What is answered to orders that cannot be read: place, piece, what was expected, what was perhaps meant."""

from __future__ import annotations

from dataclasses import replace

import pytest

import engine
import grammar
from grammar import Unreadable
from moderator.domain.vocabulary import vocabulary
from tests.kit.notation.notation_1861 import NAMES, names

HEX = "a hex such as B18"
TILE = "the number of a tile such as 15"
TRAIN = "a train (2, 3, 4, 5, 6, 7, 8, 2+2 or 5+5E)"
NUMBER = "a number such as 25"
TURN = "a turn from 0 to 5"
POINT = "a compass point (`S`, `SW`, `NW`, `N`, `NE` or `SE`)"
COMPANY = "the name of a company such as N, GRR or RSR"
PRIVATE = "the name of a private company such as MYR"
END = "the end of the order"
ORDER = "an order such as `bid`, `lay` or `done`"
PAY = "`full`, `half` or `none`"
SHOW = (
    "`at`, `board`, `chart`, `clock`, `company`, `hex`, `history`, `lays`, `map`, `orders`, `phase`, `position`, "
    "`prices`, `private`, `record`, `run`, `standing`, `tiles`, `tokens` or `trains`"
)
WHO = "Ann, Bob, Cat, Zoë de Vries, O'Brien, Иван П., J. R. Işık or a company"

MISTAKES: list[tuple[str, tuple[int, int], str, tuple[str, ...], str | None, str]] = [
    # text, line and column, piece, what was expected, what may be meant, reason
    ("bid Go", (1, 5), "Go", (NUMBER,), "60", "unexpected"),
    ("bid 6O", (1, 5), "6O", (NUMBER,), "60", "unexpected"),
    ("bud 25 on TSR", (1, 1), "bud", (ORDER,), "bid", "unknown"),
    ("pas", (1, 1), "pas", (ORDER,), "pass", "unknown"),
    ("Done?", (1, 1), "Done?", (ORDER,), "done", "unknown"),
    ("lay8 K9 1", (1, 1), "lay8", (ORDER,), "lay 8", "unknown"),
    ("bid25", (1, 1), "bid25", (ORDER,), "bid 25", "unknown"),
    ("place 8 K9 1", (1, 1), "place", (ORDER,), "lay", "unknown"),
    ("place K9", (1, 1), "place", (ORDER,), "token", "unknown"),
    ("lay 8 K99 1", (1, 7), "K99", (HEX,), None, "unexpected"),
    ("lay 8 HB 1", (1, 7), "HB", (HEX,), "H8", "unexpected"),
    ("lay 8 8H 1", (1, 7), "8H", (HEX,), "H8", "unexpected"),
    ("lay 8 К9 1", (1, 7), "К9", (HEX,), "K9", "unexpected"),
    ("lay 8 K09 1", (1, 7), "K09", (HEX,), "K9", "unexpected"),
    ("lay 999 K9 1", (1, 5), "999", (HEX, TILE), None, "unexpected"),
    ("lay 8 K9", (1, 9), "", (TURN, POINT, "`exits`"), None, "incomplete"),
    ("lay 8 K9 7", (1, 10), "7", (TURN, POINT, "`exits`"), None, "unexpected"),
    ("lay 8 K9 W", (1, 10), "W", (TURN, POINT, "`exits`"), None, "unexpected"),
    (
        "lay 8 K9 exits N,S",
        (1, 16),
        "N,S",
        ("`S,NW`", "`SW,N`", "`NW,NE`", "`N,SE`", "`S,NE`", "`SW,SE`"),
        None,
        "exits",
    ),
    ("lay 8 K9 exits", (1, 15), "", (POINT,), None, "incomplete"),
    (
        "lay 15 H8 exits S,N",
        (1, 17),
        "S,N",
        ("`S,SW,NW,N`", "`SW,NW,N,NE`", "`NW,N,NE,SE`", "`S,N,NE,SE`", "`S,SW,NE,SE`", "`S,SW,NW,SE`"),
        None,
        "exits",
    ),
    (
        "lay 23 K9 exits S,N,NE,SE",
        (1, 17),
        "S,N,NE,SE",
        ("`S,N,NE`", "`SW,NE,SE`", "`S,NW,SE`", "`S,SW,N`", "`SW,NW,NE`", "`NW,N,SE`"),
        None,
        "exits",
    ),
    ("sell MKN", (1, 6), "MKN", (NUMBER, "`down`"), None, "unexpected"),
    ("sell 2 MKX", (1, 8), "MKX", (COMPANY, "`of`"), None, "unexpected"),
    ("sell 2 MKNN", (1, 8), "MKNN", (COMPANY, "`of`"), None, "unexpected"),
    ("buy GRRR", (1, 5), "GRRR", (COMPANY, PRIVATE, "`train`"), "GRR", "unexpected"),
    ("buy WVR", (1, 8), "", ("`for`",), None, "incomplete"),
    ("buy WVR to 90", (1, 9), "to", ("`for`",), "for", "unexpected"),
    ("buy MKN from bob", (1, 14), "bob", ("`pool`", "`treasury`"), None, "unexpected"),
    ("start SE in F18", (1, 10), "in", ("`at`",), None, "unexpected"),
    ("start SE at 150 in", (1, 19), "", (HEX,), None, "incomplete"),
    ("token H8/Q", (1, 10), "Q", (POINT, COMPANY), None, "unexpected"),
    ("token H8/", (1, 10), "", (POINT, COMPANY), None, "incomplete"),
    ("token Z1", (1, 7), "Z1", (HEX,), None, "unexpected"),
    ("run", (1, 4), "", (TRAIN, "`best` or `none`"), None, "incomplete"),
    ("run 3", (1, 6), "", (HEX,), None, "incomplete"),
    ("run 3 G15-Z9-H8", (1, 11), "Z9", (HEX,), None, "unexpected"),
    ("run 3 G15 I13", (1, 11), "I13", ("`-` and the next hex", "a comma", END), "-I13", "unexpected"),
    ("run 9 G15-I13", (1, 5), "9", (TRAIN, "`best` or `none`"), None, "unexpected"),
    ("run 3: G15-I13", (1, 6), ":", ("the order without it",), None, "colon"),
    (
        "run 3 G15-I13-\nH8",
        (2, 1),
        "H8",
        ("the whole order on one line, not on lines 1 to 2",),
        "run 3 G15-I13-H8",
        "wrapped",
    ),
    (
        "run 3 G15-I13-H8, 4\nQ3-M7",
        (2, 1),
        "Q3-M7",
        ("the whole order on one line, not on lines 1 to 2",),
        "run 3 G15-I13-H8, 4 Q3-M7",
        "wrapped",
    ),
    (
        "bid 25\non TSR",
        (2, 1),
        "on TSR",
        ("the whole order on one line, not on lines 1 to 2",),
        "bid 25 on TSR",
        "wrapped",
    ),
    ("pay", (1, 4), "", (PAY,), None, "incomplete"),
    ("pay ful", (1, 5), "ful", (PAY,), "full", "unexpected"),
    ("pay 50", (1, 5), "50", (PAY,), None, "unexpected"),
    ("train", (1, 6), "", (TRAIN,), None, "incomplete"),
    ("train 9", (1, 7), "9", (TRAIN,), None, "unexpected"),
    ("train 2 from R-P for 70", (1, 14), "R-P", (COMPANY, "`pool`"), "R-O", "unexpected"),
    ("train 2 from R-O", (1, 17), "", ("`for`",), None, "incomplete"),
    ("train 2 from R-O to 70", (1, 18), "to", ("`for`",), "for", "unexpected"),
    ("train 4 or train 3", (1, 9), "or", ("`from`", END), None, "unexpected"),
    ("train 2 from R-O for 119 or", (1, 28), "", (TRAIN, "`train`"), None, "incomplete"),
    ("discard", (1, 8), "", (TRAIN,), None, "incomplete"),
    ("nationalise", (1, 12), "", ("`no` or `yes`",), None, "incomplete"),
    ("nationalise maybe", (1, 13), "maybe", ("`no` or `yes`",), None, "unexpected"),
    ("convert", (1, 8), "", (COMPANY, "`into` or `to`"), None, "incomplete"),
    ("merge N NW", (1, 9), "NW", ("a comma", "`into`"), None, "unexpected"),
    ("merge into NW", (1, 7), "into", (COMPANY,), None, "unexpected"),
    ("agree train 2 for 70", (1, 15), "for", ("`to`",), None, "unexpected"),
    ("agree WVR", (1, 10), "", ("`to`",), None, "incomplete"),
    ("bid 1,000", (1, 5), "1,000", ("a number without separators",), "1000", "thousands"),
    ("bid 1.000", (1, 5), "1.000", ("a number without separators",), "1000", "thousands"),
    ("bid -5", (1, 5), "-5", (NUMBER,), None, "unexpected"),
    ("bid 25 25", (1, 8), "25", ("`on`", END), None, "unexpected"),
    ("> bid 25", (1, 1), ">", (ORDER,), "bid 25", "quoted"),
    ("done; check", (1, 7), "check", ("this on a line of its own before the orders",), None, "late"),
    ("show maps", (1, 6), "maps", (SHOW,), "map", "unexpected"),
    ("show", (1, 5), "", (SHOW,), None, "incomplete"),
    ("pictures never", (1, 10), "never", ("`dark`, `map`, `off` or `on`",), None, "unexpected"),
    ("pictures map", (1, 13), "", ("`only`",), None, "incomplete"),
    ("show map G9-", (1, 13), "", ("a hex such as B18",), None, "incomplete"),
    ("notify never", (1, 8), "never", ("`all`, `daily`, `round` or `turn`",), None, "unexpected"),
    ("withdraw two", (1, 10), "two", (NUMBER, "`all`", END), None, "unexpected"),
    ("Bob pass", (1, 1), "Bob", (ORDER,), "Bob:", "colon"),
    ("GRR check", (1, 1), "GRR", (ORDER,), "GRR:", "colon"),
    ("GRR", (1, 1), "GRR", (ORDER,), "GRR:", "colon"),
    ("Grr2: done", (1, 1), "Grr2", (WHO,), "GRR", "head"),
    ("Bib: pass", (1, 1), "Bib", (WHO,), "Bob", "head"),
    ("Zoe de Vries: pass", (1, 1), "Zoe de Vries", (WHO,), "Zoë de Vries", "head"),
    ("hello everybody", (1, 1), "hello", (ORDER,), None, "unknown"),
    ("pass pass", (1, 6), "pass", ("`in`, `other` or `until`", END), None, "unexpected"),
    ("done,", (1, 5), ",", (END,), None, "complete"),
    ("take some", (1, 6), "some", (NUMBER,), None, "unexpected"),
    ("limit 80 on TSR stop 5", (1, 17), "stop", ("`step`", END), "step", "unexpected"),
    ("open TSR by 20", (1, 10), "by", (NUMBER, "`at`", END), None, "unexpected"),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake[0] for mistake in MISTAKES])
def test_mistake(mistake: tuple[str, tuple[int, int], str, tuple[str, ...], str | None, str]) -> None:
    text, (line, column), piece, expected, nearest, reason = mistake
    reading = grammar.read(text, NAMES, default_actor="GRR")
    (error,) = reading.errors
    assert replace(error, whole=()) == Unreadable(line, column, piece, expected, nearest, "unreadable", reason)
    assert reading.skipped or len(reading.orders) == text.count(";")


def test_all_mistakes_are_told_at_once_and_hinder_nothing_else() -> None:
    text = "GRR:\n  lay 8 K99 1; redeem 1\n  tokn I13\n  pay full\n  doen\nXX: done"
    reading = grammar.read(text, NAMES)
    assert [(e.line, e.column, e.piece, e.nearest) for e in reading.errors] == [
        (2, 9, "K99", None),
        (3, 3, "tokn", "token"),
        (5, 3, "doen", "done"),
        (6, 1, "XX", None),
    ]
    assert [grammar.write(order) for order in reading.orders] == ["redeem 1", "pay full"]
    assert [skipped.text for skipped in reading.skipped] == ["done"]


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake[0] for mistake in MISTAKES])
def test_a_suggestion_leads_on(mistake: tuple[str, tuple[int, int], str, tuple[str, ...], str | None, str]) -> None:
    """With the suggestion in place of the piece the order can be read, or stops further on."""
    text, (line, column), piece, _, nearest, reason = mistake
    if nearest is None or line > 1 or reason == "quoted":
        return
    better = text[: column - 1] + nearest + text[column - 1 + len(piece) :]
    errors = grammar.read(better, NAMES, default_actor="GRR").errors
    assert all(error.column > column for error in errors)


def test_turns_that_look_different_are_asked_for() -> None:
    reading = grammar.read("lay 637 H8 exits S,SW,NW,N,NE,SE", NAMES, default_actor="GRR")
    expected = tuple(f"the turn `{turn}`" for turn in range(6))
    piece = "S,SW,NW,N,NE,SE"
    assert reading.errors == (Unreadable(1, 18, piece, expected, None, "ambiguous", "turns"),)


def test_turns_that_look_the_same_are_not_asked_for_twice() -> None:
    halves = names(turns={"637": 3})
    (error,) = grammar.read("lay 637 H8 exits S,SW,NW,N,NE,SE", halves, default_actor="GRR").errors
    assert error.expected == ("the turn `0`", "the turn `1`", "the turn `2`")


def test_who_acts_is_ambiguous() -> None:
    reading = grammar.read("pass", NAMES)
    assert reading.errors == (Unreadable(1, 1, "pass", (f"before it {WHO}, and a colon",), None, "ambiguous", "who"),)


def test_too_long_to_be_read() -> None:
    piece = grammar.read("x" * (grammar.LONGEST_PIECE + 1), NAMES, default_actor="GRR").errors
    assert [(error.reason, error.piece) for error in piece] == [("long", "")]
    text = grammar.read("pass\n" * grammar.LONGEST_TEXT, NAMES, default_actor="GRR")
    assert [error.reason for error in text.errors] == ["long"] and text.orders == ()


def test_the_form_of_an_upgrade_has_its_sides_as_mails_show_them() -> None:
    (fault,) = grammar.read("lay 999 K9 SW-N+NE", NAMES, default_actor="GRR").errors
    assert fault.whole == ("`lay TILE K9 SW-N+NE`",)


def test_no_is_an_answer_even_where_a_company_has_that_name() -> None:
    cousins = vocabulary(engine.load_title("1867"), ("Ann", "Bob"))
    (error,) = grammar.read("no", cousins, default_actor="Ann").errors
    assert (error.reason, error.nearest) == ("unknown", "refuse")
    assert grammar.read("NO: done", cousins).sections[0].actor == "NO"
