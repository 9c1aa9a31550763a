"""Does a change of the code change any game? A line for each of many games, which stays as it is for ever.

A line holds digests of what players could see after every order, and of every menu. Two versions of the code play the
same if their lines are the same:

    python -m tools.behaviour > before.txt           # in a checkout of the commit before
    python -m tools.behaviour > after.txt
    diff before.txt after.txt
    python -m tools.behaviour --game 17 > one.txt    # every order of a game, to find the first that differs

The games of chance are in `behaviour_games.txt`, one a line, numbered from 0: title, edition, players, and the options
that are other than in the edition. Add a game at the end; what a line says stays, so that a title or an option that
comes or goes moves no other game. One with a value of an option that became a plain decision since is not played; its
line says so, and their number is told at the end. Their orders are drawn from menus sorted by text, so that a menu may
be listed in another sequence. Records given as files are played as they were.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import engine
from engine import Ask, Game, Refused, Setup
from engine.core import orders as o
from engine.core.agenda import Choice, Exact
from grammar import write
from grammar.vocabulary import Vocabulary
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.records.commands import Illegal, load_record

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
MOST_ORDERS = 2_500
LIST = Path(__file__).with_name("behaviour_games.txt")


@dataclass(frozen=True)
class Table:
    """``options``: those that are other than in the edition."""

    title: str
    edition: str
    players: int
    options: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.title} {self.edition} {self.players}"


def read_tables(text: str) -> tuple[Table, ...]:
    """The games of chance of ``text``, by their numbers."""
    lines = (row.split() for row in text.splitlines())
    return tuple(
        Table(title, edition, int(players), dict(option.split("=", 1) for option in options))
        for title, edition, players, *options in lines
    )


TABLES = read_tables(LIST.read_text(encoding="utf-8"))


def withdrawn() -> tuple[int, ...]:
    """The games of chance with an option that this version of the code does not play any more."""

    def refused(table: Table) -> bool:
        try:
            engine.load_title(table.title, table.edition, table.options)
        except engine.WithdrawnOption:
            return True
        return False

    return tuple(number for number, table in enumerate(TABLES) if refused(table))


def new_game(number: int) -> Game:
    """The beginning of a game of chance."""
    table = TABLES[number]
    own = engine.load_title(table.title, table.edition).options if table.options else {}
    title = engine.load_title(table.title, table.edition, {**own, **table.options})
    return Game.start(title, Setup(NAMES[: table.players], seed=str(number)))


def _size(choice: Choice) -> int:
    """The number of orders of a choice. A range of one order is that order."""
    return 1 if isinstance(choice, Exact) else (choice.high - choice.low) // choice.step + 1


def listed(game: Game, ask: Ask, names: Vocabulary) -> list[tuple[str, Choice]]:
    """The menu of a question with its texts, sorted by them."""

    def text(choice: Choice) -> str:
        if isinstance(choice, Exact):
            return write(choice.order, names)
        first, last = write(choice.sample(0), names), write(choice.sample(_size(choice) - 1), names)
        return first if first == last else f"{first} ... {last}, {choice.step}"

    return sorted(((text(choice), choice) for choice in game.legal(ask.actor)), key=lambda row: row[0])


def drawn(menu: list[tuple[str, Choice]], chance: random.Random) -> o.Order:
    """An order of the menu: now each choice is as likely, now each kind of order, so that rare ones come up. Nobody
    goes bankrupt who can do anything else."""
    found = [choice for _, choice in menu if not isinstance(choice.order, o.Bankrupt)] or [c for _, c in menu]
    if chance.random() < 0.5:
        kind = chance.choice(sorted({type(choice.order).__name__ for choice in found}))
        found = [choice for choice in found if type(choice.order).__name__ == kind]
    choice = found[chance.randrange(len(found))]
    if isinstance(choice, Exact):
        return choice.order
    size = _size(choice)
    return choice.sample(chance.randrange(size) if size > 1 else 0)


def by_chance(number: int) -> Iterator[tuple[str, str, str]]:
    """For each order of a game of chance: its text, the digests of the position after it and of the menus before it.
    ``ValueError`` at once if it cannot be begun."""
    return _by_chance(number, new_game(number))


def _by_chance(number: int, game: Game) -> Iterator[tuple[str, str, str]]:
    chance = random.Random(f"orders {number}")
    names = vocabulary(game.title, game.state.players)
    while not game.finished and len(game.orders) < MOST_ORDERS:
        asks = sorted(game.asked(), key=lambda ask: ask.actor)
        menus = [listed(game, ask, names) for ask in asks]
        order = drawn(menus[chance.randrange(len(menus))], chance)
        result = game.submit(order)
        assert not isinstance(result, Refused), f"game {number}: {order}: {result}"
        seen = "\n".join(f"{ask.actor}: {text}" for ask, menu in zip(asks, menus, strict=True) for text, _ in menu)
        yield f"{order.actor}: {write(order, names)}", game.told_digest(), hashlib.sha256(seen.encode()).hexdigest()


def recorded(record: Game) -> Iterator[tuple[str, str, str]]:
    """The same for the game of a record; of its menus nothing is noted."""
    names = vocabulary(record.title, record.setup.players)
    game = Game.start(record.title, record.setup)
    for order in record.orders:
        game.submit(order)
        yield f"{order.actor}: {write(order, names)}", game.told_digest(), ""


def line(what: int | Path) -> str:
    """The name of the game, the number of its orders, and digests over all positions and over all menus; or why a
    record cannot be played, which other records do not suffer from."""
    try:
        played = recorded(load_record(what).game) if isinstance(what, Path) else by_chance(what)
    except (Illegal, ValueError, OSError) as error:
        return f"{what}: cannot be played: {' '.join(str(error).split())}"
    told, menus, count = hashlib.sha256(), hashlib.sha256(), 0
    for _, position, menu in played:
        told.update(position.encode())
        menus.update(menu.encode())
        count += 1
    name = what.name if isinstance(what, Path) else f"{what}: {TABLES[what]}"
    return f"{name}: {count} orders, positions {told.hexdigest()[:16]}, menus {menus.hexdigest()[:16]}"


def main() -> int:
    """Print the lines."""
    reader = argparse.ArgumentParser(prog="python -m tools.behaviour", description=__doc__)
    reader.add_argument("records", nargs="*", type=Path, help="records to play beside the games of chance")
    reader.add_argument("--games", type=int, default=len(TABLES), help="how many games of chance")
    reader.add_argument("--game", type=int, default=None, help="only this game, order by order")
    reader.add_argument("--title", action="append", default=[], help="only games of this title; may be given again")
    given = reader.parse_args()
    numbers = [n for n, table in enumerate(TABLES[: given.games]) if not given.title or table.title in given.title]
    if given.game is not None:
        for text, position, menu in by_chance(given.game):
            sys.stdout.write(f"{text}  {position[:14]} {menu[:12]}\n")
        return 0
    with ProcessPoolExecutor() as pool:
        for found in pool.map(line, [*numbers, *given.records]):
            sys.stdout.write(f"{found}\n")
            sys.stdout.flush()
    if gone := sorted(set(withdrawn()) & set(numbers)):
        sys.stderr.write(
            f"{len(gone)} games have an option that is withdrawn, and were not played; compare the others\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
