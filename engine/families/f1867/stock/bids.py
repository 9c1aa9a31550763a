"""Bids that open the auction of a private or of a minor, and the results of auctions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.core.agenda import Choice, Exact, Range
from engine.core.checks import Failure
from engine.core.events import MinimumReduced, Opened, PrivateMoved, Won
from engine.core.ids import BANK, Actor, CompanyId, PlayerId, PrivateId
from engine.core.orders import Open
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867.kin import kin
from engine.families.f1867.names import MINOR
from engine.families.f1867.rulings import rulings_of
from engine.families.f1867.stock.frame import StockRound, end_turn, minimum_of
from engine.families.f1867.stock.starts import may_take_certificate, offered_minors, on_offer, start_minor
from engine.holders.charters import charter_of
from engine.shares.limits import check_certificates
from engine.steps.auction import Auction, open_auction

STEP: Final = 5
"""Bids are multiples of this amount, and minimum bids fall by it."""
MINOR_MINIMUM: Final = 100


def list_bids(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    """The first bids that a player may make: for the private on offer or, if all are sold, for a minor."""
    player, cash, private = frame.turn, state.money(actor), on_offer(title, state)
    if not may_take_certificate(title, state, player):
        return
    items = offered_minors(title, state) if private is None else (private,)
    least = MINOR_MINIMUM if private is None else minimum_of(title, frame, private)
    for item in items if cash >= least else ():
        if _dutch(title, frame):
            yield Exact(Open(player, item, least))
            continue
        for order in (Open(player, item, least),) if private else kin(title).openings(title, state, CompanyId(item)):
            first = replace(order, actor=player, amount=least)
            yield Range(first, "amount", least, least + (cash - least) // STEP * STEP, STEP)


def _dutch(title: Title, frame: StockRound) -> bool:
    """True if the private on offer goes at once to a player who pays its reduced price."""
    return rulings_of(title).reduced_private == "dutch" and frame.minimum is not None


def check_bid(title: Title, state: State, frame: StockRound, order: Open) -> list[Failure]:
    """Every reason why the player may not open an auction with this bid."""
    private, cash = on_offer(title, state), state.money(order.actor)
    item, failures = _check_item(title, state, order, private)
    if item is None:
        return failures
    least = MINOR_MINIMUM if private is None else minimum_of(title, frame, private)
    amount = least if order.amount is None else order.amount
    if amount < least:
        failures.append(Failure("open.too_low", {"item": item, "amount": amount, "least": least}))
    if amount % STEP:
        failures.append(Failure("bid.step", {"amount": amount, "step": STEP}))
    if amount > cash:
        failures.append(Failure("bid.money", {"amount": amount, "cash": cash}))
    asked = private is not None and _dutch(title, frame) and rulings_of(title).dutch_price == "asked"
    if asked and amount != least:
        failures.append(Failure("open.asked_price", {"item": item, "amount": amount, "price": least}))
    if private is None:
        failures += kin(title).check_opening(title, state, order)
    elif order.space is not None and order.item in (None, private):
        failures.append(Failure("open.private_home", {"item": item}))
    return failures + check_certificates(title, state, order.actor)


def _check_item(title: Title, state: State, order: Open, private: PrivateId | None) -> tuple[str | None, list[Failure]]:
    """The item that the order opens, and every reason why it is not for sale; None if the order names none and there is
    a choice."""
    if private is not None:
        right = order.item in (None, private)
        return private, [] if right else [Failure("open.order", {"item": order.item, "next": private})]
    offered = offered_minors(title, state)
    if order.item is not None:
        return order.item, list(_check_minor(title, state, order.item, offered))
    if len(offered) == 1:
        return offered[0], []
    return None, [Failure("ambiguous.item", {"items": tuple(map(str, offered))})]


def _check_minor(title: Title, state: State, item: str, offered: tuple[CompanyId, ...]) -> Iterator[Failure]:
    data = title.companies.get(CompanyId(item))
    if data is None or charter_of(title, state, data.id).kind != MINOR:
        yield Failure("open.not_a_minor", {"item": item})
    elif title.reached(state, "5"):
        yield Failure("open.too_late", {"item": item, "phase": state.phase})
    elif item in offered:
        return
    elif state.companies[data.id].status != "unstarted":
        yield Failure("open.taken", {"item": item})
    elif data.available_from is not None and not title.reached(state, data.available_from):
        yield Failure("open.too_early", {"item": item, "phase": state.phase, "available": data.available_from})
    else:
        yield Failure("open.first_minor", {"item": item, "first": kin(title).first_minor(title, state)})


def open_bid(play: Play, order: Open) -> None:
    """Carry out a checked bid: open an auction, or sell a private at its reduced price."""
    title, state, player, frame = play.title, play.state, PlayerId(order.actor), _round(play)
    private = on_offer(title, state)
    item = private or order.item or offered_minors(title, state)[0]
    least = MINOR_MINIMUM if private is None else minimum_of(title, frame, private)
    amount = least if order.amount is None else order.amount
    if private is not None and _dutch(title, frame):
        play.emit(Won(player, private, amount))
        _sold_private(play, private, player, player, amount)
        return
    play.emit(Opened(player, item, amount))
    if private is None:
        kin(title).opened(play, replace(order, item=CompanyId(item)))
    open_auction(play, item, player, amount)


def _round(play: Play) -> StockRound:
    frame = play.state.top
    assert isinstance(frame, StockRound), frame
    return frame


def won(play: Play, auction: Auction) -> None:
    """Carry out the result of an auction. The frame of the stock round is on top again."""
    if auction.item in play.title.privates:
        _sold_private(play, PrivateId(auction.item), auction.holder, auction.proposer, auction.amount)
        return
    start_minor(play, CompanyId(auction.item), auction.holder, auction.amount)
    end_turn(play, _round(play), auction.holder, auction.proposer)


def _sold_private(play: Play, private: PrivateId, player: PlayerId, proposer: PlayerId, amount: int) -> None:
    play.pay(player, BANK, amount, "bid", private)  # rule 2.5
    play.emit(PrivateMoved(private, player))
    end_turn(play, replace(_round(play), minimum=None), player, proposer)


def reduce_minimum(play: Play, frame: StockRound, private: PrivateId) -> None:
    """Lower the price of a private on which all have passed. At 0 it goes to the player who passed first."""
    assert frame.led is not None
    minimum = minimum_of(play.title, frame, private) - STEP  # rule 2.7
    if minimum > 0:
        play.emit(MinimumReduced(private, minimum))
        play.become(replace(frame, turn=frame.led, passes=0, led=None, minimum=minimum))
    else:
        play.emit(Won(frame.led, private, 0))  # rule 2.8
        _sold_private(play, private, frame.led, frame.led, 0)
