"""Say which trains an order makes companies discard, because they are then over their train limit."""

from __future__ import annotations

from typing import Final

from engine.core import events as ev
from engine.core import orders as o
from engine.core.checks import Refused
from engine.core.decide import asked, decide_to_state
from engine.core.decide import menu as menu_of
from engine.core.secret import NotKnownHere
from engine.core.state import State
from engine.core.title import Title
from moderator.words.position.over_limit import Over, over_limit
from moderator.words.texts import Words

_MOST: Final = 12
"""The maximum number of consents, or of others who leave an auction, that are followed."""


def discards(own: Words, title: Title, over: Over) -> str:
    """The trains that companies must discard, as a clause; "" if none must."""
    return own.say("words", "discards", title=title, over=over) if over else ""


def discards_after(own: Words, title: Title, state: State, order: o.Order) -> str:
    """A clause on the trains that companies must discard after ``order``, if all who are asked agree to it, or leave
    the auction in which it bids; "" if none must or nobody knows."""
    try:
        return discards(own, title, _tried(title, state, order))
    except NotKnownHere:  # a lot, or something sealed, comes first
        return ""


def _tried(title: Title, state: State, order: o.Order) -> Over:
    played, events = decide_to_state(title, state, order), list[ev.Event]()
    for _ in range(_MOST):
        if isinstance(played, Refused):
            return ()
        events += played.events
        now, trade = played.state, isinstance(order, o.Train) and order.trade is not None
        yields = None if any(isinstance(event, ev.Won) for event in events) else _yielding(title, now)
        if yields is None:
            given = (event for event in events if not (trade and getattr(event, "source", "") == order.actor))
            return over_limit(title, state, given, now)
        played = decide_to_state(title, now, yields)
    return ()


def _yielding(title: Title, state: State) -> o.Order | None:
    """The consent, or the end of bidding, that is asked for next; None if something else is asked."""
    ask = next(iter(asked(title, state)), None)
    orders = () if ask is None else tuple(choice.order for choice in menu_of(title, state, ask))
    return next((order for order in orders if isinstance(order, o.Agree | o.Drop)), None)
