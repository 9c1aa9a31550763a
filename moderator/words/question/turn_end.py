"""Say which orders of a menu end the turn, and what the end of a turn costs a company."""

from __future__ import annotations

from typing import Final

from engine.acts.act import Turn
from engine.acts.player.turns import PlayerTurns
from engine.acts.turns import Turns
from engine.core.decide import ask_for, asked
from engine.core.events import TurnEnded
from engine.core.orders import Done, Order, Pass
from engine.core.secret import NotKnownHere
from engine.core.state import State
from engine.core.title import Play, Title
from moderator.domain.consequence import NOTHING, Grave, grave
from moderator.words.texts import Words

_MOST_STEPS: Final = 8
"""The maximum number of automatic steps that are followed."""


def ends_turn(own: Words, title: Title, state: State, order: Order) -> str:
    """A remark on the orders of this kind if they end the turn, although their name does not say so, and on what the
    player decides before that; "" otherwise."""
    if isinstance(order, Done | Pass) or not state.agenda:
        return ""
    step, turn = title.steps[type(state.top)], state.top
    if isinstance(step, PlayerTurns):
        ends = any(row.act.ends for row in step.rows if isinstance(order, row.act.takes))
        first = own.word(f"ends_after.{type(order).__name__}", "", title.name)
        return own.say("words", "ends_turn", title=title, company=None, first=first) if ends else ""
    if not isinstance(step, Turns) or not isinstance(turn, Turn):
        return ""
    ends = any(place.act.ends for place in step.places if isinstance(order, place.act.takes))
    return own.say("words", "ends_turn", title=title, company=turn.company, first="") if ends else ""


def after_done(title: Title, state: State, order: Done) -> Grave:
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
