"""Say what the orders of the suggested answers cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core import orders as o
from engine.core.agenda import Exact, Menu
from engine.core.decide import decide_to_state
from engine.core.game import Game
from engine.core.state import State
from engine.core.title import Play
from grammar import write
from moderator.domain.vocabulary import vocabulary
from moderator.words.question.answers import Answer
from moderator.words.question.notes import note
from moderator.words.texts import Words

_COSTLY: Final = (o.Tunnel, o.Token, o.Train, o.Float, o.Start)
"""Kinds of orders that cost money, or bind it, and are told; the list of lays has their costs."""


def costs(own: Words, game: Game, legal: Menu, given: Sequence[Answer]) -> str:
    """The orders of answers that cost money, or bind it, with their notes. Several starts of companies say their
    prices."""
    found = [one for answer in given for one in _costly(game, answer)]
    starts = len({text for text, order, *_ in found if isinstance(order, o.Start)})
    offered = {choice.sample(0): choice for choice in legal if isinstance(choice.order, _COSTLY)}
    told = dict[str, dict[str, str]]()
    for text, order, state, before in found:
        if starts < 2 or not isinstance(order, o.Start):
            what = note(own, game.title, state, offered.get(order, Exact(order)))
            if what:
                told.setdefault(text, {}).setdefault(what, before)
    said = [
        own.say("words", "paying", title=game.title, order=text, notes=tuple(sorted(notes.items(), key=_is_later)))
        for text, notes in told.items()
    ]
    return "; ".join(said) + "." if said else ""


def _is_later(noted: tuple[str, str]) -> bool:
    """True of the note for an order that others come before."""
    return bool(noted[1])


def _costly(game: Game, answer: Answer) -> Iterator[tuple[str, o.Order, State, str]]:
    """The costly orders of ``answer``, each with the position in which it is given and the orders before it, up to a
    run."""
    state, title, before = game.state, game.title, list[str]()
    last = max((n for n, order in enumerate(answer.orders) if isinstance(order, _COSTLY)), default=-1)
    for order in answer.orders[: last + 1]:
        if isinstance(order, _COSTLY) and (answer.several or not isinstance(order, o.Token)):
            yield write(order, vocabulary(title)), order, state, "; ".join(before)
        played = None if isinstance(order, o.RunBest | o.Run) else decide_to_state(title, state, order)
        if not isinstance(played, Play):
            return
        state = played.state
        before.append(write(order, vocabulary(title)))
