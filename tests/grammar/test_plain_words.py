"""The words that need no secret address are read from the first line of a mail, and nothing is guessed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grammar.plain_words import FORMS, PlainFault, PlainWord, read_plain


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("games", PlainWord("games")),
        ("\n  List games.\n", PlainWord("games")),
        ("help", PlainWord("help")),
        ("?", PlainWord("help")),
        ("join 1861-9", PlainWord("join", "1861-9")),
        ("Join 1861-9 as Ann", PlainWord("join", "1861-9", name="Ann")),
        ("join 1861-9 as Ann Maria van der Berg.", PlainWord("join", "1861-9", name="Ann Maria van der Berg")),
        ("join 1861-9 invitation Rosebud", PlainWord("join", "1861-9", invitation="Rosebud")),
        ("join 1861-9 as Ann B invitation rosebud", PlainWord("join", "1861-9", name="Ann B", invitation="rosebud")),
        ("join 1861-9 as Ann prefer first", PlainWord("join", "1861-9", name="Ann", wish="first")),
        ("join 1861-9 prefers LAST", PlainWord("join", "1861-9", wish="last")),
        ("join 1861-9 as Ann Lee prefer the third seat.", PlainWord("join", "1861-9", name="Ann Lee", wish="seat 3")),
        (
            "join 1861-9 as Ann prefer seat 2 invitation rosebud",
            PlainWord("join", "1861-9", name="Ann", wish="seat 2", invitation="rosebud"),
        ),
        (
            "join 1861-9 invitation rosebud prefer 2",
            PlainWord("join", "1861-9", wish="seat 2", invitation="rosebud"),
        ),
        ("join 1861-9 prefer the middle", PlainWord("join", "1861-9", wish="the middle")),
        ("wait", PlainWord("wait")),
        ("wait for 1844 // any player count", PlainWord("wait", title="1844")),
        ("observe 1861-12", PlainWord("observe", "1861-12")),
        ("leave 1861-9", PlainWord("leave", "1861-9")),
        ("leave waiting list", PlainWord("leave")),
        ("leave wait", PlainWord("leave")),
        ("start 1861-9", PlainWord("start", "1861-9")),
        ("join 1861-9 as 김철수\n\nThank you!\nKim", PlainWord("join", "1861-9", name="김철수")),
    ],
)
def test_a_word_is_read(text: str, word: PlainWord) -> None:
    assert read_plain(text) == word
    assert read_plain(str(word)) == replace(word, invitation="")


@pytest.mark.parametrize(
    ("text", "form", "reason"),
    [
        ("join", FORMS["join"], "form"),
        ("join 1861", FORMS["join"], "form"),
        ("join 1861-9 as Ann prefer", "join 1861-9 as Ann prefer first", "form"),
        ("join 1861-9 as Ann invitation", FORMS["join"], "form"),
        ("join 1861 as Ann prefer first", "join 1861-9 as Ann prefer first", "form"),
        ("join 1861-9 please", FORMS["join"], "form"),
        ("join 1861-9x", FORMS["join"], "form"),
        ("join the army", FORMS["join"], "form"),
        ("wait a minute", FORMS["wait"], "form"),
        ("leave", FORMS["leave"], "form"),
        ("jion 1861-9", FORMS["join"], "near"),
        ("observ 1861-9", FORMS["observe"], "near"),
        ("join 1861-9 as Ann\ngames", "join 1861-9 as Ann", "several"),
    ],
)
def test_a_fault_says_how_it_is_written(text: str, form: str, reason: str) -> None:
    found = read_plain(text)
    assert isinstance(found, PlainFault)
    assert (found.form, found.reason) == (form, reason)


@pytest.mark.parametrize("text", ["", "Hello,\njoin 1861-9", "GRR: pass", "Dear sirs", "yes", "x" * 300, "lists"])
def test_another_mail_is_no_word(text: str) -> None:
    assert read_plain(text) is None
