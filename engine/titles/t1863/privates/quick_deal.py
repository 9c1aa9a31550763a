"""The quick alternative to the auction: privates are dealt out, and each player keeps one for half its face value or
returns it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import PrivateMoved
from engine.core.ids import BANK, PlayerId, PrivateId
from engine.core.orders import KeepPrivate, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.succession import from_player
from engine.titles.t1863.names import CLINK
from engine.titles.t1863.rulings import rulings_of


@dataclass(frozen=True, slots=True)
class QuickDeal(Frame):
    """``dealt``: the players who must still answer, each with a private, the next first."""

    dealt: tuple[tuple[PlayerId, PrivateId], ...]


def deal_out(play: Play) -> None:
    """Deal the privates at random, beginning with the priority player, the same number to each player. The rest is
    auctioned, or by a ruling dealt too. The Clink Club is not dealt."""  # rule 3.7, 12.6
    seats = from_player(play.state, play.state.priority)
    left = [private for private in play.state.privates if private != CLINK]
    number = len(left)
    if rulings_of(play.title).uneven_deal == "auctioned":
        number -= number % len(seats)
    dealt: dict[PlayerId, list[PrivateId]] = {player: [] for player in seats}
    for n in range(number):
        private = PrivateId(play.draw("private dealt", left))
        left.remove(private)
        dealt[seats[n % len(seats)]].append(private)
    play.push(QuickDeal(tuple((player, private) for player in seats for private in dealt[player])))


def price(title: Title, private: PrivateId) -> int:
    """The price of a dealt private: half its face value."""
    return title.privates[private].face // 2


class QuickDealStep:
    """Asks the players in seat order to keep or return each private."""

    def asked(self, title: Title, state: State, frame: QuickDeal) -> tuple[Ask, ...]:
        if not frame.dealt:
            return ()
        player, private = frame.dealt[0]
        return (Ask(player, player, "privates.keep", (private, str(price(title, private)))),)

    def menu(self, title: Title, state: State, frame: QuickDeal, ask: Ask) -> Menu:
        player, private = frame.dealt[0]
        returned = Exact(KeepPrivate(player, private, False))
        if state.money(player) < price(title, private):
            return (returned,)
        return (Exact(KeepPrivate(player, private, True)), returned)

    def decide(self, play: Play, frame: QuickDeal, ask: Ask, order: Order) -> None:
        if not isinstance(order, KeepPrivate):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        player, private = frame.dealt[0]
        if not play.require(order.private == private, "keep.private", private=order.private, asked=private):
            return
        cost, cash = price(play.title, private), play.state.money(player)
        if not play.require(not order.keep or cost <= cash, "keep.money", private=private, price=cost, cash=cash):
            return
        if order.keep:
            play.pay(player, BANK, cost, "private", private)
            play.emit(PrivateMoved(private, player))
        play.become(QuickDeal(frame.dealt[1:]))

    def advance(self, play: Play, frame: QuickDeal) -> None:
        play.pop()
