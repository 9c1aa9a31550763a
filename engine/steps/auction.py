"""An auction: the player who opens it holds the bid; the others, clockwise, raise it or leave for good."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.core.agenda import Ask, Exact, Lot, Menu, Range
from engine.core.events import BidMade, Dropped, Won
from engine.core.ids import PlayerId
from engine.core.orders import Bid, Drop, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.succession import from_left_of


@dataclass(frozen=True, slots=True)
class Auction(Frame):
    """``waiting``: the players who may still bid, the next to answer first; the holder of the bid is not among them.
    ``step``: the least raise."""

    item: str
    proposer: PlayerId
    holder: PlayerId
    amount: int
    waiting: tuple[PlayerId, ...]
    step: int = 5


def running_lot(state: State) -> Lot | None:
    """The item of the auction on top of the agenda; None if there is none."""
    frame = state.agenda[-1] if state.agenda else None
    if not isinstance(frame, Auction):
        return None
    return Lot(frame.item, frame.waiting, frame.holder, frame.amount, frame.amount + frame.step)


def open_auction(play: Play, item: str, proposer: PlayerId, amount: int) -> None:
    """Begin an auction with the proposer's bid."""
    play.push(Auction(item, proposer, proposer, amount, from_left_of(play.state, proposer)))


def _cash(title: Title, state: State, player: PlayerId) -> int:
    return state.money(player)


@dataclass(frozen=True, slots=True)
class AuctionStep:
    """The step of an auction. ``may_bid`` is True if the player may win the item at all now. ``won`` carries out the
    purchase. ``funds`` returns the money that a player may bid. ``any_amount``: a bid need not be a multiple of the
    least raise."""

    may_bid: Callable[[Title, State, PlayerId], bool]
    won: Callable[[Play, Auction], None]
    funds: Callable[[Title, State, PlayerId], int] = _cash
    any_amount: bool = False

    def _able(self, title: Title, state: State, frame: Auction, player: PlayerId) -> bool:
        enough = self.funds(title, state, player) >= frame.amount + frame.step
        return enough and self.may_bid(title, state, player)

    def asked(self, title: Title, state: State, frame: Auction) -> tuple[Ask, ...]:
        if not frame.waiting or not self._able(title, state, frame, frame.waiting[0]):
            return ()
        player = frame.waiting[0]
        return (Ask(player, player, "auction.bid", (frame.item, str(frame.amount), frame.holder)),)

    def menu(self, title: Title, state: State, frame: Auction, ask: Ask) -> Menu:
        low, step = frame.amount + frame.step, 1 if self.any_amount else frame.step
        high = low + (self.funds(title, state, ask.player) - low) // step * step
        return (Range(Bid(ask.player, low), "amount", low, high, step), Exact(Drop(ask.player)))

    def decide(self, play: Play, frame: Auction, ask: Ask, order: Order) -> None:
        player = ask.player
        if isinstance(order, Bid):
            self._bid(play, frame, player, order)
        elif isinstance(order, Drop):
            if play.require(order.item in (None, frame.item), "bid.item", item=order.item, running=frame.item):
                play.emit(Dropped(player, frame.item, False))
                play.become(replace(frame, waiting=frame.waiting[1:]))
        else:
            play.refuse("order.wrong_kind", asked=ask.what)

    def _bid(self, play: Play, frame: Auction, player: PlayerId, order: Bid) -> None:
        low, cash = frame.amount + frame.step, self.funds(play.title, play.state, player)
        play.require(order.item in (None, frame.item), "bid.item", item=order.item, running=frame.item)
        play.require(order.amount >= low, "bid.too_low", amount=order.amount, least=low)
        whole = self.any_amount or order.amount % frame.step == 0
        play.require(whole, "bid.step", amount=order.amount, step=frame.step)
        play.require(order.amount <= cash, "bid.money", amount=order.amount, cash=cash)
        if play.failures:
            return
        play.emit(BidMade(player, frame.item, order.amount))
        play.become(replace(frame, holder=player, amount=order.amount, waiting=(*frame.waiting[1:], frame.holder)))

    def advance(self, play: Play, frame: Auction) -> None:
        if frame.waiting:
            play.emit(Dropped(frame.waiting[0], frame.item, True))
            play.become(replace(frame, waiting=frame.waiting[1:]))
            return
        play.emit(Won(frame.holder, frame.item, frame.amount))
        play.pop()
        self.won(play, frame)
