"""Say which lays and markers oblige a company to buy a train that it need not buy now."""

from __future__ import annotations

from engine.acts.act import Turn
from engine.acts.buy_train import BuyTrains
from engine.acts.turns import HELP, Turns
from engine.core import orders as o
from engine.core.agenda import Ask, Exact, Menu
from engine.core.checks import Refused
from engine.core.decide import decide_to_state
from engine.core.ids import HexId
from engine.core.state import State
from engine.core.title import Title
from moderator.words.texts import Words

_MOST_TRIED = 200
"""The maximum number of orders that are tried: half a second at most."""


def train_duty(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> str:
    """A sentence on the hexes of lays and markers in ``menu`` that bring the company the duty to buy a train, and on
    the duty; "" if none does, or if the company has the duty already."""
    turn = state.top if state.agenda else None
    if not isinstance(turn, Turn) or ask.actor != turn.company or ask.what == HELP:
        return ""
    if state.companies[turn.company].trains or _is_due(title, state):
        return ""
    orders = [c.order for c in menu if isinstance(c, Exact) and isinstance(c.order, o.Lay | o.Token)][:_MOST_TRIED]
    brought: dict[tuple[type[o.Order], HexId], State] = {}
    for order in orders:
        played = decide_to_state(title, state, order)
        if not isinstance(played, Refused) and _is_due(title, played.state):
            brought.setdefault(_place(order), played.state)
    if not brought:
        return ""
    lays, markers = (tuple(hex for kind, hex in brought if kind is which) for which in (o.Lay, o.Token))
    after = next(iter(brought.values()))
    facts = {**title.policies.remarks(title, after, turn.company), "company": turn.company}
    duty = own.say("words", "must_buy", title=title, **facts)
    every = len(brought) == len({_place(order) for order in orders})
    return own.say(
        "words", "train_duty", title=title, company=turn.company, lays=lays, markers=markers, duty=duty, every=every
    )


def _place(order: o.Lay | o.Token) -> tuple[type[o.Order], HexId]:
    return type(order), order.hex if isinstance(order, o.Lay) else order.space.hex


def _is_due(title: Title, state: State) -> bool:
    """True if the company in its turn may not end it without a train."""
    turn = state.top if state.agenda else None
    step = title.steps[type(turn)] if turn is not None else None
    if not isinstance(turn, Turn) or not isinstance(step, Turns):
        return False
    buying = [
        place.act for place in step.places if isinstance(place.act, BuyTrains) and not step.is_past(turn, place.last)
    ]
    return any(
        act.due(title, state, turn) is not None for act in buying if act.bars(title, state, turn.company) is None
    )
