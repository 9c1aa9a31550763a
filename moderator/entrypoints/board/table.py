"""A game on a board of one's own: orders, robots at the other seats, limits, and steps back and on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from engine.core import orders as o
from engine.core.agenda import Ask
from engine.core.game import Game
from engine.core.ids import PlayerId, PrivateId
from engine.robots import sensible
from grammar import Press, Reading, read, write
from moderator.domain.ahead.bids import bid_range, next_bid
from moderator.domain.ahead.occasion import vain
from moderator.domain.asks import controls
from moderator.domain.counts import counted
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.trial import carry_out, faults, refusal

Said = tuple[bool, str]
"""True if an order was carried out, and the text about it."""
_LONGEST_TURN = 2000
"""The most orders that robots and limits give before somebody is asked again; more would be an endless game."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment to go back to: the number of orders, and the limits that stood."""

    count: int
    limits: tuple[o.Limit, ...]


@dataclass(frozen=True, slots=True)
class Undone:
    """The orders and limits that a step back took away."""

    orders: tuple[o.Order, ...]
    limits: tuple[o.Limit, ...]


@dataclass(slots=True)
class Table:
    """A game and what may be taken back in it. ``seats``: the players that the person plays; robots play the others."""

    game: Game
    seats: Collection[PlayerId]
    limits: tuple[o.Limit, ...] = ()
    press: list[str] = field(default_factory=list)
    _marks: list[Mark] = field(default_factory=list)
    _undone: list[Undone] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._marks = [Mark(count, ()) for count in range(len(self.game.orders))]

    @property
    def robots(self) -> tuple[PlayerId, ...]:
        return tuple(player for player in self.game.state.players if player not in self.seats)

    def asked(self) -> tuple[Ask, ...]:
        """The questions that the person answers."""
        return tuple(ask for ask in self.game.asked() if ask.player in self.seats)

    # ---- orders -----------------------------------------------------------------------------------------------------

    def enter(self, text: str) -> Iterator[Said]:
        """Carry out what somebody typed until an order fails. Yields a text for each part of it."""
        game, asks = self.game, self.asked()
        names = vocabulary(game.title, game.setup.players)
        reading = read(text, names, default_actor=asks[0].actor if len(asks) == 1 else None)
        yield from ((False, line) for line in (*faults(reading), *_not_here(reading)))
        if reading.errors:
            return
        for press in reading.press:
            yield self._say(press, asks)
        for order in reading.orders:
            said = self._give(order)
            yield said
            if not said[0]:
                return
        yield from self.settle()

    def _give(self, order: o.Order) -> Said:
        mark = Mark(len(self.game.orders), self.limits)
        owners = [player for player in self.game.state.players if controls(self.game, player, order.actor)]
        if self.robots and owners and not set(owners) & set(self.seats):
            return False, f"NOT YOURS {order.actor}: a robot plays {owners[0]}; you play {', '.join(self.seats)}."
        if isinstance(order, o.Standing):
            return False, "NOT HERE: on this board the only standing order is `limit`."
        said = self._keep(order) if isinstance(order, o.Limit) else carry_out(self.game, order)
        if said[0]:
            self._marks.append(mark)
            self._undone.clear()
        return said

    def _keep(self, limit: o.Limit) -> Said:
        lot = self.game.lot()
        if limit.item is None and lot is not None:
            limit = replace(limit, item=PrivateId(lot.item))
        head = f"{limit.actor}: {write(limit, vocabulary(self.game.title))}"
        if limit.item is None:
            return False, f"NOT NOW {head}\n  Nothing is being auctioned; a limit stands for one auction."
        if failures := vain(self.game, limit.actor, limit, ()):
            return False, refusal(self.game, head, failures)
        others = [one for one in self.limits if (one.actor, one.item) != (limit.actor, limit.item)]
        self.limits = (*others, limit)
        return True, f"{head}\n  The limit bids for {limit.actor} on {limit.item} up to {limit.maximum}, then drops."

    def _say(self, press: Press, asks: Sequence[Ask]) -> Said:
        writers = {str(ask.player) for ask in asks} or set(map(str, self.seats))
        writer = writers.pop() if len(writers) == 1 else "you"
        line = f"press from {writer} to {', '.join(press.to) or 'all'}: {press.text}"
        self.press.append(f"after order {len(self.game.orders)}, {line}")
        return True, f"{line}\n  `save` keeps it as a remark." + (" Robots do not read it." if self.robots else "")

    # ---- robots and limits ------------------------------------------------------------------------------------------

    def settle(self) -> Iterator[Said]:
        """Let robots and limits answer until the person is asked or the game is over."""
        for _ in range(_LONGEST_TURN):
            if (found := self._answer()) is None:
                return
            ask, order = found
            said = carry_out(self.game, order)
            if not said[0]:
                yield False, f"A robot or limit gave an order that is against a rule. It is a fault.\n{said[1]}"
                return
            if isinstance(order, o.Drop):
                self.limits = tuple(one for one in self.limits if one.actor != order.actor or not self._is_on(one))
            yield True, f"{ask.actor}: sealed" if ask.sealed and ask.player not in self.seats else said[1]

    def _is_on(self, limit: o.Limit) -> bool:
        lot = self.game.lot()
        return lot is None or lot.item == limit.item

    def _answer(self) -> tuple[Ask, o.Order] | None:
        for ask in self.game.asked():
            if ask.player not in self.seats:
                return ask, sensible(self.game.seen_by(ask.player), ask)
            lot, bids = self.game.lot(), bid_range(self.game, ask)
            for limit in self.limits:
                if lot is not None and bids is not None and (limit.actor, limit.item) == (ask.actor, lot.item):
                    return ask, next_bid(bids, limit.maximum, limit.step, lot.amount)
        return None

    # ---- back and on ------------------------------------------------------------------------------------------------

    def undo(self) -> str:
        """Take back the last order of the person, with what robots and limits did after it."""
        if not self._marks:
            return "there is nothing of yours to take back"
        mark = self._marks.pop()
        taken = self.limits
        self._undone.append(Undone(tuple(self.game.orders[mark.count :]), taken))
        self.game.undo(mark.count)
        self.limits = mark.limits
        return self._told("taken back", self._undone[-1].orders, set(taken) - set(mark.limits))

    def redo(self) -> str:
        """Give again what the last step back took away."""
        if not self._undone:
            return "there is nothing to give again"
        undone, stood = self._undone.pop(), self.limits
        self._marks.append(Mark(len(self.game.orders), self.limits))
        for order in undone.orders:
            carry_out(self.game, order)
        self.limits = undone.limits
        return self._told("given again", undone.orders, set(undone.limits) - set(stood))

    def _told(self, done: str, orders: Sequence[o.Order], limits: Collection[o.Limit]) -> str:
        """The text about a step: the person's own order or limit. The answers of others are only counted, because some
        are sealed."""
        own = next(iter(limits)) if limits else orders[0]
        others = len(orders) - (not limits)
        told = f"{done}: {own.actor}: {write(own, vocabulary(self.game.title))}"
        return told + (f", and {counted(others, 'answer')} of robots and limits after it" if others else "")


def _not_here(reading: Reading) -> Iterator[str]:
    for word in reading.words:
        yield f"NOT HERE: `{word.kind}` is a word for mails, and is left out on this board. `?` lists the words here."
    for skipped in reading.skipped:
        yield f"NOT GIVEN Line {skipped.line}: `{skipped.text}` names nobody; write `ACTOR: {skipped.text}`."
