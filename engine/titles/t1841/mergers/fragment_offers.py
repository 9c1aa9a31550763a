"""Offers after the Secession, under a ruling: the holders of each part may buy certificates of it, again and again
while its president wants, and then the parts may buy tokens."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.core.agenda import Ask, Exact, Menu
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import OfferAgain, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.control import controller_of
from engine.titles.t1841.mergers.share_offers import begin_offers, check_offer, offer_to_holders
from engine.titles.t1841.mergers.token_orders import TokenPurchase
from engine.titles.t1841.rulings import rulings_of

TOKEN_PRICE = 50


@dataclass(frozen=True, slots=True)
class FragmentOffers(Frame):
    """``parts``: the parts of the IRSFF. ``first``: the player who decides where nobody controls a part. ``begun``: the
    number of parts that have offered once; ``done``: the parts that offer no more; ``turn``: the index of the part
    whose president is asked next. ``tokens``: the number of parts that have been asked to buy tokens."""

    parts: tuple[CompanyId, CompanyId]
    first: PlayerId
    begun: int = 0
    done: frozenset[CompanyId] = frozenset()
    turn: int = 0
    tokens: int = 0


class FragmentOffersStep:
    """Ask the presidents in turn, each only while somebody could buy."""  # rule 9.13, 9.14

    def asked(self, title: Title, state: State, frame: FragmentOffers) -> tuple[Ask, ...]:
        part = frame.parts[frame.turn]
        if (
            not rulings_of(title).fragment_offers
            or self._begins(title, frame)
            or len(frame.done) == len(frame.parts)
            or part in frame.done
        ):
            return ()
        if not self._anybody(title, state, frame, part):
            return ()
        player = controller_of(title, state, part) or frame.first
        return (Ask(player, part, "offer.again", (part,), OfferAgain(part, False)),)

    def menu(self, title: Title, state: State, frame: FragmentOffers, ask: Ask) -> Menu:
        part = frame.parts[frame.turn]
        return (Exact(OfferAgain(part, True)), Exact(OfferAgain(part, False)))

    def decide(self, play: Play, frame: FragmentOffers, ask: Ask, order: Order) -> None:
        if not isinstance(order, OfferAgain):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        part = frame.parts[frame.turn]
        other = replace(frame, turn=1 - frame.turn)
        if order.yes:
            play.become(other)
            begin_offers(play, part, frame.first, all_players=False)
        else:
            play.become(replace(other, done=frame.done | {part}))

    def advance(self, play: Play, frame: FragmentOffers) -> None:
        title, part = play.title, frame.parts[frame.turn]
        if self._begins(title, frame):
            play.become(replace(frame, begun=frame.begun + 1))
            begin_offers(play, frame.parts[frame.begun], frame.first, all_players=False)
        elif rulings_of(title).fragment_offers and len(frame.done) < len(frame.parts):
            play.become(replace(frame, turn=1 - frame.turn, done=frame.done | {part}))
        elif rulings_of(title).fragment_tokens and frame.tokens < len(frame.parts):
            play.become(replace(frame, tokens=frame.tokens + 1))
            play.push(TokenPurchase(frame.parts[frame.tokens], frame.first, TOKEN_PRICE, TOKEN_PRICE))
        else:
            play.pop()

    def _begins(self, title: Title, frame: FragmentOffers) -> bool:
        return rulings_of(title).fragment_offers and frame.begun < len(frame.parts)

    def _anybody(self, title: Title, state: State, frame: FragmentOffers, part: CompanyId) -> bool:
        holders = offer_to_holders(title, state, part, frame.first)
        return any(not check_offer(title, state, holder, part) for holder in holders)
