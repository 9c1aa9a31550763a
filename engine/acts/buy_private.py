"""A company buys a private company from a player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.acts.act import Act, Turn
from engine.core.agenda import Choice
from engine.core.checks import Failure
from engine.core.events import Lapsed, PrivateMoved
from engine.core.ids import CompanyId, PlayerId, PrivateId
from engine.core.orders import BuyPrivate, Order, PrivateSale
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.consent import Consent, ask_consent


def owner_of(state: State, private: PrivateId) -> PlayerId | None:
    """The player who owns the private; None if no player does."""
    owner = state.privates.get(private)
    return next((p for p in state.players if p == owner), None)


@dataclass(frozen=True, slots=True)
class BuyPrivates(Act):
    """Buying private companies. ``check`` returns every reason against a purchase, consent aside. ``list`` yields the
    privates that the company may buy, with the range of the price."""

    check: Callable[[Title, State, BuyPrivate], list[Failure]]
    list: Callable[[Title, State, CompanyId], Iterator[Choice]]

    takes = (BuyPrivate,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        return self.list(title, state, turn.company)

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, BuyPrivate)
        return order.price

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, BuyPrivate)
        play.note(self.check(play.title, play.state, order))
        if play.failures:
            return
        owner = owner_of(play.state, order.private)
        assert owner is not None
        if owner == player:
            buy_private(play, order)
        else:
            subject = PrivateSale(order.private, order.actor, order.price)
            ask_consent(play, order, player, subject, ((owner, owner),))

    def granted(self, play: Play, consent: Consent) -> None:
        assert isinstance(consent.order, BuyPrivate)
        if self.check(play.title, play.state, consent.order):
            play.emit(Lapsed(consent.order))
        else:
            buy_private(play, consent.order)


def buy_private(play: Play, order: BuyPrivate) -> None:
    """Carry out a purchase that has been checked and agreed."""
    owner = owner_of(play.state, order.private)
    assert owner is not None
    company: CompanyId = order.actor
    play.pay(company, owner, order.price, "private", order.private)
    play.emit(PrivateMoved(order.private, company))
