"""The auction of privates: the opener names one and bids, and the others raise or drop out. An opener may pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.core.agenda import Ask, Exact, Menu, Range
from engine.core.events import Opened, Passed, PrivateClosed, PrivateMoved
from engine.core.ids import BANK, PlayerId, PrivateId
from engine.core.orders import Open, Order, Pass
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.succession import from_left_of
from engine.steps.auction import Auction, open_auction
from engine.titles.t1863.names import CLINK
from engine.titles.t1863.privates.quick_deal import deal_out
from engine.titles.t1863.rulings import rulings_of

STEP: Final = 5
"""The lowest first bid, and the smallest raise."""


@dataclass(frozen=True, slots=True)
class PrivateRound(Frame):
    """``opener`` names the next private. ``passes`` counts the openers who have passed in a row before him."""

    opener: PlayerId
    passes: int = 0


def begin_privates(play: Play) -> None:
    """Put the auction of privates on the agenda, opened by the priority player, with the quick deal before it if it is
    played."""
    # rule 3.1, 3.7, 2.5
    play.push(PrivateRound(play.state.priority))
    if rulings_of(play.title).quick_auction:
        deal_out(play)


def on_offer(state: State) -> tuple[PrivateId, ...]:
    """The privates that nobody owns yet, in list order."""
    return tuple(private for private, owner in state.privates.items() if owner is None)


def openings(title: Title, state: State) -> tuple[PrivateId, ...]:
    """The privates that an opener may name: any on offer, or by a ruling only the first of the list."""  # rule 12.4
    found = on_offer(state)
    return found[:1] if rulings_of(title).openings == "listed" else found


def may_have(state: State, player: PlayerId, private: PrivateId) -> bool:
    """True if the player may bid for the private. The owner of the Clink Club may not bid for any private, and a player
    who owns a private may not bid for the Clink Club."""  # rule 3.6, 12.5, 9.15
    if state.privates.get(CLINK) == player:
        return False
    return private != CLINK or player not in state.privates.values()


def may_bid(title: Title, state: State, player: PlayerId) -> bool:
    """True if the player may bid for the private being auctioned. The owner of the Clink Club may not."""
    # rule 3.6, 3.10
    assert isinstance(state.top, Auction), state.top
    return may_have(state, player, PrivateId(state.top.item))


def won(play: Play, frame: Auction) -> None:
    """Let the winner pay the bank and take the private. The player on his left opens next."""  # rule 3.3
    play.pay(frame.holder, BANK, frame.amount, "bid", frame.item)
    play.emit(PrivateMoved(PrivateId(frame.item), frame.holder))
    play.become(PrivateRound(_left_of(play.state, frame.holder)))


def _left_of(state: State, player: PlayerId) -> PlayerId:
    return from_left_of(state, player)[0]


class PrivateRoundStep:
    """Auctions the privates one by one until none is on offer."""

    def asked(self, title: Title, state: State, frame: PrivateRound) -> tuple[Ask, ...]:
        player = frame.opener
        if not any(self._offers(title, state, player)):
            return ()
        return (Ask(player, player, "privates.open", openings(title, state)),)

    def menu(self, title: Title, state: State, frame: PrivateRound, ask: Ask) -> Menu:
        return (*self._offers(title, state, ask.player), Exact(Pass(ask.player)))

    def _offers(self, title: Title, state: State, player: PlayerId) -> Iterator[Range]:
        cash = state.money(player)
        for private in openings(title, state) if cash >= STEP else ():
            if may_have(state, player, private):
                yield Range(Open(player, private, STEP), "amount", STEP, cash)

    def decide(self, play: Play, frame: PrivateRound, ask: Ask, order: Order) -> None:
        if isinstance(order, Pass):
            self._pass(play, frame, forced=False)
        elif isinstance(order, Open):
            self._open(play, ask.player, order)
        else:
            play.refuse("order.wrong_kind", asked=ask.what)

    def _open(self, play: Play, player: PlayerId, order: Open) -> None:
        """Begin the auction of a private. If no amount is given, the first bid is the lowest allowed."""  # rule 3.1
        offered, amount = openings(play.title, play.state), STEP if order.amount is None else order.amount
        private = next((p for p in offered if order.item == p or (order.item is None and len(offered) == 1)), None)
        if not play.require(private is not None, "open.item", item=order.item, items=offered):
            return
        assert private is not None
        if private == CLINK:
            held = tuple(p for p, owner in play.state.privates.items() if owner == player)
            play.require(not held, "open.clink", held=held)  # rule 3.6
        play.require(play.state.privates.get(CLINK) != player, "open.clink_owner", private=private)
        play.require(amount >= STEP, "open.minimum", item=private, amount=amount, least=STEP)
        cash = play.state.money(player)
        play.require(amount <= cash, "open.money", amount=amount, cash=cash)
        if not play.failures:
            play.emit(Opened(player, private, amount))
            open_auction(play, private, player, amount)

    def _pass(self, play: Play, frame: PrivateRound, forced: bool) -> None:
        """Let the next player open. When all have passed in a row, the first private leaves the game and the right to
        open moves one more seat to the left."""  # rule 3.4
        play.emit(Passed(frame.opener, forced))
        following, passes = _left_of(play.state, frame.opener), frame.passes + 1
        if passes == len(play.state.players):
            play.emit(PrivateClosed(on_offer(play.state)[0]))
            following, passes = _left_of(play.state, following), 0
        play.become(PrivateRound(following, passes))

    def advance(self, play: Play, frame: PrivateRound) -> None:
        if on_offer(play.state):
            self._pass(play, frame, forced=True)
        else:
            play.pop()  # rule 3.5
