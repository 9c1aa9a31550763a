"""Lots: auctions in which a player bids for himself or for one of his companies, which then pays.

The kinds of lots are a private offered for sale, the markers, trains, privates and subsidiaries of a company in
liquidation, and a company in acquisition. Their rules define who may bid, the highest bid, and the outcome.
``lot_kinds.LOTS`` has them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.core.agenda import Ask, Exact, Menu, Range
from engine.core.checks import Failure
from engine.core.events import BidMade, Dropped, Won
from engine.core.ids import Actor, CompanyId, Owner, PlayerId
from engine.core.orders import Bid, Drop, Order, Pass
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.titles.t1863.entities import decider_of, entities_of, player_of
from engine.titles.t1863.money.loans import credit, take_loans
from engine.titles.t1863.stock.shares import seats_from

STEP: Final = 5
"""The smallest raise."""


@dataclass(frozen=True, slots=True)
class LotAuction(Frame):
    """The auction of ``item``, sold for ``seller``: a player or company, or the company that is broken up or acquired.

    ``kind``: the kind of lot. ``least``: the lowest first bid. ``waiting``: players who may still bid, the next first,
    without the highest bidder. ``holder``: the entity that has bid ``amount``, None before the first bid.
    """

    kind: str
    item: str
    seller: Actor
    least: int
    waiting: tuple[PlayerId, ...]
    holder: Actor | None = None
    amount: int = 0

    @property
    def low(self) -> int:
        """The lowest bid allowed now."""
        return self.least if self.holder is None else self.amount + STEP


def _no_contents(title: Title, state: State, frame: LotAuction) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class LotRules:
    """The rules of a kind of lot.

    ``may_bid`` returns the reason why an entity of the player on turn may not bid, or None if it may. ``means`` returns
    the most that it can pay, in cash and loans. ``sold`` carries out the sale to ``holder`` for ``amount``; it is
    called when the auction has left the agenda, before anything is paid. ``unsold`` carries out the outcome if nobody
    has bid. ``contents`` names the things in the lot.
    """

    may_bid: Callable[[Title, State, LotAuction, Actor], Failure | None]
    means: Callable[[Title, State, LotAuction, Actor], int]
    sold: Callable[[Play, LotAuction], None]
    unsold: Callable[[Play, LotAuction], None]
    contents: Callable[[Title, State, LotAuction], tuple[str, ...]] = _no_contents


def begin_lot(play: Play, kind: str, item: str, seller: Actor, least: int, first: PlayerId) -> None:
    """Begin the auction of a lot. ``first`` is asked first, then the others clockwise; the first bid is at least
    ``least``. Call this last: it puts a frame on top of the agenda."""  # rule 8.5, 8.6, 8.8
    play.push(LotAuction(kind, item, seller, least, seats_from(play.state, first)))


def all_means(title: Title, state: State, entity: Actor) -> int:
    """The money that an entity can raise at once: its cash and, for a company, what it can still borrow."""
    if player_of(state, entity) is not None:
        return state.money(entity)
    return state.money(entity) + credit(title, state, CompanyId(entity))


def pay_with_loans(play: Play, entity: Actor, payee: Owner, amount: int, about: str) -> None:
    """Let an entity pay for a lot. A company takes as few loans as it needs."""  # rule 6.3
    if player_of(play.state, entity) is None and (lacking := amount - play.state.money(entity)) > 0:
        take_loans(play, CompanyId(entity), -(-lacking // play.title.loan))
    play.pay(entity, payee, amount, "bid", about)


@dataclass(frozen=True, slots=True)
class LotStep:
    """Asks the players in turn, each for himself and for each company for which he may bid."""

    kinds: Mapping[str, LotRules]

    def _able(self, title: Title, state: State, frame: LotAuction, player: PlayerId) -> Iterator[Actor]:
        """Yield the entities with which the player could bid now."""
        rules = self.kinds[frame.kind]
        for entity in entities_of(title, state, player):
            rich = rules.means(title, state, frame, entity) >= frame.low  # asked first: it is the cheaper check
            if rich and rules.may_bid(title, state, frame, entity) is None:
                yield entity

    def asked(self, title: Title, state: State, frame: LotAuction) -> tuple[Ask, ...]:
        if not frame.waiting:
            return ()
        player = frame.waiting[0]
        able = tuple(self._able(title, state, frame, player))
        if not able:
            return ()
        about = (frame.item, str(frame.low), frame.holder or "", frame.kind, frame.seller)
        others = (Ask(player, e, "auction.lot.for", (*about, e)) for e in able if e != player)
        return (Ask(player, player, "auction.lot", (*about, *self.contents(title, state, frame))), *others)

    def contents(self, title: Title, state: State, frame: LotAuction) -> tuple[str, ...]:
        """The contents of the lot; for a whole company the number of parts of the bid, of which
        each of its shares is paid one."""
        return self.kinds[frame.kind].contents(title, state, frame)

    def menu(self, title: Title, state: State, frame: LotAuction, ask: Ask) -> Menu:
        out = (Exact(Drop(ask.actor)),) if ask.actor == ask.player else ()
        if ask.actor not in self._able(title, state, frame, ask.player):
            return out
        most = self.kinds[frame.kind].means(title, state, frame, ask.actor)
        return (Range(Bid(ask.actor, frame.low), "amount", frame.low, most), *out)

    def decide(self, play: Play, frame: LotAuction, ask: Ask, order: Order) -> None:
        if isinstance(order, Bid):
            self._bid(play, frame, ask, order)
        elif isinstance(order, Drop | Pass):
            item = order.item if isinstance(order, Drop) else None
            if play.require(item in (None, frame.item), "bid.item", item=item, running=frame.item):
                play.emit(Dropped(ask.player, frame.item, False))
                play.become(replace(frame, waiting=frame.waiting[1:]))
        else:
            play.refuse("order.wrong_kind", asked=ask.what)

    def _bid(self, play: Play, frame: LotAuction, ask: Ask, order: Bid) -> None:
        rules, entity = self.kinds[frame.kind], ask.actor
        play.require(order.item in (None, frame.item), "bid.item", item=order.item, running=frame.item)
        play.require(order.amount >= frame.low, "bid.too_low", amount=order.amount, least=frame.low)
        if (failure := rules.may_bid(play.title, play.state, frame, entity)) is not None:
            play.note((failure,))
        else:
            means = rules.means(play.title, play.state, frame, entity)
            facts = {"entity": entity, "kind": frame.kind, "item": frame.item}
            play.require(order.amount <= means, "lot.means", amount=order.amount, means=means, **facts)
        if play.failures:
            return
        last = None if frame.holder is None else decider_of(play.title, play.state, frame.holder)
        play.emit(BidMade(entity, frame.item, order.amount))
        rest = frame.waiting[1:] if last is None else (*frame.waiting[1:], last)
        play.become(replace(frame, waiting=rest, holder=entity, amount=order.amount))

    def advance(self, play: Play, frame: LotAuction) -> None:
        if frame.waiting:
            play.emit(Dropped(frame.waiting[0], frame.item, True))
            play.become(replace(frame, waiting=frame.waiting[1:]))
            return
        play.pop()
        if frame.holder is None:
            self.kinds[frame.kind].unsold(play, frame)
            return
        play.emit(Won(frame.holder, frame.item, frame.amount))
        self.kinds[frame.kind].sold(play, frame)
