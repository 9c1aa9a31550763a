"""Auctions of privates in a merger round, begun by the player or company that owns them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.core.agenda import Ask, Exact, Menu, Range
from engine.core.checks import Fact, Failure
from engine.core.events import Marked, Opened, PrivateMoved
from engine.core.ids import Actor, PlayerId, PrivateId
from engine.core.orders import OfferPrivate, Order, Pass
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.titles.t1863.entities import decider_of, entities_of, player_of
from engine.titles.t1863.failures.lots import LotAuction, LotRules, all_means, begin_lot, pay_with_loans
from engine.titles.t1863.names import CLINK, MERGER_ROUND, OFFERED, mark
from engine.titles.t1863.privates.purchase import most_price
from engine.titles.t1863.stock.shares import players_in, seats_after

PRIVATE = "private"
"""The kind of lot."""
LEAST = 5
"""The lowest minimum price that a seller may set."""


# ---- putting one up --------------------------------------------------------------------------------------------------


def on_sale(title: Title, state: State, seller: Actor) -> tuple[PrivateId, ...]:
    """The privates that the seller may put up now: those it owns, except the Clink Club and those already put up in
    this round."""
    # rule 8.8
    offered: frozenset[PrivateId] = mark(state, OFFERED, frozenset())
    return tuple(p for p, owner in state.privates.items() if owner == seller and p not in offered and p != CLINK)


def check_offer(title: Title, state: State, order: OfferPrivate) -> list[Failure]:
    """Every reason why the private may not be put up. A player may also put up privates of his companies in his own
    name."""
    # rule 8.8
    private, failures = order.private, list[Failure]()
    if state.round.kind != MERGER_ROUND:
        failures.append(Failure("offer.round", {"private": private}))
    owner = _seller(title, state, order)
    if owner is None:
        facts: dict[str, Fact] = {"private": private, "owner": state.privates.get(private), "actor": order.actor}
        failures.append(Failure("offer.private", facts))
    elif private == CLINK:  # rule 9.13
        failures.append(Failure("offer.clink", {"private": private}))
    elif private in mark(state, OFFERED, frozenset[PrivateId]()):
        failures.append(Failure("offer.twice", {"private": private}))
    if order.minimum < LEAST:
        failures.append(Failure("offer.minimum", {"private": private, "minimum": order.minimum, "least": LEAST}))
    return failures


def _seller(title: Title, state: State, order: OfferPrivate) -> Actor | None:
    """The owner of the private, if it gives the order itself or is a company of the player who gives it. None
    otherwise, and for a company in liquidation."""  # rule 8.8, 12.64
    owner, player = state.privates.get(order.private), decider_of(title, state, order.actor)
    mine = () if player is None else entities_of(title, state, player)
    return next((e for e in mine if e == owner and order.actor in (owner, player)), None)


def put_up(play: Play, order: OfferPrivate) -> None:
    """Put up a private whose offer was checked. The player on the left of the seller bids first. Call this last."""
    # rule 8.8, 9.17
    seller = _seller(play.title, play.state, order)
    assert seller is not None, order
    player = decider_of(play.title, play.state, seller)
    assert player is not None, order
    offered: frozenset[PrivateId] = mark(play.state, OFFERED, frozenset())
    play.emit(Opened(seller, order.private, order.minimum), Marked(OFFERED, offered | {order.private}))
    begin_lot(play, PRIVATE, order.private, seller, order.minimum, (*seats_after(play.state, player), player)[0])


def list_offers(title: Title, state: State, seller: Actor) -> Iterator[Range]:
    """Every private that the seller may put up. The highest minimum listed is the most that anybody could pay."""
    privates = on_sale(title, state, seller)
    if not privates:
        return
    means = (all_means(title, state, e) for p in players_in(state) for e in entities_of(title, state, p))
    richest = max(LEAST, *means)
    for private in privates:
        yield Range(OfferPrivate(seller, private, LEAST), "minimum", LEAST, richest)


# ---- the lot ---------------------------------------------------------------------------------------------------------


def _may_bid(title: Title, state: State, frame: LotAuction, entity: Actor) -> Failure | None:
    """Refuse a bid by the seller, or by the owner of the Clink Club for himself. Any other player, and any other
    company, may bid."""  # rule 8.8, 9.13
    if entity == frame.seller:
        return Failure("lot.seller", {"private": frame.item, "seller": frame.seller})
    if state.privates.get(CLINK) == entity:
        return Failure("lot.clink", {"private": frame.item})
    return None


def _means(title: Title, state: State, frame: LotAuction, entity: Actor) -> int:
    """The most that an entity can bid: a player's cash, or a company's cash and loans up to the highest price that it
    may pay for a private."""
    # rule 8.8, 12.66
    means = all_means(title, state, entity)
    return means if player_of(state, entity) is not None else min(means, most_price(title, PrivateId(frame.item)))


def _sold(play: Play, frame: LotAuction) -> None:
    assert frame.holder is not None
    pay_with_loans(play, frame.holder, frame.seller, frame.amount, frame.item)
    play.emit(PrivateMoved(PrivateId(frame.item), frame.holder))


def _kept(play: Play, frame: LotAuction) -> None:
    """Do nothing: nobody has bid the minimum, so the seller keeps the private."""  # rule 12.48


PRIVATE_LOTS = LotRules(_may_bid, _means, _sold, _kept)


# ---- the question at the beginning of the round ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PrivateOffers(Frame):
    """``waiting``: the players who may still put privates up, each with the entity for which he acts."""

    waiting: tuple[tuple[PlayerId, Actor], ...]


def ask_for_offers(play: Play) -> None:
    """Ask all owners of privates that may be put up, all at once. An owner who does not answer puts none up. Call this
    last, at the beginning of a merger round."""  # rule 8.8
    title, state = play.title, play.state
    sellers = [(p, e) for p in players_in(state) for e in entities_of(title, state, p)]
    play.push(PrivateOffers(tuple((p, e) for p, e in sellers if on_sale(title, state, e))))


class PrivateOffersStep:
    """Asks until all sellers have passed or have nothing left to put up."""

    def asked(self, title: Title, state: State, frame: PrivateOffers) -> tuple[Ask, ...]:
        return tuple(self._ask(title, state, p, e) for p, e in frame.waiting if on_sale(title, state, e))

    def _ask(self, title: Title, state: State, player: PlayerId, seller: Actor) -> Ask:
        about = (seller, *on_sale(title, state, seller))
        what = "privates.offer" if player == seller else "privates.offer.for"
        return Ask(player, seller, what, about, Pass(seller))

    def menu(self, title: Title, state: State, frame: PrivateOffers, ask: Ask) -> Menu:
        return (*list_offers(title, state, ask.actor), Exact(Pass(ask.actor)))

    def decide(self, play: Play, frame: PrivateOffers, ask: Ask, order: Order) -> None:
        if isinstance(order, Pass):
            play.become(PrivateOffers(tuple(w for w in frame.waiting if w[1] != ask.actor)))
        else:  # privates are put up by orders that need no question
            play.refuse("order.wrong_kind", asked=ask.what)

    def advance(self, play: Play, frame: PrivateOffers) -> None:
        play.pop()
