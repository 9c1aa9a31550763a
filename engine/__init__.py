"""The rules of 18xx railway games: pure, deterministic, and a library of its own.

    import engine

    title = engine.load_title("1861", edition="v2.0")
    game = engine.Game.start(title, engine.Setup(("Ann", "Bob", "Cat"), seed="any text"))
    ask = game.asked()[0]                      # whose decision it is, and what about
    game.legal(ask.actor)                      # what may be answered
    game.check(order)                          # what it would bring, or every reason against it
    game.submit(engine.orders.Pass(ask.actor)) # carry it out
    game.best_run("N")                         # the best runs of a company, with their proof
    game.told_digest()                         # digest of what players see: the same in every version
    engine.Game.resume(title, setup, orders, state)  # go on from a stored position (engine.core.snapshot)

Names are plain strings at run time; ``engine.ids`` has their types for those who check theirs.
"""

from engine.core import events, ids, orders
from engine.core.agenda import Ask, Exact, Menu, Range
from engine.core.checks import Failure, Refused
from engine.core.game import Game, Setup, digest, replay
from engine.core.state import State
from engine.core.title import Title
from engine.core.told import differences, told, told_digest
from engine.titles import changes, editions, load_title, title_names

__all__ = [
    "Ask", "Exact", "Failure", "Game", "Menu", "Range", "Refused", "Setup", "State", "Title", "changes", "differences",
    "digest", "editions", "events", "ids", "load_title", "orders", "replay", "title_names", "told", "told_digest",
]  # fmt: skip
