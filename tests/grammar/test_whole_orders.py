"""An order with a word too few or too many is shown as it should be written, with the values that it gives."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

import pytest

import engine
import grammar
from grammar import Vocabulary
from grammar import forms as all_forms
from grammar.forms import forms, whole_orders, written
from grammar.parser import notation, titles
from moderator.domain.vocabulary import vocabulary
from tests.kit.samples import sampled

PLAYERS = ("Ann", "Bob", "Cat")


@lru_cache
def names(title: str) -> Vocabulary:
    return vocabulary(engine.load_title(title), PLAYERS)


def hint(text: str, title: str) -> tuple[str, ...]:
    (error,) = grammar.read(text, names(title), default_actor="Ann").errors
    return tuple(one.strip("`") for one in error.whole)


@pytest.mark.parametrize(
    ("title", "text", "whole"),
    [
        ("1861", "sell NW", ["sell NUMBER NW"]),
        ("1861", "pass until Bob buys", []),
        ("1867", "take back CS", ["withdraw"]),
        ("1861", "train 2 from M-K", ["train 2 from M-K for NUMBER"]),
        ("1861", "start MKN 100 K7", ["start MKN at 100 in K7"]),
        ("1861", "lay 8 on I7", ["lay 8 I7 TURN"]),
        ("1861", "buy 2 MK", ["buy MK"]),
        ("1861", "buy 2 MK and sell NW", ["buy MK; sell NUMBER NW"]),
        ("1861", "buy 2 MK then sell NW", ["buy MK; sell NUMBER NW"]),
        ("1861", "agree train 2", ["agree train 2 to COMPANY for NUMBER"]),
        ("1861", "merge N NW", ["merge N into NW"]),
        ("1861", "withdraw two", ["withdraw NUMBER"]),
        ("1861", "pay 50", ["pay half", "pay full", "pay none"]),
        ("1863", "float HAM at 100", ["float HAM as minor at 100", "float HAM as major at 100"]),
        ("1863", "transfer 3 MET to Ann", ["transfer 3 MET from COMPANY to Ann"]),
        ("1844", "start MOB", ["start MOB at NUMBER"]),
        ("1841", "bids 40", ["bids 40 on PRIVATE"]),
    ],
)
def test_the_whole_order_is_shown(title: str, text: str, whole: list[str]) -> None:
    assert list(hint(text, title)) == whole


@pytest.mark.parametrize("text", ["bid Go", "bid -5", "run 3 G15-Z9-H8", "open TSR 30 quickly", "hello"])
def test_nothing_is_shown_where_a_suggestion_is_enough_or_nothing_is_near(text: str) -> None:
    assert hint(text, "1861") == ()


_FORMS = 8
"""Of each opening word; the further ones only add repetitions. The first few are tried every time."""
_KINDS = "NUMBER|TURN|ADDRESS|DATE|ZONE|COMPANY|PRIVATE|CONCESSION|MOUNTAIN|TUNNEL|HEX|TRAIN|TILE|POINT|PLAYER|PANEL"
EXAMPLES = {
    "A_NUMBER": "25", "A_TURN": "1", "A_ADDRESS": "me@example.org", "A_DATE": "2026-12-20",
    "A_ZONE": "Europe/Zurich",
}  # fmt: skip


def example(kind: str, title: str) -> str:
    """A word of a kind of value, as the title has it."""
    known = names(title)
    of = {
        "A_COMPANY": known.companies, "A_PRIVATE": known.privates, "A_CONCESSION": known.concessions,
        "A_MOUNTAIN": known.mountains, "A_TUNNEL": known.tunnels, "A_HEX": sorted(known.hexes), "A_TRAIN": known.trains,
        "A_TILE": known.tiles, "A_POINT": known.edges, "A_POOL": known.pool, "A_PLAYER": PLAYERS,
        "A_PANEL": [known.incomes(panel) for panel in known.panels],
    }  # fmt: skip
    return EXAMPLES.get(kind) or next(iter(of[kind]))


def filled(text: str, title: str) -> str:
    """``text`` with an example in place of each kind of value."""
    return re.sub(rf"\b({_KINDS})\b", lambda match: example(f"A_{match[1]}", title), text)


def reads(text: str, title: str) -> bool:
    """Also true of a tile that has not such exits: that is no fault of the form."""
    errors = grammar.read(text, names(title), default_actor="Ann").errors
    return all(error.reason in ("exits", "turns") for error in errors)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("most", sampled((2, _FORMS), (2,)))
@pytest.mark.parametrize("title", titles())
def test_every_order_of_every_title_is_shown_when_a_word_is_missing(title: str, most: int) -> None:
    """Each form of the grammar, without each of its keywords in turn. What is shown is an order again."""
    known, grammar_of = names(title), notation(title)
    tried = 0
    for opening in sorted(grammar_of.opening & grammar_of.words.keys() - {"SHOW"}):  # its words are listed
        for form in forms(title, opening)[:most]:
            for place in range(1, len(form)):
                if form[place] not in grammar_of.words:
                    continue
                left = (*form[:place], *form[place + 1 :])
                text = filled(written(left, [None] * len(left), known), title)
                if reads(text, title):
                    continue
                shown = whole_orders(text, known)
                assert shown or len(form) > 10 or text.count("-") > 1, (text, form)
                assert all(reads(filled(one, title), title) for one in shown), (text, shown)
                tried += 1
    assert tried > 20


@pytest.mark.parametrize("title", engine.title_names())
def test_the_forms_of_a_title_can_be_counted(title: str) -> None:
    """Rules that contain each other's alternatives multiply. Without a bound, one wrong word would take for ever."""
    lark = notation(names(title).title).lark
    every = all_forms._expanded(all_forms._rules(lark), "start", ())
    assert 1_000 < sum(1 for _ in islice(every, 20_000)) < 20_000
