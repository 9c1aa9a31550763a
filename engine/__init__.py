"""The rules of 18xx railway games: pure, deterministic, and a library of its own.

Start a game with a title and a setup, and carry it on with orders:

    import engine

    title = engine.load_title("1861", edition="v2.0")
    game = engine.Game.start(title, engine.Setup(("Ann", "Bob", "Cat"), seed="any text"))
    ask = game.asked()[0]                       # who must decide, for whom, and about what
    menu = game.legal(ask.actor)                # every order that is legal now, exact or with a range
    result = game.submit(menu[0].sample(0))     # events, or a Refused, which is false

Contents
    load_title, title_names, editions, changes  titles, their editions and options, and the changes in their rules
    export_facts, compare_facts                 a file in which an owner corrects the board; load_title(facts=...)
    add_title                                   a title of your own, from your own package
    Setup                                       players in seating order, the seed of all lots, the Priority Deal
    Game.start, Game.resume, replay             a new game, a game from a stored position, a game from its orders
    orders                                      every order, as a frozen value
    engine.robots                               players that choose at random, and sensible ones; import it separately

Asking
    game.asked()                                the open questions
    game.legal(actor), game.unasked(player)     the orders that may answer one, and those that need no question
    game.lot(), game.lots_to_come()             what is up for auction, and what may still come up
    game.check(order)                           the events that an order would bring, or a Refused; nothing changes
    game.best_run(company), game.check_run(..)  the best runs with their proof; what given runs would earn
    game.state, game.at(number)                 the position now, and after the first `number` orders
    game.standings(), game.finished             the wealth of each player, best first
    default_order(game, ask)                    the order that is given for a player who does not answer in time
    default_answer, default_course              the same with the key of its words; all until his turn is over

Going on and back
    game.submit(order)                          carry an order out
    game.undo(number)                           back to the position after the first `number` orders
    game.fork()                                 an independent copy of the game
    game.happened(since), game.events(number)   what followed from earlier orders
    game.told_digest(), told, differences       a position as players see it, the same in every version
    write_position, read_position               a position as a line of text, for links and files

A Refused lists every check that failed: ``failure.check``, ``failure.facts``, and ``title.addresses[failure.check]``,
the sections of the rulebook. Names (of companies, hexes, trains) are plain strings at run time; ``engine.ids`` has
their types for static type checkers. ``moderator.library`` reads and writes orders and records as text, and describes
refusals and events in English.
"""

from engine.core import events, ids, orders
from engine.core.agenda import Ask, Exact, Lot, Menu, Range
from engine.core.checks import Failure, Refused
from engine.core.description import differences, told, told_digest
from engine.core.digest import digest
from engine.core.game import Game, replay
from engine.core.setup import Setup
from engine.core.state import State
from engine.core.title import Title
from engine.facts.correction_file import FaultyFacts
from engine.positions import PositionError, read_position, write_position
from engine.silence import (
    Default,
    DefaultRule,
    default_answer,
    default_course,
    default_key,
    default_order,
    default_rules,
)
from engine.titles import (
    add_title,
    changes,
    compare_facts,
    editions,
    export_facts,
    facts_about,
    load_title,
    title_names,
)
from engine.titles.options import WithdrawnOption

__version__ = "1.0.0"

__all__ = [
    "Ask",
    "Default",
    "DefaultRule",
    "Exact",
    "Failure",
    "FaultyFacts",
    "Game",
    "Lot",
    "Menu",
    "PositionError",
    "Range",
    "Refused",
    "Setup",
    "State",
    "Title",
    "WithdrawnOption",
    "__version__",
    "add_title",
    "changes",
    "compare_facts",
    "default_answer",
    "default_course",
    "default_key",
    "default_order",
    "default_rules",
    "differences",
    "digest",
    "editions",
    "events",
    "export_facts",
    "facts_about",
    "ids",
    "load_title",
    "orders",
    "read_position",
    "replay",
    "title_names",
    "told",
    "told_digest",
    "write_position",
]  # fmt: skip
