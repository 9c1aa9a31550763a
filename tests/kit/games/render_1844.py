"""Games of 1844 for tests of the words, each at a moment worth a look: described positions, and what went on there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import engine
from engine.core.game import Game
from engine.core.ids import PlayerId
from engine.core.state import Round
from engine.titles.t1844.names import SBB_DUE
from tests.kit.games.situations_1844 import Described, Swiss, fresh, situation, swiss


def game_from(position: Swiss, orders: str) -> Game:
    """A game that begins with the position, and goes on with the orders."""
    setup = engine.Setup(tuple(position.state.players), seed="a seed for tests")
    game = Game(position.title, setup, position.state, _kept={0: position.state})
    for order in position.read(orders):
        result = game.submit(order)
        assert not isinstance(result, engine.Refused), f"{order}: {result}"
    return game


def auction() -> Game:
    """Dan is to bid on the second private; the first has become cheaper."""
    text = "Ann: drop\nBob: drop\nCat: drop\nDan: drop\nAnn: bid 15\nBob: drop\nCat: bid 23\nDan: drop\nAnn: drop"
    return game_from(fresh("Ann Bob Cat Dan"), f"{text}\nBob: bid 50\nCat: bid 61")


def _companies(trains: str = "3H", cash: int = 275) -> tuple[Described, ...]:
    """``trains`` and ``cash`` are MOB's."""
    return (
        swiss("NOB", {"Ann": 2, "Cat": 1}, par=90, at="r2c6", cash=40, trains="3H"),
        swiss("GB", {"Bob": 3}, par=60, cash=320, trains="3"),
        swiss("MOB", {"Bob": 4, "Cat": 2}, at="r4c6", cash=cash, pool=1, trains=trains),
        swiss("JN", {"Cat": 3}, par=70, cash=100),
        swiss("RhB", {"Ann": 2, "Bob": 1}, par=100, operated=False),
    )


_OWNERS = {"P2": "Ann", "P4": "Cat", "P7": "Bob", "T1": "Cat", "T2": "Bob", "T3": "Bob", "B1": "Ann"}
_TILES = {"D19": "6#0", "G18": "5#4", "I6": "57#0", "F7": "14#1", "E18": "8#2", "H17": "8#3"}


def stock_debt() -> Game:
    """Bob, who owes for a train, is on turn; something has been bought and sold before."""
    position = situation(
        *_companies(), phase="3", round="SR 4", cash={"Ann": 310, "Bob": 75, "Cat": 20}, debts={"Bob": 27},
        privates=_OWNERS, mountains={"B1": "H7 XM2"}, tunnels={"T2": "J9 X79 2"}, active="B1", tiles=_TILES,
    ).stock("Ann")  # fmt: skip
    return game_from(position, "Ann: buy MOB from pool")


def company_turn() -> Game:
    """GB is on turn with two tunnel certificates of its director to use, and another's power was used before."""
    position = situation(
        *_companies(), phase="3", round="OR 4.1", cash={"Ann": 310, "Bob": 75, "Cat": 20}, privates=_OWNERS,
        mountains={"B1": "H7 XM2"}, tunnels={"T2": "J9 X79 2"}, active="B1", tiles=_TILES,
    ).turn("GB")  # fmt: skip
    return game_from(position, "Cat: use P4")


def help_needed() -> Game:
    """MOB must have a train and cannot pay for it; its director has little, and has sold some shares."""
    position = situation(
        *_companies("", 75), phase="4", round="OR 4.2", cash={"Ann": 310, "Bob": 75, "Cat": 20}, privates=_OWNERS,
        mountains={"B1": "H7 XM2"}, tiles=_TILES,
    ).turn("MOB", "trains")  # fmt: skip
    return game_from(position, "MOB: sell 1 GB")


def formation() -> Game:
    """The last turn of a set has ended, and the SBB is formed."""
    position = situation(
        *_companies(), swiss("VSB", {"Cat": 2}, par=60, cash=30, pool=1), phase="5", round="OR 6.2",
        cash={"Ann": 310, "Bob": 75, "Cat": 20}, privates={"P7": "Bob", "T2": "Bob", "B1": "Ann"},
        mountains={"B1": "H7 XM2"}, tunnels={"T2": "J9 X79 2"}, furka=True, tiles=_TILES, marks={SBB_DUE: True},
    ).turn("MOB", "trains")  # fmt: skip
    return game_from(position, "MOB: done")


def over() -> Game:
    """The end, with a broken bank."""
    position = situation(
        swiss("SBB", {"Ann": (1, 3), "Bob": (2, 0)}, pool=(1, 6), cash=900, trains="SBB5H 8E"),
        swiss("MOB", {"Bob": 5, "Cat": 2}, at="r4c6", cash=75, pool=1, trains="6"),
        phase="7", round="OR 9.3", privates={"T2": "Bob", "B1": "Ann"}, mountains={"B1": "H7 XM2"},
        tunnels={"T2": "J9 X79 2"}, active="B1 T2", furka=True, debts={"Cat": 41}, bank=-300,
    )  # fmt: skip
    position.state = replace(position.state, broke=Round("OR", 9, 1))
    return game_from(position.turn("MOB", "trains"), "MOB: done")


MOMENTS: dict[str, Callable[[], Game]] = {
    "auction": auction,
    "stock": stock_debt,
    "company": company_turn,
    "help": help_needed,
    "formation": formation,
    "over": over,
}


def asked(game: Game) -> PlayerId:
    return game.asked()[0].player if game.asked() else game.state.players[0]
