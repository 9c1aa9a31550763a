"""Properties that mails of every title hold to, tried in the moments of one of them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import grammar
from engine.core.game import Game
from engine.core.ids import PlayerId
from moderator import render
from moderator.domain.vocabulary import vocabulary
from tests.kit.games.render_games import info
from tests.service.render.test_mails import structure

TRACES = ("{{", "{%", "Undefined", "PlayerId", "None,", " .other", "told.", "more.", "note.")
"""Remains of a template or of a name inside the program."""
DOUBLED = re.compile(r"\b(a|an|the|its)\s+(a|an|the|its)\b|: ?\.(?!\.)")
"""Two articles in a row, or a list that ends before it begins."""


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


def example_of(text: str) -> list[str]:
    """The lines of the suggested answer of a turn mail."""
    block = text.partition("ANSWER LIKE THIS, without the bars\n")[2].partition("\n\n")[0]
    return [line[2:] for line in block.splitlines() if line.startswith("| ")]


def example_can_be_carried_out(game: Game, text: str) -> None:
    reading = grammar.read("\n".join(example_of(text)), vocabulary(game.title, game.state.players))
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
