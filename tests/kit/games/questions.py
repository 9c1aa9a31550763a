"""Positions of plain games in which a question is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import engine
from engine import Game, Setup, State
from engine.core.agenda import Ask
from engine.robots import sensible

_LONGEST = 900
"""Orders of a game; each question that a plain game has comes up before."""


@dataclass(frozen=True)
class Asked:
    """A position, and the first of its questions."""

    state: State
    ask: Ask


@cache
def _begun(title: str) -> tuple[Game, list[Asked]]:
    setup = Setup(("Ann", "Bob", "Cat"), seed="plain", priority="Ann")
    return Game.start(engine.load_title(title), setup), []


def questions(title: str) -> Iterator[Asked]:
    """The positions of one plain game of three players, from the first; they are played once."""
    game, found = _begun(title)
    number = 0
    while True:
        if number == len(found):
            if game.finished or len(found) >= _LONGEST:
                return
            ask = game.asked()[0]
            found.append(Asked(game.state, ask))
            assert game.submit(sensible(game, ask))
        yield found[number]
        number += 1


def asked(title: str, what: str, fits: Callable[[Asked], bool] = lambda _: True) -> Asked:
    """The first position in which ``what`` is asked and that ``fits``."""
    return next(one for one in questions(title) if one.ask.what == what and fits(one))
