"""The position as one seat may see it: without the seed of future lots, and without the sealed orders of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any

from engine.core.answer_cache import lately
from engine.core.copies import changed
from engine.core.ids import Actor, PlayerId
from engine.core.orders import Order
from engine.core.secret import HIDDEN, SealedOrder
from engine.core.state import Frame, State
from engine.core.title import Title


def view(state: State, seat: PlayerId) -> State:
    """The position as ``seat`` may see it. The position of a finished game is returned unchanged, and so
    is one in which nothing is left to hide, so that what was computed from it is found again."""
    if state.finished:
        return state
    agenda = tuple(_seen(frame, seat) for frame in state.agenda)
    if all(seen is frame for seen, frame in zip(agenda, state.agenda, strict=True)):
        return state if state.seed is HIDDEN else changed(state, seed=HIDDEN)
    return changed(state, seed=HIDDEN, agenda=agenda)


@lately(8)
def shared_view(title: Title, state: State, seat: PlayerId) -> State:
    """The ``view``, the same object for as long as it is remembered: the mails to a seat about one position share what
    is computed from it."""
    return view(state, seat)


def blanks(state: State, seat: PlayerId) -> Mapping[tuple[Actor, type], Order]:
    """The orders that ``seat`` sees instead of the orders that are sealed now, by actor and kind. They also stand for
    earlier sealed orders that the actor has since replaced."""
    found = (each for frame in state.agenda for _, value in _tuples(frame) for each in value)
    sealed = (each for each in found if isinstance(each, SealedOrder) and each.actor != seat)
    return {(each.actor, type(each.blank)): each.blank for each in sealed}


def sealed_away(state: State) -> bool:
    """True if the position has sealed orders without their contents, as after reading a snapshot."""
    return any(
        isinstance(each, SealedOrder) and not each.known
        for frame in state.agenda
        for _, value in _tuples(frame)
        for each in value
    )


def holds_sealed(state: State) -> bool:
    """True if the position has sealed orders: some of those to be opened together have been given, and
    others have not."""
    return any(isinstance(each, SealedOrder) for frame in state.agenda for _, value in _tuples(frame) for each in value)


def resealed(state: State, orders: Sequence[Order]) -> State:
    """The position with the contents of its sealed orders, which no snapshot holds. ``orders``: all orders given before
    the position; the latest of the kind from each player counts."""
    if not sealed_away(state):
        return state

    def whole(value: Any) -> Any:
        if not isinstance(value, SealedOrder) or value.known:
            return value
        kind, actor = type(value.blank), value.actor
        numbers = range(len(orders) - 1, -1, -1)
        given = (order for n in numbers if type(order := orders[n]) is kind and order.actor == actor)
        return SealedOrder(actor, value.blank, next(given))

    return replace(state, agenda=tuple(_changed(frame, whole) for frame in state.agenda))


def _changed(frame: Frame, change: Callable[[Any], Any]) -> Frame:
    """The frame after ``change`` has been applied to its sealed orders."""
    changes: dict[str, Any] = {}
    for name, value in _tuples(frame):
        if any(isinstance(each, SealedOrder) for each in value):
            changes[name] = tuple(map(change, value))
    return replace(frame, **changes) if changes else frame


def _seen(frame: Frame, seat: PlayerId) -> Frame:
    return _changed(frame, lambda value: _taken_out(value, seat))


def _taken_out(value: Any, seat: PlayerId) -> Any:
    return value.taken_out() if isinstance(value, SealedOrder) and value.actor != seat else value


def _tuples(frame: Frame) -> list[tuple[str, tuple[Any, ...]]]:
    """The fields of a frame that hold tuples; a frame keeps its sealed orders in one."""
    kind: type = type(frame)
    return [(name, value) for name in _names(kind) if isinstance(value := getattr(frame, name), tuple)]


@cache
def _names(kind: type) -> tuple[str, ...]:
    """The names of the fields of such a frame. Every earlier position that a seat sees asks for them."""
    return tuple(field.name for field in fields(kind))
