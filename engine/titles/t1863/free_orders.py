"""Orders that players may give without being asked: gifts of money, and offers of privates in a merger round."""

from __future__ import annotations

from typing import Final

from engine.acts.act import Turn
from engine.core.agenda import Choice, Menu, Range
from engine.core.checks import Failure
from engine.core.decide import asked
from engine.core.ids import PlayerId
from engine.core.orders import OfferPrivate, Order, PayPlayer
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.auction import Auction
from engine.titles.t1863.entities import entities_of
from engine.titles.t1863.failures.lots import LotAuction
from engine.titles.t1863.money.player_debt import PlayerDebt
from engine.titles.t1863.names import MERGER_ROUND
from engine.titles.t1863.privates.sales import PrivateOffers, check_offer, list_offers, put_up
from engine.titles.t1863.stock.shares import players_in

KINDS: Final[frozenset[type[Order]]] = frozenset({PayPlayer, OfferPrivate})
"""The orders that need no question."""


def nothing_else_open(state: State) -> bool:
    """True if the agenda holds only the course of the game and the present round, and perhaps the turn of a company.
    There is then no open auction, debt or other question."""
    above = state.agenda[2:]
    return not above or (len(above) == 1 and isinstance(above[0], Turn))


def unasked(title: Title, state: State, player: PlayerId) -> Menu:
    """The orders that the player may give now without being asked."""
    if player not in players_in(state):
        return ()
    found: list[Choice] = []
    if (cash := state.money(player)) and player not in _bound(title, state):
        others = (p for p in players_in(state) if p != player)
        found += (Range(PayPlayer(player, other, 1), "amount", 1, cash) for other in others)
    if state.round.kind == MERGER_ROUND and nothing_else_open(state):
        found += (offer for entity in entities_of(title, state, player) for offer in list_offers(title, state, entity))
    return tuple(found)


def decide_unasked(play: Play, order: Order) -> bool:
    """Decide a gift or an offer of a private. Return False for any other order."""
    if isinstance(order, PayPlayer):
        play.note(_check_gift(play.title, play.state, order))
        if not play.failures:
            play.pay(order.actor, order.payee, order.amount, "gift")
        return True
    if isinstance(order, OfferPrivate):
        play.note(check_offer(play.title, play.state, order))
        open_now = nothing_else_open(play.state) or isinstance(play.state.top, PrivateOffers)
        play.require(open_now or bool(play.failures), "offer.busy", private=order.private)
        if not play.failures:
            put_up(play, order)
        return True
    return False


def _bound(title: Title, state: State) -> frozenset[PlayerId]:
    """The players whose cash may be needed for what interrupts the round: those who are asked, who have the highest bid
    or who owe."""  # rule 2.6
    if nothing_else_open(state):
        return frozenset()
    found: set[str | None] = {ask.player for ask in asked(title, state)}
    for frame in state.agenda:
        if isinstance(frame, PlayerDebt):
            found.add(frame.player)
        elif isinstance(frame, Auction | LotAuction):
            found.add(frame.holder)
    return frozenset(player for player in state.players if player in found)


def _check_gift(title: Title, state: State, order: PayPlayer) -> list[Failure]:
    """Every reason why the gift is not allowed. Gifts are allowed at any time, but not of cash that may be needed."""
    # rule 2.3, 2.6
    playing = players_in(state)
    gone = (p for p in (order.actor, order.payee) if p not in playing)
    failures = [Failure("pay.payee", {"player": p, "players": playing}) for p in gone]
    if order.actor == order.payee:
        failures.append(Failure("pay.self", {"player": order.actor}))
    cash = state.money(order.actor)
    if not 1 <= order.amount <= cash:
        failures.append(Failure("pay.money", {"amount": order.amount, "cash": cash}))
    if order.actor in _bound(title, state):
        failures.append(Failure("pay.busy", {"amount": order.amount}))
    return failures
