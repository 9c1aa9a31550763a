"""How a text is taken apart: heads, lines, comments, words for the moderator, and what telephones make of it."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
import grammar
from engine.core import orders
from grammar import OrderLine, Section, Word
from grammar.parser import notation, titles
from moderator.domain.vocabulary import vocabulary
from tests.kit.notation.notation_1861 import NAMES, names

o: Any = orders
"""Names are plain strings here."""

TURN = """GRR:                        // an operating turn
  redeem 1
  lay 8 K9 1; lay 8 J10 4

  pay full ;
  done
SPW: buy WVR for 90; done
as Cat: sell 2 MKN ; start SE at 150 in F18 // a turn of the stock round
"""


def test_sections_with_lines_and_columns() -> None:
    reading = grammar.read(TURN, NAMES)
    assert (reading.words, reading.errors, reading.skipped) == ((), (), ())
    assert reading.sections == (
        Section(
            "GRR",
            (
                OrderLine(o.Redeem("GRR", 1), 2, 3, "redeem 1"),
                OrderLine(o.Lay("GRR", "8", "K9", 1), 3, 3, "lay 8 K9 1"),
                OrderLine(o.Lay("GRR", "8", "J10", 4), 3, 15, "lay 8 J10 4"),
                OrderLine(o.Pay("GRR", "full"), 5, 3, "pay full"),
                OrderLine(o.Done("GRR"), 6, 3, "done"),
            ),
            1,
        ),
        Section(
            "SP-W",
            (
                OrderLine(o.BuyPrivate("SP-W", "WVR", 90), 7, 6, "buy WVR for 90"),
                OrderLine(o.Done("SP-W"), 7, 22, "done"),
            ),
            7,
        ),
        Section(
            "Cat",
            (
                OrderLine(o.Sell("Cat", "MKN", 2), 8, 9, "sell 2 MKN"),
                OrderLine(o.Start("Cat", "SE", 150, o.Space("F18")), 8, 22, "start SE at 150 in F18"),
            ),
            8,
        ),
    )


def test_canonical_layout() -> None:
    assert grammar.write_block(grammar.read(TURN, NAMES).orders) == (
        "GRR:\n  redeem 1\n  lay 8 K9 1\n  lay 8 J10 4\n  pay full\n  done\n"
        "SP-W:\n  buy WVR for 90\n  done\n"
        "Cat:\n  sell 2 MKN\n  start SE at 150 in F18"
    )
    assert grammar.write_section("Ann", [o.Pass("Ann")]) == "Ann: pass"
    assert grammar.write_block([]) == ""


@pytest.mark.parametrize(
    ("head", "actor"),
    [
        ("Ann", "Ann"),
        ("ANN ", "Ann"),
        ("as ann", "Ann"),
        ("Zoë de Vries", "Zoë de Vries"),
        ("zoe\u0308  de vries", "Zoë de Vries"),
        ("O\u2019Brien", "O'Brien"),
        ("иван п.", "Иван П."),
        ("J. R. Isik", None),
        ("j. r. işik", "J. R. Işık"),
        ("J. R. İŞIK", "J. R. Işık"),
        ("spw", "SP-W"),
        ("as SP\u2011W", "SP-W"),
        ("m-k", "M-K"),
        ("Y", "D"),
    ],
)
def test_heads(head: str, actor: str | None) -> None:
    reading = grammar.read(f"{head}: pass", NAMES)
    assert [section.actor for section in reading.sections] == ([actor] if actor else [])


def test_orders_without_head_are_the_default_actors() -> None:
    reading = grammar.read("drop\nBob: pass", NAMES, default_actor="Ann")
    assert reading.orders == (o.Drop("Ann"), o.Pass("Bob"))
    assert [section.line for section in reading.sections] == [1, 2]


def test_who_acts_is_asked_once() -> None:
    reading = grammar.read("drop\npass\nBob: pass", NAMES)
    assert reading.orders == (o.Pass("Bob"),)
    assert [(e.line, e.kind, e.reason) for e in reading.errors] == [(1, "ambiguous", "who")]
    assert [skipped.text for skipped in reading.skipped] == ["drop", "pass"]


def test_a_head_alone_is_an_empty_section() -> None:
    reading = grammar.read("GRR:\n", NAMES)
    assert reading.sections == (Section("GRR", (), 1),)


def test_successive_turns_of_one_actor_stay_apart() -> None:
    reading = grammar.read("Ann: open TSR 20\nAnn: bid 30", NAMES)
    assert [len(section.orders) for section in reading.sections] == [1, 1]


def test_words_for_the_moderator() -> None:
    text = (
        "check\nPartial.\nshow lays\nshow at 120 // before\nwithdraw\nwithdraw 2\nwithdraw all\nhelp\n"
        "notify Round\npass"
    )
    reading = grammar.read(text, NAMES, default_actor="Ann")
    assert reading.words == (
        Word("check", None, 1),
        Word("partial", None, 2),
        Word("show", "lays", 3),
        Word("show", "at 120", 4),
        Word("withdraw", None, 5),
        Word("withdraw", "2", 6),
        Word("withdraw", "all", 7),
        Word("help", None, 8),
        Word("notify", "round", 9),
    )
    assert reading.orders == (o.Pass("Ann"),)


def test_every_thing_to_show() -> None:
    for argument in ("map", "lays", "tokens", "tiles", "trains", "prices", "orders", "position", "record", "at 7"):
        assert grammar.read(f"show {argument}", NAMES).words == (Word("show", argument, 1),)


def test_nothing_is_nothing() -> None:
    for text in ("", "\n\n", " ; ;; ", "// pass", "\u200b\n\ufeff"):
        assert grammar.read(text, NAMES) == grammar.Reading((), (), ())


# ---- lines broken by mail programs -----------------------------------------------------------------------------------

RUN = o.Run("GRR", (o.Route("3", ("G15", "I13", "H8")), o.Route("4", ("Q3", "M7"))))


@pytest.mark.parametrize(
    "text",
    [
        "run 3 G15-I13-H8,\n    4 Q3-M7",
        "run 3 G15-I13-\n H8, 4 Q3-M7",
        "run 3 G15-I13-H8, // first\n\t4 Q3-M7",
        "run 3 G15-\n I13-\n H8,\n 4 Q3-M7",
        "run 3 G15-I13-H8,\r\n\u00a04 Q3-M7",
    ],
)
def test_an_indented_line_goes_on_after_a_hyphen_or_comma(text: str) -> None:
    reading = grammar.read(text, NAMES, default_actor="GRR")
    assert reading.errors == ()
    assert reading.orders == (RUN,)


def test_a_broken_name_is_whole_again() -> None:
    assert grammar.read("buy M-\n  K; pass", NAMES, default_actor="Ann").orders == (o.Buy("Ann", "M-K"), o.Pass("Ann"))


def test_columns_after_a_broken_line() -> None:
    reading = grammar.read("run 3 G15-I13-\n   Z9-H8", NAMES, default_actor="GRR")
    assert [(e.line, e.column, e.piece) for e in reading.errors] == [(2, 4, "Z9")]


def test_an_order_never_loses_its_end_to_a_line_break() -> None:
    """Read line by line, ``agree`` would consent to anything."""
    reading = grammar.read("pass\nagree\ntrain 2 to SP-W for 70", NAMES, default_actor="Ann")
    assert reading.orders == (o.Pass("Ann"),)
    (error,) = reading.errors
    assert (error.line, error.reason, error.nearest) == (3, "wrapped", "agree train 2 to SP-W for 70")


def test_three_lines_of_one_order_are_one_error() -> None:
    reading = grammar.read("run 3 G15-I13-H8, 4\nQ3-M7, 2\nH8-K7\ndone", NAMES, default_actor="GRR")
    assert [(e.reason, e.nearest) for e in reading.errors] == [("wrapped", "run 3 G15-I13-H8, 4 Q3-M7, 2 H8-K7")]
    assert reading.orders == (o.Done("GRR"),)


ONE_LINE = "GRR: lay 7 D8 4; token H8; run best; pay half; train 8; done"


@pytest.mark.parametrize("place", [n for n, char in enumerate(ONE_LINE) if char == " "])
def test_a_line_of_several_orders_may_be_broken_anywhere(place: int) -> None:
    """A mail program wraps a long line where it likes."""
    whole = grammar.read(ONE_LINE, NAMES)
    assert (len(whole.orders), whole.errors) == (6, ())
    broken = grammar.read(f"{ONE_LINE[:place]}\n{ONE_LINE[place + 1 :]}", NAMES)
    assert (broken.orders, broken.errors) == (whole.orders, ())


@pytest.mark.parametrize("end", [";\n", "; \n", "; ", ";", ";\n\n", ";\r\n", ";\r", " ;\n"])
def test_orders_may_lose_one_of_their_two_ends(end: str) -> None:
    assert grammar.read(ONE_LINE.replace("; ", end), NAMES).orders == grammar.read(ONE_LINE, NAMES).orders


def test_a_semicolon_ends_an_order_for_good() -> None:
    reading = grammar.read("GRR: run 3 G15-I13-H8, 4;\nQ3-M7; done", NAMES)
    assert reading.orders == (o.Done("GRR"),)
    assert [(e.line, e.reason) for e in reading.errors] == [(1, "incomplete"), (2, "unknown")]


def test_a_broken_order_without_a_head_asks_who_gives_it() -> None:
    reading = grammar.read("run\nbest; done", NAMES, may_act=("GRR", "SP-W"))
    assert [e.reason for e in reading.errors] == ["who"]


@pytest.mark.parametrize(
    ("text", "wrong", "whole"),
    [
        ("plan TSR 25; BSS 90", ["BSS 90"], "plan TSR 25, BSS 90"),
        ("plan TSR 25\nBSS 90", ["BSS 90"], "plan TSR 25, BSS 90"),
        ("plan TSR 25; BSS 90; budget 100", ["BSS 90", "budget 100"], "plan TSR 25, BSS 90, budget 100"),
        ("plan TSR 25; or BSS 90", ["or BSS 90"], "plan TSR 25 or BSS 90"),
        ("plan TSR 25; drop the rest", ["drop the rest"], "plan TSR 25, drop the rest"),
        ("buy MKN up to 3; while at most 90", ["while at most 90"], "buy MKN up to 3 while at most 90"),
        ("pass; until anybody acts", ["until anybody acts"], "pass until anybody acts"),
    ],
)
def test_what_a_semicolon_has_parted_is_shown_as_one_order(text: str, wrong: list[str], whole: str) -> None:
    reading = grammar.read(text, NAMES, default_actor="Ann")
    assert [(e.reason, e.piece) for e in reading.errors] == [("parted", piece) for piece in wrong]
    assert reading.errors[-1].whole == (f"`{whole}`",)
    assert not grammar.read(whole, NAMES, default_actor="Ann").errors


@pytest.mark.parametrize("text", ["BSS 90", "plan TSR 25; hello there; BSS 90", "plan TSR 25\nBob:\nBSS 90"])
def test_what_follows_no_order_belongs_to_none(text: str) -> None:
    assert "parted" not in [error.reason for error in grammar.read(text, NAMES, default_actor="Ann").errors]


@pytest.mark.parametrize("said", ["kept", "kept orders", "Ahead", "standing", "standing orders"])
def test_what_is_kept_is_shown_under_several_names(said: str) -> None:
    assert grammar.read(f"show {said}", NAMES).words == (Word("show", "standing", 1),)


# ---- what telephones write -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("bid\u00a025", "bid 25"),
        ("b\u200bid\u2009 25\u200e", "bid  25"),
        ("\ufeffbid 25", "bid 25"),
        ("G15\u2013I13\u2014H8\u2212K7\u2010K9\u2011M7\uff0dQ3", "G15-I13-H8-K7-K9-M7-Q3"),
        ("ｂｉｄ　２５；", "bid 25;"),
        ("b\u0131d 25", "bid 25"),
        ("B\u0130D 25", "BID 25"),
        ("\u2018N\u2019 \u201cM\u201d \u201eK\u201c \u00abE\u00bb `V`", '\'N\' "M" "K" "E" \'V\''),
        ("bid \u0662\u0665", "bid 25"),
        ("\u202bbid 25\u202c", "bid 25"),
        ("a\r\nb\rc\u2028d\u0085e\x0bf", "a\nb\nc\nd\ne\nf"),
        ("a\x00b\tc", "a b c"),
        ("so\u00adft", "soft"),
        ("pass\ufe0f", "pass"),
    ],
)
def test_normalise(typed: str, plain: str) -> None:
    assert grammar.normalise(typed) == plain


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = grammar.normalise(text)
    assert grammar.normalise(once) == once
    assert not any("\u200b" <= char <= "\u200f" or char in "\u00a0\r\t\x00" for char in once)


@pytest.mark.parametrize("some", [pytest.param("what NFKC makes longer"), pytest.param("all", marks=pytest.mark.prove)])
def test_no_character_becomes_a_long_text(some: str) -> None:
    """U+FDFA alone is written out as eighteen by NFKC."""
    every = map(chr, range(0x110000))
    tried = every if some == "all" else (n for n in every if len(unicodedata.normalize("NFKC", n)) > 1)
    odd = [n for n in tried if len(grammar.normalise(n * 10)) > 10 * grammar.MOST_GROWTH]
    assert odd == []


@pytest.mark.parametrize("accents", ["\u0301\u0316", "\u0301\u200b\u0316\ufe0f", "\uff9e\u0301", "\u0344\u0316"])
def test_a_tower_of_accents_is_cut(accents: str) -> None:
    """Sorted as Unicode sorts them, 500,000 of them take minutes."""
    tower = grammar.normalise("pass " + accents * 500 + " e\u0301")
    assert tower.startswith("pass ") and tower.endswith(" \u00e9")
    assert len(tower) < 50
    assert grammar.normalise(tower) == tower


def test_a_text_that_is_too_long_once_it_is_normalised_is_not_read() -> None:
    assert [error.reason for error in grammar.read("pass\n" + "\u2167" * 30, NAMES, longest=100).errors] == ["long"]


@given(st.text(alphabet=st.characters(codec="latin-1")))
def test_lines_stay_where_they_are(text: str) -> None:
    assert grammar.normalise(text).count("\n") == len(text.replace("\r\n", "\n").translate(BREAKS).split("\n")) - 1


BREAKS = dict.fromkeys(map(ord, "\r\v\f\x1c\x1d\x1e\x85"), "\n")


# ---- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "wrong"),
    [
        (("Ann", "ann"), "'ann' and 'Ann' cannot be told apart"),
        (("mk",), "'MK' and 'mk' cannot be told apart"),
        (("Ann: the great",), "cannot be a name"),
        (("a;b",), "cannot be a name"),
        ((" ",), "cannot be a name"),
        (("http//x",), "cannot be a name"),
    ],
)
def test_names_that_could_be_taken_for_others(players: tuple[str, ...], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        names(players)


def test_company_names_are_single_words() -> None:
    with pytest.raises(ValueError, match="not a single word"):
        names(companies={"Great Eastern": ()})


def test_a_title_without_a_grammar() -> None:
    for title in ("1860", "../x", ""):
        with pytest.raises(ValueError, match="there are: 1841, 1844, 1861, 1863"):
            grammar.read("pass", names(title=title), default_actor="Ann")


# ---- lists with commas -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("run best, withhold, done", [o.RunBest("GRR"), o.Pay("GRR", "none"), o.Done("GRR")]),
        ("settle, train 5, done", [o.Settle("GRR"), o.Train("GRR", "5"), o.Done("GRR")]),
        ("train 5, settle, done", [o.Train("GRR", "5"), o.Settle("GRR"), o.Done("GRR")]),
        ("agree, decline, done", [o.Agree("GRR"), o.Decline("GRR"), o.Done("GRR")]),
        ("done,pass,done", [o.Done("GRR"), o.Pass("GRR"), o.Done("GRR")]),
    ],
)
def test_orders_of_one_word_may_stand_in_a_list(text: str, orders: list[o.Order]) -> None:
    reading = grammar.read(text, NAMES, default_actor="GRR")
    assert reading.errors == () and list(reading.orders) == orders


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", titles())
def test_every_order_of_one_word_may_stand_in_a_list(title: str) -> None:
    known = vocabulary(engine.load_title(title), ("Ann", "Bob"))
    keywords = notation(title).keywords
    alone = [word for word in keywords if grammar.read(word, known, default_actor="Ann").orders]
    assert {"done", "pass", "drop"} <= set(alone)
    for word in alone:
        reading = grammar.read(f"done, {word}, done", known, default_actor="Ann")
        assert not reading.errors and len(reading.orders) == 3, word
