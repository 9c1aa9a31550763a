"""``decide`` takes a position and an order, and returns the events that follow or every reason against the order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

from engine.core.agenda import Ask, Menu
from engine.core.answer_cache import lately
from engine.core.checks import Failure, Refused
from engine.core.events import Event
from engine.core.ids import Actor
from engine.core.orders import Order
from engine.core.secret import NotKnownHere
from engine.core.state import State
from engine.core.title import Play, Priced, Title

_MOST_STEPS = 10_000
"""The most automatic steps between two questions; more mean that a step never ends."""


@lately(64)  # the end of a decision, descriptions of the position and its digest all need it
def asked(title: Title, state: State) -> tuple[Ask, ...]:
    """The open questions; empty only if the game is over."""
    return () if state.finished else title.steps[type(state.top)].asked(title, state, state.top)


@lately(8)  # a mail, its suggestions and the text of the position all need it
def menu(title: Title, state: State, ask: Ask) -> Menu:
    """The possible answers to ``ask``."""
    return title.steps[type(state.top)].menu(title, state, state.top, ask)


def cost(title: Title, state: State, order: Order) -> int | None:
    """The cost of the order to its actor if it is given now; None if it has no price."""
    step: Any = title.steps[type(state.top)]
    kind: type = type(step)
    found: int | None = step.cost(title, state, state.top, order) if _has_prices(kind) else None
    return found


@cache
def _has_prices(kind: type) -> bool:
    """True if orders of this kind of step have prices. Cached, because checking a protocol is slow."""
    return issubclass(kind, Priced)


def ask_for(title: Title, state: State, actor: Actor) -> Ask | None:
    """The open question that ``actor`` has to answer; None if there is none."""
    return next((a for a in asked(title, state) if a.actor == actor), None)


def decide(title: Title, state: State, order: Order) -> Refused | tuple[Event, ...]:
    """The events that follow from ``order``, up to the next question, or the reasons why it is refused."""
    played = decide_to_state(title, state, order)
    return played if isinstance(played, Refused) else tuple(played.events)


@lately(128)  # parts of a mail try the same orders, and read the same past order by order from a position that is kept
def decide_to_state(title: Title, state: State, order: Order) -> Refused | Play:
    """As ``decide``, but return the ``Play``, which has both the events and the new position."""
    played = _given(title, state, order)
    if isinstance(played, Play):
        run_on(played)
    return played


def objection(title: Title, state: State, order: Order) -> Refused | None:
    """The reasons why ``order`` is refused; None if it is legal. The automatic steps after it, such as a run of the
    bank's railway, are not computed."""
    played = _given(title, state, order)
    return played if isinstance(played, Refused) else None


def effects(title: Title, state: State, order: Order) -> tuple[Event, ...]:
    """The events of ``order`` alone, without the automatic steps after it; empty if it is refused."""
    played = _given(title, state, order)
    return () if isinstance(played, Refused) else tuple(played.events)


def _given(title: Title, state: State, order: Order) -> Refused | Play:
    """Carry out the order alone, without the automatic steps after it."""
    if state.finished:
        return Refused((Failure("order.game_over"),))
    below = next((number for number in _counted(order) if number < 0), None)
    if below is not None:
        return Refused((Failure("order.below_zero", {"number": below}),))
    play = Play(title, state)
    frame = state.top
    if not title.policies.decide_unasked(play, order):
        ask = ask_for(title, state, order.actor)
        if ask is None:
            now = tuple(a.actor for a in asked(title, state))
            return Refused((Failure("order.not_asked", {"actor": order.actor, "asked": now}),))
        title.steps[type(frame)].decide(play, frame, ask, order)
    return Refused(tuple(play.failures)) if play.failures else play


def _counted(order: Order) -> Iterator[int]:
    """The numbers of an order that must not be negative. The notation cannot express negative numbers, but a program
    may pass them."""
    kind: type = type(order)
    for name in _numbers(kind):
        value = getattr(order, name)
        if isinstance(value, int):
            yield value
        elif value is not None:
            yield from (number for _, number in value)


@cache
def _numbers(kind: type) -> tuple[str, ...]:
    """The parts of such an order that are a number, or pairs of a name and a number. A rotation is left out: it wraps
    around."""
    numbers = ("int", "tuple[tuple[")
    return tuple(part.name for part in fields(kind) if str(part.type).startswith(numbers) and part.name != "rotation")


def run_on(play: Play) -> None:
    """Take automatic steps until somebody is asked or the game is over; in a seat's view of the game, until the next
    step depends on a secret of others."""
    for _ in range(_MOST_STEPS):
        play.title.policies.before_asking(play)
        if play.state.finished or asked(play.title, play.state):
            return
        frame = play.state.top
        try:
            play.title.steps[type(frame)].advance(play, frame)
        except NotKnownHere:
            return
    raise RuntimeError(f"no question after {_MOST_STEPS} steps: {play.state.agenda}")
