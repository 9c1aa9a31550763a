"""The next stage of a company's turn in which it can do something."""

from __future__ import annotations

from engine.acts.act import Turn
from engine.acts.turns import Turns
from engine.core.agenda import Menu
from engine.core.orders import Done
from engine.core.state import State
from engine.core.title import Title


def next_stage(title: Title, state: State, menu: Menu) -> str | None:
    """The first stage that has an order in ``menu`` which can be given in that stage alone; "" if the turn can only be
    ended, None if it is no turn or no such order is legal."""
    turn = state.top if state.agenda else None
    step = title.steps[type(turn)] if turn is not None else None
    if not isinstance(turn, Turn) or not isinstance(step, Turns):
        return None
    kinds = {type(choice.order) for choice in menu} - {Done}
    if not kinds:
        return ""
    stages = {place.first for place in step.places if place.first == place.last and kinds & set(place.act.takes)}
    return next((stage for stage in step.stages if stage in stages and not step.is_past(turn, stage)), None)
