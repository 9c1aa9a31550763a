"""Everything that a mail suggests is played: the block under ANSWER LIKE THIS, and each order that a menu lists."""

from __future__ import annotations

import html
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from urllib.parse import unquote

import pytest

import engine
from engine import Ask, Game, Setup
from engine.robots import random_order, sensible
from grammar import read
from moderator import render
from moderator.domain.asks import asks_of
from moderator.domain.block import Block, play_block
from moderator.domain.fork import Fork
from moderator.domain.vocabulary import vocabulary
from moderator.words.text import MARK
from tests.kit.games.render_games import info
from tests.kit.samples import prove

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus")
SAMPLE = [
    ("1861", "2020", 3, 2),
    prove(("1844", "rulebook", 4, 3)),
    ("1863", "historical", 4, 4),
]
GAMES, PORTION = 50, 5
MOST = 1_500
SHOWN, SELDOM = 0.25, 0.06
"""The mails of so many positions are looked at: in the long proof, and in the sample."""
SENSIBLE = 0.6
RANGE = re.compile(r"// ([\d,]+) to ([\d,]+)(?: (tokens))?")
"""The bounds of a number, beside an order of a menu that has the least of them: both are played."""
LONGEST_GROUP = 12
"""Of a longer list of one kind so many are played."""


ALLOWED = re.compile(
    r"mailto:[\w.%-]+@[\w.-]+\?subject=(?:[\w.~/-]|%[0-9A-F]{2})+&body=(?:[\w.~,/:;-]|%(?:20|0D%0A|2B|26|[89A-F][0-9A-F]))+"
)
"""A link as RFC 6068 has it. Its body has only letters, digits and what mail programs leave alone."""


def body_of(link: str) -> str:
    """The text with which a mail program opens a link."""
    return unquote(link.partition("&body=")[2]).replace("\r\n", "\n")


class Suggested:
    """The suggestions of one turn mail: blocks of orders as a player may send them."""

    def __init__(self, game: Game, player: str) -> None:
        mail = render.turn_mail(game, info(game, player), engine.ids.PlayerId(player), len(game.orders))
        self.lines = [line.rstrip() for line in mail.text.splitlines()]
        self.links = [html.unescape(link) for link in re.findall(r'class="button" href="([^"]*)"', mail.html)]

    def blocks(self) -> Iterator[str]:
        """The answers as they stand in the text, and those of the links."""
        for number, line in enumerate(self.lines):
            if line.startswith("ANSWER LIKE THIS"):
                yield from "\n".join(self._barred(number + 1)).split("\nor\n")
        for link in self.links:
            assert ALLOWED.fullmatch(link), link
            yield body_of(link)

    def orders(self) -> Iterator[tuple[str, str]]:
        """The actor of each menu, with a line of it."""
        for number, line in enumerate(self.lines):
            if line.startswith("WHAT IS LEGAL NOW"):
                actor = line.removeprefix("WHAT IS LEGAL NOW").removeprefix(" for ").strip()
                for listed in self._menu(number + 1):
                    yield actor, listed

    def _menu(self, start: int) -> Iterator[str]:
        """The orders with their notes, which may go on in the next line."""
        found = list[str]()
        for line in self._section(start):
            if line.startswith(f"{MARK}    // "):
                found[-1] += line.removeprefix(f"{MARK}   ")
            elif line.startswith(MARK):
                found.append(line.removeprefix(MARK))
        yield from found

    def _barred(self, start: int) -> Iterator[str]:
        for line in self.lines[start:]:
            if not line.startswith(MARK) and line != "or":
                return
            yield line.removeprefix(MARK)

    def _section(self, start: int) -> Iterator[str]:
        for line in self.lines[start:]:
            if line and line == line.upper() and not line.startswith(MARK):
                return
            if re.match(r"[A-Z]{3,}[ ,A-Z]*( for|$)", line):
                return
            yield line


def sent(game: Game, player: str, text: str) -> Block:
    """The outcome of ``text`` from ``player``, in a copy of the position."""
    asks = asks_of(game, player)
    default = asks[0].actor if len(asks) == 1 else None
    reading = read(text, vocabulary(game.title, game.state.players), default_actor=default)
    return play_block(Fork(game), player, reading, text, partial=False)


def refusals(game: Game, player: str, text: str) -> str:
    """Why ``text`` is not carried out; empty if it is."""
    block = sent(game, player, text)
    limit = re.match(r"(?:\w+: )?limit ", text) is not None  # it is kept first, and bids then
    if block.stands and any(line.verdict in ("accepted", "sealed", "held" if limit else "") for line in block.lines):
        return ""
    return f"{player}, order {len(game.orders)}: {text!r}: " + "; ".join(
        f"{line.verdict} {line.failures} {line.unreadable}" for line in block.lines
    )


def with_most(line: str) -> Iterator[str]:
    """A menu's line with the highest number in the place of the least, where it has bounds."""
    if bounds := RANGE.search(line):
        order, (least, most, noun) = line[: bounds.start()], bounds.groups()
        if noun:
            yield order.replace(f"{noun} {least}", f"{noun} {most}")
            return
        before, found, after = order.rpartition(f" {least} ")
        yield f"{before} {most} {after}" if found else f"{order} {most}"


def try_all(game: Game, ask: Ask, chance: random.Random) -> Counter[str]:
    """Carry out all that the mail to ``ask.player`` suggests, each in a copy of the position; how much there was."""
    mail, count = Suggested(game, ask.player), Counter[str]()
    for block in mail.blocks():
        assert (why := refusals(game, ask.player, block)) == "", why
        played = sent(game, ask.player, block)
        over = ("done",) if any(key == "done.not_needed" for key, _ in played.notes) else ()  # the turn ended by itself
        left = [line.text for line in played.lines if line.verdict in ("held", "lapsed") and line.text not in over]
        assert not left, f"{block}: {left}"
        count["blocks"] += 1
    listed = list(mail.orders())
    for actor, line in chance.sample(listed, min(len(listed), LONGEST_GROUP)):
        headed = re.match(r"[^ :]+: ", line)  # what may come at any moment says whose it is
        text = f"{actor}: {line}" if actor and not headed else line
        for one in (text, *with_most(text)):
            assert (why := refusals(game, ask.player, one)) == "", why
            count["orders"] += 1
    return count


def play(name: str, edition: str, players: int, seed: int, shown: float) -> Counter[str]:
    """One game of chance and sense."""
    chance, count = random.Random(seed), Counter[str]()
    title = engine.load_title(name, edition=edition)
    game = Game.start(title, Setup(NAMES[:players], seed=str(seed)))
    while not game.finished and len(game.orders) < MOST:
        ask = chance.choice(game.asked())
        if chance.random() < shown:
            count += try_all(game, ask, chance)
        try:
            order = sensible(game, ask) if chance.random() < SENSIBLE else random_order(game, ask, chance)
        except AssertionError:  # where the sensible player is at a loss
            order = random_order(game, ask, chance)
        assert not isinstance(game.submit(order), engine.Refused)
    return count


def everywhere(name: str, first: int, number: int) -> Iterator[tuple[str, str, int, int]]:
    """Games of one title over all editions and numbers of players, in turn."""
    kinds = [
        (name, edition, players)
        for edition in engine.editions(name)
        for players in sorted(engine.load_title(name, edition=edition).table)
    ]
    for seed in range(first, first + number):
        yield (*kinds[seed * 5 % len(kinds)], seed)


@pytest.mark.parametrize(("name", "edition", "players", "seed"), SAMPLE)
def test_what_a_mail_suggests_is_carried_out(name: str, edition: str, players: int, seed: int) -> None:
    count = play(name, edition, players, seed, SELDOM)
    assert count["blocks"] > 10 and count["orders"] > 40, count


@pytest.mark.prove
@pytest.mark.parametrize("name", engine.title_names())
@pytest.mark.parametrize("first", range(0, GAMES, PORTION))
def test_what_mails_suggest_in_fifty_games(name: str, first: int) -> None:
    count = Counter[str]()
    for table in everywhere(name, first, PORTION):
        count += play(*table, SHOWN)
    sys.stdout.write(f"{name}, seeds {first} to {first + PORTION - 1}: {dict(sorted(count.items()))}\n")
    assert count["blocks"] > 100
