"""Say what becomes of a company whose turn ends, if that is grave: it leaves the game, or cannot pay its bill."""

from __future__ import annotations

from typing import Final

from engine.core import orders as o
from engine.core.decide import ask_for, asked
from engine.core.events import TurnEnded
from engine.core.secret import NotKnownHere
from engine.core.state import State
from engine.core.title import Play, Title
from moderator.domain.grave import NOTHING, Grave, grave

_MOST_STEPS: Final = 8
"""The maximum number of automatic steps that are followed."""


def after_done(title: Title, state: State, order: o.Done) -> Grave:
    """The grave consequence of the end of the turn, as far as it is settled before any lot is drawn. What follows on
    the end of the turn is not played: it may take long."""
    play, ask = Play(title, state), ask_for(title, state, order.actor)
    if ask is None:
        return NOTHING
    try:
        title.steps[type(state.top)].decide(play, state.top, ask, order)
        for _ in range(0 if play.failures else _MOST_STEPS):
            if asked(title, play.state) or any(isinstance(event, TurnEnded) for event in play.events):
                break
            title.steps[type(play.state.top)].advance(play, play.state.top)
    except NotKnownHere:  # the lot comes after what is told
        pass
    return NOTHING if play.failures else grave(order.actor, play.events)
