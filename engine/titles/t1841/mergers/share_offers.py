"""Offers of a company's unsold certificates, one to each: after a transformation, to its holders and then to all
players; under a ruling, also to the holders of the parts of the IRSFF."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.core.agenda import Ask, Exact, Menu
from engine.core.checks import Failure
from engine.core.events import Passed
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.orders import Buy, Order, Take
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.control import controller_of
from engine.holders.ledger import shares
from engine.titles.t1841.mergers.decision_order import as_actor, decision_order
from engine.titles.t1841.stock.limits import decider_of, player_of
from engine.titles.t1841.stock.trading import buy, check_buy


@dataclass(frozen=True, slots=True)
class ShareOffers(Frame):
    """``waiting``: those to whom a certificate of ``company`` is still to be offered, in decision order. ``first``: the
    player with whom the order begins if nobody controls the company. ``all_players``: every player is offered one more
    afterwards."""

    company: CompanyId
    waiting: tuple[Actor, ...]
    first: PlayerId
    all_players: bool = False


def offer_to_holders(title: Title, state: State, company: CompanyId, first: PlayerId) -> tuple[Actor, ...]:
    """The holders of the company to whom it offers certificates: players, and companies that somebody controls, in
    decision order from its controller, or from ``first``."""  # rule 10.23, clarification 1.18
    begins = controller_of(title, state, company) or first
    return tuple(
        as_actor(state, holder)
        for holder in decision_order(title, state, begins)
        if holder != company and shares(title, state, holder, company) and _decider(title, state, holder) is not None
    )


def _decider(title: Title, state: State, holder: str) -> PlayerId | None:
    if holder in state.players or holder in state.companies:
        return decider_of(title, state, as_actor(state, holder))
    return None


def begin_offers(play: Play, company: CompanyId, first: PlayerId, all_players: bool) -> None:
    """Offer the company's certificates to its holders and, with ``all_players``, to every player afterwards."""
    play.push(ShareOffers(company, offer_to_holders(play.title, play.state, company, first), first, all_players))


def check_offer(title: Title, state: State, holder: Actor, company: CompanyId) -> list[Failure]:
    """Every reason why the holder cannot take the certificate: money, limits, a circle, or none left."""
    return check_buy(title, state, holder, Buy(holder, company, "treasury"))


class ShareOffersStep:
    """Offer the certificates in turn. A holder who could not take one is not asked."""

    def asked(self, title: Title, state: State, frame: ShareOffers) -> tuple[Ask, ...]:
        if not frame.waiting:
            return ()
        holder = frame.waiting[0]
        player = _decider(title, state, holder)
        if player is None or check_offer(title, state, holder, frame.company):
            return ()
        about = (frame.company, str(title.price(state, frame.company)))
        return (Ask(player, holder, "offer.shares", about, Take(holder, 0)),)

    def menu(self, title: Title, state: State, frame: ShareOffers, ask: Ask) -> Menu:
        return (Exact(Take(ask.actor, 1)), Exact(Take(ask.actor, 0)))

    def cost(self, title: Title, state: State, frame: ShareOffers, order: Order) -> int | None:
        """The price of the certificate; 0 if it is declined, and None for other orders."""
        return order.count * title.price(state, frame.company) if isinstance(order, Take) else None

    def decide(self, play: Play, frame: ShareOffers, ask: Ask, order: Order) -> None:
        if not isinstance(order, Take):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        company = frame.company
        play.require(order.company in (None, company), "offer.company", company=order.company, offered=company)
        if play.require(0 <= order.count <= 1, "offer.one_each", count=order.count) and order.count:
            play.note(check_offer(play.title, play.state, order.actor, company))
        if play.failures:
            return
        play.become(replace(frame, waiting=frame.waiting[1:]))
        if order.count:
            buy(play, order.actor, Buy(order.actor, company, "treasury"))
        else:
            play.emit(Passed(order.actor))

    def advance(self, play: Play, frame: ShareOffers) -> None:
        if frame.waiting:
            play.emit(Passed(frame.waiting[0], True))
            play.become(replace(frame, waiting=frame.waiting[1:]))
        elif frame.all_players:
            title, state = play.title, play.state
            begins = controller_of(title, state, frame.company) or frame.first
            order = decision_order(title, state, begins)
            players = tuple(p for holder in order if (p := player_of(state, as_actor(state, holder))) is not None)
            play.become(replace(frame, waiting=players, all_players=False))
        else:
            play.pop()
