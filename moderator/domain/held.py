"""What players gave ahead: turns to come, consent, standing bids. It is used the moment that it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from engine import Ask, Failure, Game, Range, Refused
from engine.core import orders as o
from engine.core.events import Event, Won
from grammar import write_section
from moderator.domain.asks import answers
from moderator.domain.course import Course
from moderator.domain.section import play_section
from moderator.domain.vocabulary import vocabulary

HeldKind: TypeAlias = Literal["turn", "consent", "limit"]
Ending: TypeAlias = Literal["used", "lapsed", "withdrawn", "replaced", "undone"]


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Orders that wait. ``id`` is None until they are written down; ``lines`` are places in the transcript of the mail
    that brought them."""

    player: str
    kind: HeldKind
    actor: str
    orders: tuple[o.Order, ...]
    text: str
    """Canonical notation with its head."""
    partial: bool = False
    id: int | None = None
    lines: tuple[int, ...] = ()

    @property
    def about(self) -> object:
        """What it is for: a later one for the same replaces it."""
        order = self.orders[0]
        if isinstance(order, o.Limit):
            return order.item
        if isinstance(order, o.Agree | o.Refuse):
            return order.subject
        return order.company if isinstance(order, o.Take) else None

    def same_purpose(self, other: Held) -> bool:
        return (self.player, self.kind, self.actor, self.about) == (other.player, other.kind, other.actor, other.about)


@dataclass(frozen=True, slots=True)
class Closed:
    """How something held ended. ``given`` are its orders that were carried out, ``failures`` why the next was not."""

    held: Held
    ending: Ending
    given: tuple[tuple[o.Order, tuple[Event, ...]], ...] = ()
    failures: tuple[Failure, ...] = ()
    remainder: Held | None = None
    """The rest of a turn that was interrupted by a question to others: it goes on waiting."""


def settle(course: Course, waiting: Sequence[Held]) -> tuple[Closed, ...]:
    """Use what is held until nothing of it fits what is asked. What is not in the answer goes on waiting."""
    left, closed = list(waiting), list[Closed]()
    while (step := _use_one(course, left)) is not None:
        if isinstance(step, Closed):
            left.remove(step.held)
            closed.append(step)
            if step.remainder is not None:
                left.append(step.remainder)
        for limit in [h for h in left if h.kind == "limit" and _decided(course, h)]:
            left.remove(limit)
            closed.append(Closed(limit, "used"))
    return tuple(closed)


def _use_one(course: Course, waiting: Sequence[Held]) -> Closed | bool | None:
    """One thing done: something that ended, True for a bid under a limit that stays; None if nothing fits."""
    for ask in course.game.asked():
        for held in waiting:
            if held.player == ask.player and held.actor == ask.actor:
                step = _USES[held.kind](course, held, ask)
                if step is not None:
                    return step
    return None


def _consent(course: Course, held: Held, ask: Ask) -> Closed | None:
    order = held.orders[0]
    if not any(type(choice.order) in (type(order), o.Agree, o.Take) for choice in course.game.legal(ask.actor)):
        return None
    events = course.submit(order, held.player, "consent")
    return None if isinstance(events, Refused) else Closed(held, "used", ((order, events),))


def _limit(course: Course, held: Held, ask: Ask) -> Closed | bool | None:
    limit = held.orders[0]
    assert isinstance(limit, o.Limit)
    bids = bid_range(course.game, ask)
    if bids is None or item_of(ask) != limit.item:
        return None
    order = next_bid(bids, limit, _standing(ask))
    events = course.submit(order, held.player, "limit")
    if isinstance(events, Refused):
        return Closed(held, "lapsed", (), events.failures)
    return Closed(held, "used", ((order, events),)) if isinstance(order, o.Drop) else True


def _turn(course: Course, held: Held, ask: Ask) -> Closed | None:
    if not answers(course.game.legal(ask.actor), held.orders[0]):
        return None
    trial = course.fork()
    played = play_section(trial, held.player, held.actor, held.orders, "held")
    if not played.failures or held.partial:
        course.join(trial)
    if played.failures:
        return Closed(held, "lapsed", tuple(played.given) if held.partial else (), played.failures)
    remainder = None
    if played.rest:
        rest, lines = held.orders[len(played.given) :], held.lines[len(played.given) :]
        text = write_section(held.actor, rest, vocabulary(course.game.title))
        remainder = replace(held, orders=rest, lines=lines, text=text, id=None)
    return Closed(held, "used", tuple(played.given), remainder=remainder)


_USES = {"consent": _consent, "limit": _limit, "turn": _turn}


def bid_range(game: Game, ask: Ask) -> Range | None:
    """The bids that may answer ``ask``, if it asks for one."""
    menu = game.legal(ask.actor)
    return next((c for c in menu if isinstance(c, Range) and isinstance(c.order, o.Bid)), None)


def item_of(ask: Ask) -> str | None:
    """What a running auction is about: the first name of the question."""
    return ask.about[0] if ask.about else None


def _standing(ask: Ask) -> int | None:
    """The bid that is to be raised, None for a first one."""
    return int(ask.about[1]) if ask.what == "auction.bid" else None


def next_bid(bids: Range, limit: o.Limit, standing: int | None) -> o.Bid | o.Drop:
    """The next bid under ``limit``: its step over the ``standing`` one, less where only less is left, or none at all;
    the least there is where nobody has bid."""
    assert isinstance(bids.order, o.Bid)
    least = bids.low if standing is None else max(bids.low, standing + limit.step)
    wanted = min(least, limit.maximum, bids.high)
    amount = bids.low + (wanted - bids.low) // bids.step * bids.step
    return replace(bids.order, amount=amount) if amount >= bids.low else o.Drop(bids.order.actor)


def _decided(course: Course, held: Held) -> bool:
    """Whether the auction that a standing bid is for has ended in the course of this mail."""
    return any(isinstance(e, Won) and e.item == held.about for move in course.moves for e in move.events)
