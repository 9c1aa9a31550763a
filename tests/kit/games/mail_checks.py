"""Properties that mails of every title hold to, tried in the moments of one of them."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import grammar
from engine.core.game import Game
from engine.core.ids import PlayerId
from moderator import render
from moderator.domain.vocabulary import vocabulary
from tests.kit.games.render_games import info

TRACES = ("{{", "{%", "Undefined", "PlayerId", "None,", " .other", "told.", "more.", "note.")
"""Remains of a template or of a name inside the program."""
DOUBLED = re.compile(r"\b(a|an|the|its)\s+(a|an|the|its)\b|: ?\.(?!\.)")
"""Two articles in a row, or a list that ends before it begins."""


VOID = {"meta", "br", "img"}
OWN_LINK: Final = "mailto:railpost%2B"
"""The beginning of a link to an answer: it opens a mail to the seat's own address."""


class Structure(HTMLParser):
    """Checks that tags are closed in order, and collects text and addresses of anything external."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.external: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        named = [v or "" for k, v in attrs if k in ("src", "href", "action", "background")]
        own = "cid:picture-" if tag == "img" else OWN_LINK
        self.external += [name for name in named if not name.startswith(own)]

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def structure(html: str) -> Structure:
    parser = Structure()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


def lines_are_short_and_whole(game: Game, id: str) -> None:
    """No line of a seat's mails is too long for a telephone, and nothing of the program shows."""
    for seat in game.state.players:
        about = info(game, seat, id=id)
        for name, mail in {
            "turn": render.turn_mail(game, about, seat, 0),
            "help": render.help_mail(game, about, seat),
            "welcome": render.welcome_mail(game, about, seat),
        }.items():
            lines = [line for line in mail.text.splitlines() if not line.startswith("| ")]
            assert [x for x in lines if len(x) > 78 and "@" not in x and "5e5e" not in x] == [], name
            assert structure(mail.html).external == [], name
            assert DOUBLED.search(mail.text) is None, name
            for trace in TRACES:
                assert trace not in (mail.text + mail.html).replace("show more.", ""), (name, trace)


def examples_of(text: str) -> list[str]:
    """The suggested answers of a turn mail to its first question, without their bars."""
    block = text.partition("ANSWER LIKE THIS, for example, without the bars\n")[2].partition("\n\n")[0]
    answers = block.split("\nor\n")
    return ["\n".join(line[2:] for line in each.splitlines() if line.startswith("| ")) for each in answers if each]


def example_can_be_carried_out(game: Game, text: str) -> None:
    first = game.asked()[0].player
    for example in examples_of(text):
        reading = grammar.read(example, vocabulary(game.title, game.state.players), default_actor=first)
        assert reading.orders and reading.errors == ()
        assert game.check(reading.orders[0])


def orders_of_help_can_be_read(game: Game, seat: PlayerId, actor: str, least: int) -> None:
    """Each order of the help page is one order, and there are more than ``least``."""
    text = render.help_mail(game, info(game, seat), seat).text
    names = vocabulary(game.title, game.state.players)
    block = text[text.index("ORDERS, one to a line") : text.index("WORDS for the moderator")]
    given = [line[2:] for line in block.splitlines() if line.startswith("| ")]
    assert len(given) > least
    for line in given:
        reading = grammar.read(line, names, default_actor=actor)
        assert (len(reading.orders), reading.errors) == (1, ()), line


def as_approved(path: Path, text: str) -> None:
    """``RAILPOST_APPROVE=1`` writes the mail anew; read the difference before it is kept."""
    if os.environ.get("RAILPOST_APPROVE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
