"""The rules of 18xx railway games: pure, deterministic, and a library of its own.

import engine

title = engine.load_title("1861", edition="v2.0")
game = engine.Game.start(title, engine.Setup(("Ann", "Bob", "Cat"), seed="any text"))
game.asked()                    # whose decision it is, and what about
game.legal(game.asked()[0].actor)
game.submit(engine.orders.Pass(...))
"""

from engine.core import events, orders
from engine.core.agenda import Ask, Exact, Menu, Range
from engine.core.checks import Failure, Refused
from engine.core.game import Game, Setup, digest, replay
from engine.core.state import State
from engine.core.title import Title
from engine.titles import editions, load_title, title_names

__all__ = [
    "Ask", "Exact", "Failure", "Game", "Menu", "Range", "Refused", "Setup", "State", "Title", "digest", "editions",
    "events", "load_title", "orders", "replay", "title_names",
]  # fmt: skip
