"""Say what the lays and markers of the suggested answers make of the best run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from engine.core import orders as o
from engine.core.agenda import Ask
from engine.core.checks import Refused
from engine.core.decide import decide_to_state
from engine.core.events import DestinationReached
from engine.core.game import Game
from engine.core.ids import CompanyId
from grammar import write
from moderator.domain.vocabulary import vocabulary
from moderator.words.question.answers import BEFORE_RUN, Answer
from moderator.words.question.best_run import best_now
from moderator.words.texts import Words


def gains(own: Words, game: Game, ask: Ask, given: Sequence[Answer]) -> str:
    """A sentence on the best run after the lays and markers with which answers begin, and on how much more that is; ""
    if no answer in ``given`` has both these and a run. Each run is found with little work."""
    begun = dict.fromkeys(
        tuple(takewhile(lambda order: isinstance(order, BEFORE_RUN), answer.orders))
        for answer in given
        if any(isinstance(order, o.RunBest) for order in answer.orders)
    )
    told = [found for orders in begun if orders and (found := _gain(game, CompanyId(ask.actor), orders)) is not None]
    return own.say("words", "gain", title=game.title, gains=told) if told else ""


def _gain(game: Game, company: CompanyId, orders: Sequence[o.Order]) -> tuple[str, int, int | None, int] | None:
    """The orders, the value of the best run after them, and how much more that is than without them: None if one of the
    two runs is not proven. Then what the company is paid for its destination. None for orders that cannot be played."""
    title, state, names = game.title, game.state, vocabulary(game.title)
    before, bonus = best_now(title, state, company), 0
    for order in orders:
        played = decide_to_state(title, state, order)
        if isinstance(played, Refused):
            return None
        state = played.state
        reached = (event for event in played.events if isinstance(event, DestinationReached))
        bonus += sum(event.amount for event in reached if event.company == company)
    after = best_now(title, state, company)
    proven = before.value == before.bound and after.value == after.bound
    text = "; ".join(write(order, names) for order in orders)
    return text, after.value, after.value - before.value if proven else None, bonus
