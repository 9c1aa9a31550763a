"""The words of a game master: each form, its canonical form, and what is said about a line that is none."""

from __future__ import annotations

import pytest

from grammar.master import words as m
from grammar.master.reading import LONGEST_TEXT, read_master

SEATS = ("Ann Lee", "Bob", "May")
FORMS: list[tuple[str, m.MasterWord]] = [
    ("check", m.Check()),
    ("?", m.Help()),
    ("show clock", m.Show("clock")),
    ("reason: we travel", m.Reason("we travel")),
    ("because we travel", m.Reason("we travel")),
    ("pause", m.Pause()),
    ("Pause until 2026-12-24 20:00 Europe/Zurich", m.Pause("", "2026-12-24 20:00 Europe/Zurich")),
    (
        "pause from 2026-12-24 20:00 until 2027-01-02 8:00 America/Argentina/Buenos_Aires",
        m.Pause("2026-12-24 20:00", "2027-01-02 8:00 America/Argentina/Buenos_Aires"),
    ),
    ("resume", m.Resume()),
    ("extend 48 hours", m.Extend(48)),
    ("extend by 2 days", m.Extend(48)),
    ("extend 48", m.Extend(48)),
    ("until 2026-12-24 20:00", m.Until("2026-12-24 20:00")),
    (
        "clock rest=Sat,Sun time=20:00 Europe/Zurich late=default",
        m.Clock((("rest", "Sat,Sun"), ("time", "20:00 Europe/Zurich"), ("late", "default"))),
    ),
    ("option late default", m.Option("late", "default")),
    ("Option Rest=Sat,Sun", m.Option("rest", "Sat,Sun")),
    ("option holidays 2026-12-24 to 2027-01-02", m.Option("holidays", "2026-12-24 to 2027-01-02")),
    ("undo to 143", m.Undo(143)),
    ("undo 143 whole", m.Undo(143, whole=True)),
    ("undo to 143 through 145", m.Undo(143, 145)),
    ("redo", m.Redo()),
    ("give seat ann lee to Max Power <max@example.org>", m.Give("Ann Lee", "Max Power", "max@example.org")),
    ("open Bob", m.Open("Bob")),
    ("robot for May", m.Robot("May")),
    ("robot May off", m.Robot("May", on=False)),
    ("correct pay 30 from bank to ann lee", m.CorrectPay(30, "bank", "Ann Lee")),
    ("correct move 2 K-R from Bob to pool", m.CorrectMove(2, "K-R", "Bob", "pool")),
    ("end game", m.End()),
    ("add master Eve <eve@example.org>", m.AddMaster("Eve", "eve@example.org")),
    ("remove master <eve@example.org>", m.RemoveMaster("eve@example.org")),
    ("say: good evening", m.Say("good evening")),
    ("say:\ngood\n\nevening\nend say", m.Say("good\n\nevening")),
    ("answer bob: yes", m.Answer("Bob", "yes")),
    ("enter Ann Lee:\nGRR: lay 8 K9 1\ndone\nend enter", m.Enter("Ann Lee", "GRR: lay 8 K9 1\ndone")),
]


@pytest.mark.parametrize(("text", "word"), FORMS)
def test_each_form_is_read(text: str, word: m.MasterWord) -> None:
    reading = read_master(text, SEATS)
    assert [found for _, found in reading.words] == [word]
    assert not reading.faults


@pytest.mark.parametrize("word", [word for _, word in FORMS], ids=str)
def test_the_canonical_form_is_read_back(word: m.MasterWord) -> None:
    assert [found for _, found in read_master(str(word), SEATS).words] == [word]


@pytest.mark.parametrize(
    ("line", "reason", "near"),
    [
        ("pauze", "unknown", "pause until 2026-12-24 20:00 Europe/Zurich"),
        ("Dear all", "unknown", ""),
        ("end", "form", "end game"),
        ("end everything", "form", "end game"),
        ("option late", "form", "option late default"),
        ("undo", "form", "undo to 143"),
        ("say hello", "form", "say: a text for all players"),
        ("say Bob: hello", "form", "say: a text for all players"),
        ("extend tomorrow", "form", "extend 48 hours"),
        ("give Bobb to Max <max@example.org>", "seat", "Bob"),
        ("give Bob to Max", "form", "give Ann to Max <max@example.org>"),
        ("answer Bub: hello", "seat", "Bob"),
        ("enter Zoe: pass", "seat", ""),
        ("say:", "end", "end say"),
        ("x" * (LONGEST_TEXT + 1), "long", ""),
    ],
)
def test_a_line_that_is_no_word_is_a_fault(line: str, reason: str, near: str) -> None:
    reading = read_master(line, SEATS)
    assert [(fault.reason, fault.near) for fault in reading.faults] == [(reason, near)]
    assert not reading.words


def test_lines_are_counted_and_comments_left_out() -> None:
    reading = read_master("\n// for the holidays\npause // all agree\n\nsay:\na // b\nend say\nresume", SEATS)
    assert reading.words == ((3, m.Pause()), (5, m.Say("a // b")), (8, m.Resume()))


def test_a_text_ends_with_its_own_end_only() -> None:
    reading = read_master("enter Bob:\npass\nend say\nend enter", SEATS)
    assert [word for _, word in reading.words] == [m.Enter("Bob", "pass\nend say")]


def test_nothing_after_a_text_without_an_end_is_read() -> None:
    reading = read_master("say:\nend game", SEATS)
    assert [fault.reason for fault in reading.faults] == ["end"]
    assert not reading.words


@pytest.mark.parametrize("name", ["to", "Master", "A+B (C)", "end game"])
def test_a_player_may_be_called_like_a_word(name: str) -> None:
    reading = read_master(f"robot {name} off", (name, "Bob"))
    assert [word for _, word in reading.words] == [m.Robot(name, on=False)]
