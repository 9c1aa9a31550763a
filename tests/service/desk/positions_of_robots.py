"""Positions of games that robots play, of each title and edition, and orders to be tried on them, legal or not."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import engine
from engine import Game, Setup
from engine.core.agenda import Choice, Range
from engine.core.ids import Actor
from engine.core.orders import Order
from engine.positions import write_position
from engine.robots import random_order, sensible
from grammar import write
from moderator.desk.talk import Talk
from moderator.domain.vocabulary import vocabulary
from tests.kit.titles import TITLES

EDITIONS: Final = [(title, edition) for title in TITLES for edition in engine.editions(title)]
PLAYERS: Final = ("Ann", "Bob", "Cat")
_APART: Final = 17
"""The number of orders between two positions."""


@dataclass(frozen=True)
class Asked:
    """A question in a position. ``others``: orders of other moments, which are seldom legal now."""

    game: Game
    seat: str
    actor: Actor
    others: tuple[Order, ...]

    @property
    def position(self) -> str:
        return write_position(self.game, self.seat)

    def texts(self, chance: random.Random, number: int) -> Iterator[str]:
        """``number`` orders as text, about half of them legal."""
        names = vocabulary(self.game.title)
        menu = self.game.legal(self.actor)
        for at in range(number):
            if at % 2 and self.others:
                order = chance.choice(self.others)
            else:
                order = chance.choice(menu).sample(chance.randrange(20))
            yield f"{self.actor}: {write(order, names)}"


def positions(title: str, edition: str, number: int, seed: str = "desk") -> list[Asked]:
    """``number`` positions, of one game or of several."""
    chance = random.Random(f"{title}{edition}{seed}")
    found: list[Asked] = []
    others: list[Order] = []
    while len(found) < number:
        setup = Setup(PLAYERS, seed=f"{seed}{len(found)}")
        game = Game.start(engine.load_title(title, edition), setup)
        while not game.finished and len(found) < number:
            ask = game.asked()[0]
            if len(game.orders) % _APART == _APART - 1:
                kept = tuple(chance.sample(others, min(40, len(others))))
                found.append(Asked(game.fork(), ask.player, ask.actor, kept))
            order = sensible(game, ask) if chance.random() < 0.8 else random_order(game, ask, chance)
            if write(order, vocabulary(game.title)):
                others.append(order)
            game.submit(order)
    return found


class Page:
    """The talk of the page, and all that was asked and answered."""

    def __init__(self) -> None:
        self._talk = Talk()
        self.record: list[tuple[str, str]] = []

    def ask(self, name: str, **given: Any) -> Any:
        request = json.dumps({"do": name, "with": given})
        answer = self._talk.answer(request)
        self.record.append((request, answer))
        return json.loads(answer)

    def menu(self, asked: dict[str, Any]) -> list[str]:
        """The whole menu of a question, from all parts of the page: the orders, with the range of a number."""
        actor, found = asked["actor"], list[str]()
        for group in asked["groups"]:
            for line in group["lines"]:
                range = line.get("range")
                found.append(line["order"] + (f" {range['low']}-{range['high']}/{range['step']}" if range else ""))
        for hex, about in asked["hexes"].items():
            if "lay" in about["kinds"]:
                found += [lay["order"] for lay in self.ask("lays", actor=actor, hex=hex)]
        return sorted(found)


def menu_of(game: Game, actor: Actor) -> list[str]:
    """The menu of the rules, in the same form."""
    return sorted(_row(game, choice) for choice in game.legal(actor))


def _row(game: Game, choice: Choice) -> str:
    row = write(choice.sample(0), vocabulary(game.title))
    if isinstance(choice, Range) and choice.low != choice.high:
        row += f" {choice.low}-{choice.high}/{choice.step}"
    return row
