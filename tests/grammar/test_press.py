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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("master: am I late?", "am I late?"),
        ("MASTER : am I late?", "am I late?"),
        ("\uff2daster\uff1a am I late?", "am I late?"),
        ("master:\nam I late?\n\nAnn\nend master", "am I late?\n\nAnn"),
        ("master\nGRR: done\nEND MASTER.", "GRR: done"),
        ("press master: am I late?", "am I late?"),
        ("press to master\nam I late?\nend press", "am I late?"),
    ],
)
def test_a_line_to_the_game_master(text: str, said: str) -> None:
    reading = grammar.read(text, NAMES)
    assert reading == grammar.Reading((), (), (), (), (Press((grammar.MASTER,), said, 1),))
    assert reading.press[0].is_for_master


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("master:\nam I late?", "press_end"),
        ("master:", "press_end"),
        ("master:\n\nend master", "incomplete"),
        ("master:\nam I late?\nend press", "press_end"),
        ("press Bob\nhear\nend master", "press_end"),
        (f"master: {'word ' * 10}and so I have to\npass", "press_wrapped"),
    ],
)
def test_a_line_to_the_game_master_whose_end_is_not_certain(text: str, reason: str) -> None:
    reading = grammar.read(text, NAMES, default_actor="Ann")
    assert (reading.errors[0].line, reading.errors[0].reason) == (1, reason) and reading.press == ()
    assert (
        reading.errors[0].expected
        == (("a line `end press` after the text",) if "press Bob" in text else ("a line `end master` after the text",))
        or reason == "incomplete"
    )


def test_the_word_alone_is_prose_unless_its_end_follows() -> None:
    assert grammar.without_prose("He is a\nmaster\nof trains", NAMES).prose == ("He is a master of trains",)
    held = grammar.read("press Bob\nHe is a\nmaster\nof trains\nend press", NAMES)
    assert held.press == (Press(("Bob",), "He is a\nmaster\nof trains", 1),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Hello,\n\nmaster: I am away until Monday.\nPlease wait.\n\nBest, Ann",
            "I am away until Monday.\nPlease wait.\n\nBest, Ann",
        ),
        ("master:\nI am away until Monday.\nPlease wait.", "I am away until Monday.\nPlease wait."),
        (f"pass\nmaster: {'word ' * 12}\nand more", f"{'word ' * 12}".rstrip() + "\nand more"),
    ],
)
def test_the_last_line_to_the_game_master_has_all_prose_below_it(text: str, said: str) -> None:
    reading = grammar.read(grammar.without_prose(text, NAMES).text, NAMES, default_actor="Ann")
    assert [one.text for one in reading.press] == [said] and not reading.errors


@pytest.mark.parametrize("below", ["pass", "GRR: done", "show map", "check", "press Bob: hear", "psas", "END"])
def test_nothing_that_may_be_an_order_is_taken_for_a_line_to_the_game_master(below: str) -> None:
    text = f"master: am I late?\n{below}"
    reading = grammar.read(grammar.without_prose(text, NAMES).text, NAMES, default_actor="Ann")
    assert "am I late?" in [one.text for one in reading.press]
    assert not any(below in one.text for one in reading.press if one.is_for_master) or below == "END"
