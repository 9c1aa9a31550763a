"""Games of the plain player of 1863: what happens in them, and the runs of their later phases."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import engine
from engine.board.board import Board
from engine.core import events as ev
from engine.core.orders import Open, Order, RunBest
from engine.robots import sensible
from engine.routes.reach import RunTraits

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")
MOST_ORDERS = 6_000
LATE = ("III", "IV", "V")


@dataclass
class Course:
    """The course of a game. ``began``: set of rounds in which each later phase began. ``ended``: reason of the end."""

    game: engine.Game
    counts: Counter[str] = field(default_factory=Counter)
    began: dict[str, int] = field(default_factory=dict)
    ended: str = ""

    def note(self, events: tuple[ev.Event, ...]) -> None:
        for event in events:
            match event:
                case ev.TrainMoved(_, "Bank", target) if target:
                    self.counts["trains sold"] += 1
                case ev.Merged(companies):
                    self.counts["merged"] += len(companies) - 1
                case ev.Liquidated():
                    self.counts["liquidated"] += 1
                case ev.Nationalised(name) if name in self.game.title.companies:
                    self.counts["taken by the LPTB"] += 1
                case ev.Resigned():
                    self.counts["bankrupt"] += 1
                case ev.PhaseBegan(phase):
                    self.began[phase] = self.game.state.round.set
                case ev.GameOver(_, reason):
                    self.ended = reason
                case _:
                    pass


def begun(edition: str, players: int, seed: str) -> engine.Game:
    return engine.Game.start(engine.load_title("1863", edition=edition), engine.Setup(NAMES[:players], seed=seed))


def orders_of(game: engine.Game) -> Iterator[Order]:
    """The orders of the plain player, each to be submitted before the next is asked for. Where he opens the bidding on
    a private, chance decides on which, so that each seed has a game of its own: the seed alone decides only which
    privates are left out, and with five or six players none are."""
    chance = random.Random(game.setup.seed)
    while not game.finished and len(game.orders) < MOST_ORDERS:
        ask = game.asked()[0]
        order = sensible(game, ask)
        if isinstance(order, Open):
            order = chance.choice(
                [choice.order for choice in game.legal(order.actor) if isinstance(choice.order, Open)]
            )
        yield order


def course(edition: str, players: int, seed: str) -> Course:
    """A whole game of plain players."""
    found = Course(begun(edition, players, seed))
    for order in orders_of(found.game):
        events = found.game.submit(order)
        assert not isinstance(events, engine.Refused), events
        found.note(events)
    return found


def late_runs(edition: str, players: int, seed: str) -> Iterator[tuple[Board, RunTraits]]:
    """The board, with nothing kept of it, and the trains of each run from phase III on."""
    game = begun(edition, players, seed)
    for order in orders_of(game):
        state = game.state
        if isinstance(order, RunBest) and state.phase in LATE:
            yield replace(state.board), game.title.policies.run_traits(game.title, state, order.actor)
        assert game.submit(order)
