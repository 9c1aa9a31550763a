"""The defaults of a silent player in a position that a test describes."""

from __future__ import annotations

from engine import Game, Setup
from engine.core import decide as rules
from engine.silence import default_answer, default_course
from tests.kit.games.situations import Played


def default_of(game: Played, actor: str = "") -> str:
    """The default of the question to ``actor``, or of the first one: its key, who acts, and the order as players write
    it: ``buys_train K-R: train 2``."""
    return _told(game, actor)[0]


def defaults_of(game: Played, actor: str = "") -> list[str]:
    """The same for all that follow until the turn or the decision is over."""
    return _told(game, actor, course=True)


def _told(game: Played, actor: str, course: bool = False) -> list[str]:
    ask = next(a for a in rules.asked(game.title, game.state) if actor in ("", a.actor))
    now = Game(game.title, Setup(tuple(game.state.players)), game.state)
    found = default_course(now, ask) if course else (default_answer(now, ask),)
    return [f"{each.key} {each.order.actor}: {game.write(each.order)}" for each in found]
