"""What players say to each other is taken out of a text as it stands; the rest is read as if it were not there."""

from __future__ import annotations

import pytest

import grammar
from grammar import Press

NAMES = grammar.Vocabulary("1861", players=("Ann", "Bob", "Cat and Co"), companies={"GRR": ()})


@pytest.mark.parametrize(
    ("text", "to", "said"),
    [
        ("press: to all: hear!", (), "to all: hear!"),
        ("PRESS all: hear", (), "hear"),
        ("press to all: hear", (), "hear"),
        ("press Bob: done", ("Bob",), "done"),
        ("press to bob and ann: hear", ("Bob", "Ann"), "hear"),
        ("press Bob, Ann, bob: hear", ("Bob", "Ann"), "hear"),
        ("press Cat and Co: hear", ("Cat and Co",), "hear"),
        ("press Ann and Bob, cat and co: hear", ("Ann", "Bob", "Cat and Co"), "hear"),
        ("press Bob\n  GRR: done; // no\n\n> quoted\nend press", ("Bob",), "  GRR: done; // no\n\n> quoted"),
        ("press Bob // only him: he knows\nhear\nEND PRESS.", ("Bob",), "hear"),
        ("press\nhear\nendpress", (), "hear"),
        ("press Bob: Dear Bob,\n\nhear\nend press", ("Bob",), "Dear Bob,\n\nhear"),
        ("press Bob\u2a74 hear", ("Bob",), "hear"),
        ("\uff50ress Bob\uff1a \u201chear\u201d", ("Bob",), "\u201chear\u201d"),
    ],
)
def test_forms(text: str, to: tuple[str, ...], said: str) -> None:
    reading = grammar.read(text, NAMES)
    assert reading == grammar.Reading((), (), (), (), (Press(to, said, 1),))


@pytest.mark.parametrize(
    ("text", "piece", "nearest", "reason"),
    [
        ("press Bbo: hear", "Bbo", "Bob", "press"),
        ("press on with it", "on with it", None, "press"),
        ("press GRR: hear", "GRR", None, "press"),
        ("press Bob\nhear", "", None, "press_end"),
        ("press", "", None, "press_end"),
        ("press Bob\n\nend press", "", None, "incomplete"),
        ("press Bob\n\u200b\nend press", "", None, "incomplete"),
        (f"press Bob: {'word ' * 10}and so I have to\npass", "", None, "press_wrapped"),
    ],
)
def test_what_is_wrong(text: str, piece: str, nearest: str | None, reason: str) -> None:
    reading = grammar.read(text, NAMES, default_actor="Ann")
    error = reading.errors[0]
    assert (error.line, error.piece, error.nearest, error.reason) == (1, piece, nearest, reason)
    assert reading.press == ()


def test_orders_beside_it_keep_their_lines() -> None:
    reading = grammar.read("check\npress\nsell NW\nend press\nGRR: done\npress Bob: one\npay ful", NAMES)
    assert [word.kind for word in reading.words] == ["check"]
    assert [(section.actor, section.line) for section in reading.sections] == [("GRR", 5)]
    assert [press.line for press in reading.press] == [2, 6]
    assert [(error.line, error.piece) for error in reading.errors] == [(7, "ful")]


def test_what_is_not_ended_before_the_next_begins_is_told_to_nobody() -> None:
    reading = grammar.read("press Bob\npass\npress Ann\nsecret\nend press", NAMES, default_actor="Ann")
    assert [(error.line, error.reason) for error in reading.errors] == [(1, "press_end")]
    assert reading.press == (Press(("Ann",), "secret", 3),)


def test_a_short_line_of_press_may_stand_above_an_order() -> None:
    reading = grammar.read("press Bob: hear\nGRR: done", NAMES)
    assert (reading.errors, len(reading.press), len(reading.orders)) == ((), 1, 1)
    reading = grammar.read(f"press Bob: {'word ' * 20}\n\nGRR: done\npress: {'word ' * 20}\npress: hear", NAMES)
    assert (reading.errors, len(reading.press), len(reading.orders)) == ((), 3, 1)


def test_a_line_with_its_text_does_not_begin_what_a_later_one_does() -> None:
    reading = grammar.read("press Bob: one\npass\npress Ann\ntwo\nend press\nend press", NAMES, default_actor="Ann")
    assert [(press.to, press.text) for press in reading.press] == [(("Bob",), "one"), (("Ann",), "two")]
    assert len(reading.orders) == 1 and [(error.line, error.piece) for error in reading.errors] == [(6, "end")]


def test_a_player_called_so_is_heard() -> None:
    names = grammar.Vocabulary("1861", players=("Press", "Bob"))
    for text in ("press: pass", "Press:\n  pass\n  pass"):
        reading = grammar.read(text, names)
        assert ([section.actor for section in reading.sections], reading.errors, reading.press) == (["Press"], (), ())
    assert grammar.read("press Bob: hear", names).press == (Press(("Bob",), "hear", 1),)


def test_who_is_called_all_is_one_player() -> None:
    names = grammar.Vocabulary("1861", players=("All", "Bob", "Ann"))
    assert grammar.read("press all: hear", names).press == (Press(("All",), "hear", 1),)
    assert grammar.read("press: hear", names).press == (Press((), "hear", 1),)
