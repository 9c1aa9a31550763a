"""Say which orders of a menu end the turn."""

from __future__ import annotations

from engine.acts.act import Turn
from engine.acts.player.turns import PlayerTurns
from engine.acts.turns import Turns
from engine.core.orders import Done, Order, Pass
from engine.core.state import State
from engine.core.title import Title
from moderator.words.texts import Words


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
