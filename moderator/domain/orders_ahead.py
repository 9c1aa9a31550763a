"""Orders given ahead: future turns, consents, standing bids. They are used as soon as they are asked for, and end with
the occasion that they were given for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from engine import Ask, Failure, Game, Range, Refused
from engine.core import orders as o
from engine.core.events import Event, Won
from engine.core.order_kinds import ON_A_SUBJECT
from grammar import write_section
from moderator.domain.asks import lost_control
from moderator.domain.fork import Fork
from moderator.domain.occasion import Occasion, bid_range
from moderator.domain.section import play_section
from moderator.domain.transcript import Facts, Notes
from moderator.domain.vocabulary import vocabulary

HeldKind: TypeAlias = Literal["turn", "consent", "limit"]
Ending: TypeAlias = Literal["used", "lapsed", "withdrawn", "replaced", "undone"]


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Orders that wait. ``id``: their number in the database; None until they are stored. ``lines``: the indices of
    their lines in the transcript of the mail at hand; empty for orders of earlier mails."""

    player: str
    kind: HeldKind
    actor: str
    orders: tuple[o.Order, ...]
    text: str
    """The orders in canonical notation, with their head."""
    occasion: Occasion | None
    """The occasion that the orders are for and with which they end. None if an older version of the program did not
    store it and it cannot be determined."""
    partial: bool = False
    id: int | None = None
    lines: tuple[int, ...] = ()
    since: int = 0
    """Number of moves of the fork that were made before the orders were given."""

    @property
    def purpose(self) -> object:
        """A key that is equal for orders that answer the same question."""
        order = self.orders[0]
        if isinstance(order, ON_A_SUBJECT):
            return self.actor, order.subject
        return self.actor, self.occasion

    def excludes(self, earlier: Held) -> bool:
        """True if these orders replace ``earlier`` ones. A bid and a limit for the same lot can stand together."""
        leaves = any(isinstance(one.orders[0], o.Drop) for one in (self, earlier))
        return self.purpose == earlier.purpose and (self.kind == earlier.kind or leaves)


@dataclass(frozen=True, slots=True)
class Closed:
    """The end of held orders. ``given``: the orders that were carried out. ``failures``: the reasons why the next one
    was not."""

    held: Held
    ending: Ending
    given: tuple[tuple[o.Order, tuple[Event, ...]], ...] = ()
    failures: tuple[Failure, ...] = ()
    remainder: Held | None = None
    """The rest of a turn that was interrupted by a question to others; it still waits."""


@dataclass(slots=True)
class Settled:
    """The result of ``settle``: the held orders that ended, and each order that was carried out, as understood."""

    closed: list[Closed] = field(default_factory=list)
    used: list[tuple[Held, o.Order]] = field(default_factory=list)


def settle(fork: Fork, waiting: Sequence[Held]) -> Settled:
    """Use held orders until none of them answers an open question. Orders that have not ended still wait."""
    settled, left = Settled(), [held for held in waiting if held.occasion is not None]
    settled.closed += [
        Closed(held, "lapsed", failures=(Failure("ahead.unknown"),)) for held in waiting if held.occasion is None
    ]
    _end_what_is_over(fork, left, settled)
    while (step := _use_one(fork, left, settled)) is not None:
        if isinstance(step, Closed):
            left.remove(step.held)
            settled.closed.append(step)
            settled.used.extend((step.held, order) for order, _ in step.given)
            if step.remainder is not None:
                left.append(step.remainder)
        _end_what_is_over(fork, left, settled)
    return settled


def told_ahead(settled: Settled, write: Callable[[o.Order], str]) -> dict[str, Notes]:
    """The notes for each player about orders that earlier mails gave ahead. Orders of the mail at hand are reported in
    its own lines. ``write`` returns the text of an order with its head."""
    told: dict[str, list[tuple[str, Facts]]] = {}
    for player in dict.fromkeys(held.player for held, _ in settled.used if not held.lines):
        orders = [order for held, order in settled.used if held.player == player and not held.lines]
        told.setdefault(player, []).append(("held.used", {"texts": tuple(write(order) for order in orders)}))
    for closed in settled.closed:
        held = closed.held
        if closed.ending == "lapsed" and not held.lines:
            facts = {"actor": held.actor, "text": held.text, "failures": closed.failures}
            told.setdefault(held.player, []).append(("held.lapsed", facts))
        elif closed.ending == "used" and held.kind == "limit" and not held.lines and held.occasion is not None:
            told.setdefault(held.player, []).append(("held.won", {"name": held.occasion.name}))
    return {player: tuple(notes) for player, notes in told.items()}


def _end_what_is_over(fork: Fork, left: list[Held], settled: Settled) -> None:
    """Close the orders whose occasion is over, and those for companies that their player no longer directs."""
    for held in list(left):
        moves, occasion = fork.moves[held.since :], held.occasion
        assert occasion is not None
        events = [event for move in moves for event in move.events]
        if not occasion.is_over(fork.game, moves[0].round if moves else fork.game.state.round.kind, events):
            if (lost := lost_control(fork.game, held.player, held.actor)) is not None:
                left.remove(held)
                settled.closed.append(Closed(held, "lapsed", failures=(lost,)))
            continue
        left.remove(held)
        won = any(isinstance(e, Won) and (e.player, e.item) == (held.player, occasion.name) for e in events)
        over = Failure("ahead.over", {"kind": occasion.kind, "name": occasion.name})
        settled.closed.append(Closed(held, "used") if won else Closed(held, "lapsed", failures=(over,)))


def _use_one(fork: Fork, waiting: Sequence[Held], settled: Settled) -> Closed | bool | None:
    """Use one of the waiting orders. Returns what ended, True after a bid under a limit that still stands, or None if
    nothing can be used. Other orders come before limits. If a player bids both for himself and for a company, a limit
    that is reached leaves the auction only if the other one is reached too."""
    fitting = [
        (ask, held)
        for ask in fork.game.asked()
        for held in waiting
        if (held.player, held.actor) == (ask.player, ask.actor)
    ]
    for ask, held in sorted(fitting, key=lambda pair: _rank(fork.game, *pair)):
        step = _USES[held.kind](fork, held, ask, settled)
        if step is not None:
            return step
    return None


def _rank(game: Game, ask: Ask, held: Held) -> int:
    """The sort key of orders that may be used now: 0 for orders that are not limits, 1 for limits that do not leave the
    auction, 2 for limits that leave it."""
    if held.kind != "limit":
        return 0
    return 2 if isinstance(_under_limit(game, held, ask), o.Drop) else 1


def _consent(fork: Fork, held: Held, ask: Ask, settled: Settled) -> Closed | None:
    order = held.orders[0]
    if not any(type(choice.order) in (type(order), o.Agree, o.Take) for choice in fork.game.legal(ask.actor)):
        return None
    events = fork.submit(order, held.player, "consent")
    return None if isinstance(events, Refused) else Closed(held, "used", ((order, events),))


def _limit(fork: Fork, held: Held, ask: Ask, settled: Settled) -> Closed | bool | None:
    """Answer within the limit. A limit that passes on a lot that is offered again if all pass still stands. It passes
    once in a decision: otherwise the limits of all players might pass for ever, and nobody would be asked."""
    order, lot = _under_limit(fork.game, held, ask), fork.game.lot()
    again = isinstance(order, o.Drop) and lot is not None and lot.holder is None and lot.least is None
    if order is None or (again and (held, order) in settled.used):
        return None
    events = fork.submit(order, held.player, "limit")
    if isinstance(events, Refused):
        return Closed(held, "lapsed", (), events.failures)
    if isinstance(order, o.Drop) and not again:
        return Closed(held, "used", ((order, events),))
    settled.used.append((held, order))
    return True


def _under_limit(game: Game, held: Held, ask: Ask) -> o.Bid | o.Drop | None:
    """The bid or drop with which a limit answers ``ask``; None if the limit is for another auction."""
    limit = held.orders[0]
    assert isinstance(limit, o.Limit) and held.occasion is not None
    bids, lot = bid_range(game, ask), game.lot()
    if bids is None or not held.occasion.is_now(game, ask, limit):
        return None
    return next_bid(bids, limit, lot.amount if lot is not None else None)


def _turn(fork: Fork, held: Held, ask: Ask, settled: Settled) -> Closed | None:
    assert held.occasion is not None
    if not held.occasion.is_now(fork.game, ask, held.orders[0]):
        return None
    trial = fork.fork()
    played = play_section(trial, held.player, held.actor, held.orders, "held")
    if not played.failures or held.partial:
        fork.join(trial)
    if played.failures:
        return Closed(held, "lapsed", tuple(played.given) if held.partial else (), played.failures)
    remainder = None
    if played.rest:
        rest, lines = held.orders[len(played.given) :], held.lines[len(played.given) :]
        text = write_section(held.actor, rest, vocabulary(fork.game.title))
        remainder = replace(held, orders=rest, lines=lines, text=text, id=None, since=len(fork.moves))
    return Closed(held, "used", tuple(played.given), remainder=remainder)


_USES = {"consent": _consent, "limit": _limit, "turn": _turn}


def next_bid(bids: Range, limit: o.Limit, standing: int | None) -> o.Bid | o.Drop:
    """The next bid under ``limit``: the limit's step above the ``standing`` bid, or less if the limit or the legal
    ``bids`` allow only less; the lowest legal bid if nobody has bid. A ``Drop`` if the limit is below that."""
    assert isinstance(bids.order, o.Bid)
    least = bids.low if standing is None else max(bids.low, standing + limit.step)
    wanted = min(least, limit.maximum, bids.high)
    amount = bids.low + (wanted - bids.low) // bids.step * bids.step
    return replace(bids.order, amount=amount) if amount >= bids.low else o.Drop(bids.order.actor)
