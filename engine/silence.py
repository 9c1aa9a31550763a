"""Silence: the orders that are given for a player who does not answer in time, where the table has agreed on that.

They are no robot's choice: each kind of decision has one rule, which hurts the player least and can be said in a line
(``templates/en/defaults.toml``; ``docs/defaults.md`` lists all with their reasons). The same question in the same
position always has the same default, and it follows from nothing but what the player may know.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from engine.acts.turns import HELP
from engine.core.agenda import Ask
from engine.core.checks import Refused
from engine.core.decide import menu
from engine.core.game import Game
from engine.core.orders import Discard, Done, Drop, Order, Pass, Sell
from engine.core.title import Title
from engine.defaults.common import COMMON, UNKNOWN
from engine.defaults.rule import TURN, Default, DefaultRule, Question, Table
from engine.titles.registry import PACKAGES

FOR: Final = ".for"
"""The suffix of questions that are asked for a company in addition to the player's own question."""
_MOST: Final = 200
"""The most orders that a default course may have; more mean that the defaults never end a turn."""


def default_order(game: Game, ask: Ask) -> Order:
    """The order that is given for a player who does not answer the open question ``ask`` in time. It is legal now. Its
    actor may be another than that of the question, for whom the same player acts in the same decision. ``ValueError``
    for a question that is not open."""
    return default_answer(game, ask).order


def default_key(game: Game, ask: Ask) -> str:
    """The key of the words that say what ``default_order`` does, and of its reason. ``ValueError`` for a question that
    is not open."""
    return default_answer(game, ask).key


def default_answer(game: Game, ask: Ask) -> Default:
    """The order of ``default_order`` with the key of its words. ``ValueError`` for a question that is not open."""
    if ask not in game.asked():
        raise ValueError(f"the question is not open: {ask}")
    title, state = game.title, game.view(ask.player)
    together = _together(game, ask)
    choices = tuple(choice for each in together for choice in menu(title, state, each))
    asked = Question(title, state, together[0], choices, game.orders)
    for rule in default_rules(title).get(together[0].what, UNKNOWN):
        order = rule.choose(asked)
        if order is not None:
            return Default(order, rule.key)
    raise LookupError(f"no default of {title.name} answers {ask}")


def default_course(game: Game, ask: Ask) -> tuple[Default, ...]:
    """All defaults that follow one after another if the player goes on being silent, until his turn or decision is
    over: for a company perhaps its best run, its dividend, the train that it must buy, and the end of its turn. The
    game does not change. ``ValueError`` for a question that is not open."""
    ahead, found = game.fork(), [default_answer(game, ask)]
    while _goes_on(ask, found[-1].order) and len(found) < _MOST:
        result = ahead.submit(found[-1].order)
        if isinstance(result, Refused):
            raise RuntimeError(f"a default is refused: {found[-1]}: {result}")
        following = next((a for a in ahead.asked() if _same_decision(ask, a)), None)
        if following is None:
            break
        found.append(default_answer(ahead, following))
    return tuple(found)


def default_rules(title: Title) -> Table:
    """Kind of decision (``Ask.what``) -> the rules of its default: the first that applies counts. A title that has no
    table of its own has the defaults of shared decisions."""
    return _table(PACKAGES.get(title.name, ""))


@cache
def _table(package: str) -> Table:
    name = f"{package}.defaults"
    try:
        found: Table = import_module(name).DEFAULTS if package else COMMON
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        found = COMMON
    return found


# ---- what belongs together ------------------------------------------------------------------------------------------


def _together(game: Game, ask: Ask) -> tuple[Ask, ...]:
    """The open questions that belong to the same decision of the player, his own or the company's first."""
    if ask.silence is not None:
        return (ask,)
    found = tuple(a for a in game.asked() if a == ask or _belongs(ask, a))
    return tuple(sorted(found, key=lambda a: a.what.endswith(FOR) or a.what == HELP))


def _belongs(ask: Ask, other: Ask) -> bool:
    """True if one is asked for another in whose decision he may act: a company for its president, somebody who may help
    a company for that company."""
    if ask.player != other.player:
        return False
    if HELP in (ask.what, other.what):
        return ask.about[:1] == other.about[:1]
    return ask.what != other.what and ask.what.removesuffix(FOR) == other.what.removesuffix(FOR)


def _same_decision(ask: Ask, other: Ask) -> bool:
    """True if the same player is asked further, for the same actor or in the same company's turn."""
    if ask.player != other.player:
        return False
    return ask.actor == other.actor or _belongs(ask, other) or _turn_of(ask) == _turn_of(other) != ""


def _turn_of(ask: Ask) -> str:
    return ask.about[0] if ask.what.startswith(TURN) else ""


def _goes_on(ask: Ask, order: Order) -> bool:
    """True if the same decision may go on after this order of the player."""
    if ask.what.startswith(TURN):
        return not isinstance(order, Done)
    return not isinstance(order, Pass | Drop) and isinstance(order, Sell | Discard)


__all__ = [
    "Default", "DefaultRule", "default_answer", "default_course", "default_key", "default_order", "default_rules",
]  # fmt: skip
