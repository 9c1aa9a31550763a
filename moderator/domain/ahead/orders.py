"""Orders given ahead: future turns, consents, standing bids. They are used as soon as they are asked for, and end with
the occasion that they were given for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from engine import Ask, Failure, Game, Refused
from engine.core import orders as o
from engine.core.agenda import Lot
from engine.core.events import Event, Won
from engine.core.order_kinds import ON_A_SUBJECT
from engine.core.programs import AuctionPlan
from grammar import write_section
from moderator.domain.ahead.bids import bid_range, next_bid
from moderator.domain.ahead.occasion import Occasion
from moderator.domain.ahead.standing import (
    BID,
    DROP,
    advance,
    answer,
    clash,
    ended,
    given_up,
    is_guard,
    purpose,
    rank,
    with_limit,
    won_by,
)
from moderator.domain.ahead.subjects import about, answers_merger
from moderator.domain.asks import lost_control
from moderator.domain.fork import Fork
from moderator.domain.section import play_section
from moderator.domain.transcript import Facts, Note, Notes
from moderator.domain.vocabulary import vocabulary

HeldKind: TypeAlias = Literal["turn", "consent", "limit", "standing"]
Ending: TypeAlias = Literal["used", "lapsed", "withdrawn", "replaced", "undone"]


_SAY_KEPT: Final = ("held.section", "held.rest", "held.consent", "standing.kept")
"""Notes that say that orders are kept."""
_MOST: Final = 300
"""The most orders that standing orders may give after one mail. More would be a loop, or a game that plays itself."""


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
    def lead(self) -> o.Order:
        """The first order that is no ``only if`` or ``unless``."""
        return next((order for order in self.orders if not is_guard(order)), self.orders[0])

    @property
    def purpose(self) -> object:
        """A key that is equal for orders that answer the same question."""
        order = self.lead
        if isinstance(order, o.Standing):
            return purpose(order)
        if isinstance(order, ON_A_SUBJECT):
            return about(order)
        return self.actor, self.occasion

    def excludes(self, earlier: Held) -> bool:
        """True if these orders replace ``earlier`` ones. A bid and a limit for the same lot can stand together."""
        order, before = self.lead, earlier.lead
        if isinstance(order, o.Standing) and isinstance(before, o.Standing) and clash(order, before):
            return True
        if isinstance(before, o.Limit) and self.actor == earlier.actor and before.item in _lots(self):
            return True
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
    """The rest, which still waits: of a turn that was interrupted by a question to others, or of a plan for auctions
    after one of its lots was sold."""
    won: tuple[Won, ...] = ()
    """The lots of a plan for auctions that its player, or a company of his, won since it was given."""


@dataclass(slots=True)
class Settled:
    """The result of ``settle``: the held orders that ended, and each order that was carried out, as understood."""

    closed: list[Closed] = field(default_factory=list)
    used: list[tuple[Held, o.Order]] = field(default_factory=list)

    def waiting(self, kept: Iterable[Held]) -> list[Held]:
        """Those of the orders ``kept`` that have not ended."""
        ended = {end.held for end in self.closed}
        return [held for held in kept if held not in ended]


def settle(fork: Fork, waiting: Sequence[Held]) -> Settled:
    """Use held orders until none of them answers an open question. Orders that have not ended still wait."""
    settled, left = Settled(), [held for held in waiting if held.occasion is not None]
    settled.closed += [
        Closed(held, "lapsed", failures=(Failure("ahead.unknown"),)) for held in waiting if held.occasion is None
    ]
    _join_limits(fork.game, left, settled)
    _end_what_is_over(fork, left, settled)
    while (step := _use_one(fork, left, settled)) is not None:
        if isinstance(step, Closed):
            place = left.index(step.held)
            _close(step, left, settled)
            settled.used.extend((step.held, order) for order, _ in step.given)
            if step.remainder is not None:
                left.insert(place, step.remainder)
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
            told.setdefault(held.player, []).extend(_told_won(closed))
            used = tuple(write(order) for order, _ in closed.given)
            facts: Facts = {
                "actor": held.actor, "text": held.text, "failures": closed.failures,
                "used": used, "turn": held.kind == "turn",
            }  # fmt: skip
            key = "standing.ended" if held.kind == "standing" else "held.lapsed"
            told.setdefault(held.player, []).append((key, facts))
        elif closed.ending == "used" and held.kind == "limit" and not held.lines and held.occasion is not None:
            told.setdefault(held.player, []).append(("held.won", {"name": held.occasion.name}))
        elif closed.ending == "replaced" and closed.remainder is not None:
            told.setdefault(held.player, []).extend(_told_won(closed))
            gone = tuple(item for item in _lots(held) if item not in _lots(closed.remainder))
            left, changed = ("standing.left", {"won": bool(closed.won), "gone": gone}), closed.remainder.text
            told[held.player].append(left if gone else ("standing.changed", {"text": changed}))
    return {player: tuple(notes) for player, notes in told.items()}


def without_kept(notes: Iterable[Note], held: Held) -> list[Note]:
    """``notes`` without what says that ``held`` is kept: it was used, or has lapsed, at once."""
    return [note for note in notes if note[0] not in _SAY_KEPT or note[1]["order"] != held.text]


def _end_what_is_over(fork: Fork, left: list[Held], settled: Settled) -> None:
    """Close the orders whose occasion is over, and those for companies that their player no longer directs."""
    for held in list(left):
        moves, occasion = fork.moves[held.since :], held.occasion
        if held not in left:  # it has lapsed with an earlier turn
            continue
        assert occasion is not None
        events = [event for move in moves for event in move.events]
        began_in = moves[0].round if moves else fork.game.state.round.kind
        if not occasion.is_over(fork.game, began_in, events):
            if (lost := lost_control(fork.game, held.player, held.actor)) is not None:
                left.remove(held)
                settled.closed.append(Closed(held, "lapsed", failures=(lost,)))
            elif held.kind == "standing":
                _go_on(fork, held, left, settled)
            elif (why := given_up(fork.game, held.player, held.orders, moves)) is not None:
                _close(Closed(held, "lapsed", failures=(why,)), left, settled)
            continue
        left.remove(held)
        won = any(isinstance(e, Won) and (e.player, e.item) == (held.actor, occasion.name) for e in events)
        over = Failure("ahead.over", {"kind": occasion.kind, "name": occasion.name})
        settled.closed.append(Closed(held, "used") if won else Closed(held, "lapsed", failures=(over,)))


def _close(end: Closed, left: list[Held], settled: Settled) -> None:
    """Close held orders, and with a turn that was not carried out the later turns that its player has given in one
    plan with it."""
    later = left[left.index(end.held) + 1 :]
    left.remove(end.held)
    settled.closed.append(end)
    if end.ending != "lapsed" or end.held.kind != "turn":
        return
    head, *lines = end.held.text.splitlines()
    why = Failure("ahead.after_lapsed", {"text": " ".join((head, "; ".join(map(str.strip, lines)))).strip()})
    for held in [one for one in later if one.kind == "turn" and one.purpose == end.held.purpose]:
        if held.player == end.held.player:
            left.remove(held)
            settled.closed.append(Closed(held, "lapsed", failures=(why,)))


def _go_on(fork: Fork, held: Held, left: list[Held], settled: Settled) -> None:
    """Close a standing order whose condition has come true. A plan for auctions goes on with what is left of it."""
    moves, order = fork.moves[held.since :], held.orders[0]
    assert isinstance(order, o.Standing)
    now = order
    if isinstance(order.program, AuctionPlan):
        now = replace(order, program=advance(fork.game, held.player, order.program, moves))
    why = ended(fork.game, held.player, now, moves)
    won = tuple(one for one in won_by(fork.game, held.player, moves) if one.item in _lots(held))
    if why is not None:
        left.remove(held)
        settled.closed.append(Closed(held, "lapsed", failures=(why,), won=won))
    elif now != order:
        text = write_section(held.actor, (now,), vocabulary(fork.game.title))
        rest = replace(held, orders=(now,), text=text, id=None, lines=(), since=len(fork.moves))
        left[left.index(held)] = rest
        settled.closed.append(Closed(held, "replaced", remainder=rest, won=won))


def _join_limits(game: Game, left: list[Held], settled: Settled) -> None:
    """Make a limit that was given after a plan for auctions with the same lot the limit of that plan: two orders for
    one lot would bid one after the other."""
    for limit in [held for held in left if held.kind == "limit"]:
        order = limit.orders[0]
        assert isinstance(order, o.Limit)
        for held in [one for one in left if (one.player, one.actor) == (limit.player, limit.actor)]:
            standing = held.orders[0]
            if order.item not in _lots(held) or not isinstance(standing, o.Standing):
                continue
            assert isinstance(standing.program, AuctionPlan)
            now = replace(standing, program=with_limit(standing.program, order))
            text = write_section(held.actor, (now,), vocabulary(game.title))
            rest = replace(held, orders=(now,), text=text, id=None, lines=())
            left[left.index(held)] = rest
            left.remove(limit)
            settled.closed += [Closed(held, "replaced", remainder=rest), Closed(limit, "replaced")]
            break


def _told_won(closed: Closed) -> Iterable[tuple[str, Facts]]:
    return (
        (
            "standing.won",
            {"name": one.item, "amount": one.amount, "by": "" if one.player == closed.held.player else one.player},
        )
        for one in closed.won
    )


def _lots(held: Held) -> tuple[str, ...]:
    """The lots of a plan for auctions; none for other orders."""
    order = held.orders[0]
    plan = order.program if isinstance(order, o.Standing) else None
    return tuple(lot.item for lot in plan.lots) if isinstance(plan, AuctionPlan) else ()


def _use_one(fork: Fork, waiting: Sequence[Held], settled: Settled) -> Closed | bool | None:
    """Use one of the waiting orders. Returns what ended, True after a bid under a limit that still stands, or None if
    nothing can be used. Other orders come before limits. If a player bids both for himself and for a company, a limit
    that is reached leaves the auction only if the other one is reached too."""
    fitting = [
        (ask, held)
        for ask in fork.game.asked()
        for held in waiting
        if held.player == ask.player and (held.actor == ask.actor or answers_merger(held.lead, ask))
    ]
    for ask, held in sorted(fitting, key=lambda pair: _rank(fork.game, *pair)):
        step = _USES[held.kind](fork, held, ask, settled)
        if step is not None:
            return step
    return None


def _rank(game: Game, ask: Ask, held: Held) -> int:
    """The sort key of orders that may be used now: orders for one turn come first, then limits that do not leave the
    auction, then limits that leave it; standing orders as ``standing.rank`` says."""
    if isinstance(order := held.lead, o.Standing):
        return rank(game, order, ask)
    if held.kind != "limit":
        return 0
    return DROP if isinstance(_under_limit(game, held, ask), o.Drop) else BID


def _consent(fork: Fork, held: Held, ask: Ask, settled: Settled) -> Closed | None:
    order = held.orders[0]
    if order.actor != ask.actor and isinstance(order, ON_A_SUBJECT):
        order = replace(order, actor=ask.actor)
    if not any(type(choice.order) in (type(order), o.Agree, o.Take) for choice in fork.game.legal(ask.actor)):
        return None
    events = fork.submit(order, held.player, "consent")
    return None if isinstance(events, Refused) else Closed(held, "used", ((order, events),))


def _limit(fork: Fork, held: Held, ask: Ask, settled: Settled) -> Closed | bool | None:
    """Answer within the limit. A limit that passes on a lot that is offered again if all pass still stands. It passes
    once in a decision: otherwise the limits of all players might pass for ever, and nobody would be asked."""
    order, lot = _under_limit(fork.game, held, ask), fork.game.lot()
    again = isinstance(order, o.Drop) and _is_offered_again(lot)
    if order is None or (again and (held, order) in settled.used):
        return None
    events = fork.submit(order, held.player, "limit")
    if isinstance(events, Refused):
        return Closed(held, "lapsed", (), events.failures)
    if isinstance(order, o.Drop) and not again:
        return Closed(held, "used", ((order, events),))
    settled.used.append((held, order))
    return True


def _is_offered_again(lot: Lot | None) -> bool:
    """True if the ``lot`` comes again when all pass. Who drops from it in place of an absent player does so once in a
    decision: otherwise all might drop for ever, and nobody would be asked."""
    return lot is not None and lot.holder is None and lot.least is None


def _under_limit(game: Game, held: Held, ask: Ask) -> o.Bid | o.Drop | None:
    """The bid or drop with which a limit answers ``ask``; None if the limit is for another auction."""
    limit = held.orders[0]
    assert isinstance(limit, o.Limit) and held.occasion is not None
    bids, lot = bid_range(game, ask), game.lot()
    if bids is None or not held.occasion.is_now(game, ask, limit):
        return None
    return next_bid(bids, limit.maximum, limit.step, lot.amount if lot is not None else None)


def _turn(fork: Fork, held: Held, ask: Ask, settled: Settled) -> Closed | None:
    assert held.occasion is not None
    if not held.occasion.is_now(fork.game, ask, held.lead):
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


def _standing(fork: Fork, held: Held, ask: Ask, settled: Settled) -> Closed | bool | None:
    """Answer as a standing order says. It goes on standing. If a lot is offered again when all pass, it drops from it
    once in a decision, as a limit does."""
    order = held.orders[0]
    assert isinstance(order, o.Standing)
    found, lot = answer(fork, held.player, order, ask), fork.game.lot()
    if found is None:
        return None
    if _is_offered_again(lot) and any(isinstance(one, o.Drop) and (held, one) in settled.used for one in found.orders):
        return None
    failures = found.failures
    if sum(move.origin == "standing" for move in fork.moves) >= _MOST:
        failures = (Failure("standing.many", {"most": _MOST}),)
    trial = fork.fork()
    for one in () if failures else found.orders:
        result = trial.submit(one, held.player, "standing")
        if isinstance(result, Refused):
            failures = result.failures
            break
    if failures:
        return Closed(held, "lapsed", failures=failures)
    fork.join(trial)
    settled.used.extend((held, one) for one in found.orders)
    return True


_USES = {"consent": _consent, "limit": _limit, "standing": _standing, "turn": _turn}
