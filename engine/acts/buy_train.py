"""Buying trains from the bank, from the pool or from another company, whose director may have to agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from engine.acts.act import Act, Turn, turn_of
from engine.core.agenda import Choice
from engine.core.checks import Failure
from engine.core.events import Lapsed
from engine.core.ids import BANK, POOL, CompanyId, PlayerId, TrainName
from engine.core.orders import Order, Train, TrainSale
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.consent import Consent, ask_consent


def next_new(title: Title, state: State) -> TrainName | None:
    """The cheapest new train: the type on sale now, by the usual side of its card. None if no such train is left."""
    usual = (t.name for t in title.trains.values() if not t.special and t.card is None)
    return next((train for train in usual if state.supply.get(train, 1) > 0), None)


def new_trains(title: Title, state: State) -> tuple[TrainName, ...]:
    """All types that the bank sells new now: the cheapest, and special trains once they are available."""
    cheapest = next_new(title, state)
    special = tuple(
        t.name
        for t in title.trains.values()
        if t.special
        and state.supply.get(t.name, 1) > 0
        and (t.available_from is None or title.reached(state, t.available_from))
    )
    return ((cheapest,) if cheapest else ()) + special


def cheapest_of_bank_or_pool(title: Title, state: State) -> tuple[TrainName, str, int] | None:
    """The cheapest train for sale at face value: name, source and price. A used train comes before a new one at the
    same price."""
    found = [(title.trains[t].cost, 0, t, POOL) for t in state.pool_trains]
    found += [(title.trains[t].cost, 1, t, BANK) for t in new_trains(title, state)]
    if not found:
        return None
    cost, _, name, source = min(found)
    return name, source, cost


def train_room(title: Title, state: State, company: CompanyId) -> int:
    """Number of trains that the company may still take; negative if it is over the train limit."""
    return title.policies.train_limit(title, state, company) - len(state.companies[company].trains)


def price_of(title: Title, order: Train) -> int:
    """The price of a purchase that has been checked: the price agreed, or the printed cost if the order names none."""
    return title.trains[order.train].cost if order.price is None else order.price


def asking(title: Title) -> bool:
    """The usual ``BuyTrains.asks``: the director of the company that sells must agree."""
    return True


@dataclass(frozen=True, slots=True)
class BuyTrains(Act):
    """Buying trains. ``check`` returns every reason against a purchase, consent aside. ``list`` yields the purchases
    that the company may make. ``buy`` carries out a purchase that has been checked and agreed, with all its effects.
    ``owes`` returns the reason why the company may not end its turn without a train. ``asks`` is True if the director
    of another company that sells must agree. ``trades`` is True if a train may be given in part payment."""

    check: Callable[[Title, State, Turn, Train], list[Failure]]
    list: Callable[[Title, State, Turn], Iterator[Choice]]
    buy: Callable[[Play, Train], None]
    owes: Callable[[Title, State, CompanyId], Failure | None]
    asks: Callable[[Title], bool] = asking
    trades: bool = False

    takes = (Train,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        return self.list(title, state, turn)

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, Train)
        return price_of(title, order)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Train)
        tried = [order] if order.otherwise is None else [order, replace(order.otherwise, actor=turn.company)]
        for each in tried:
            if not play.require(self.trades or each.trade is None, "train.no_trade", trade=each.trade):
                return
            play.note(f for f in self.check(play.title, play.state, turn, each) if f not in play.failures)
        if not play.failures:
            self._buy(play, player, order)

    def _buy(self, play: Play, player: PlayerId, order: Train) -> None:
        """Carry out a purchase that has been checked, or ask the other company's director to agree first."""
        title = play.title
        if order.source in (None, BANK, POOL):
            self.buy(play, order)
            return
        seller = CompanyId(order.source or "")
        other = title.policies.director(title, play.state, seller)
        if other is None or other == player or not self.asks(title):
            self.buy(play, order)
            return
        subject = TrainSale(order.train, order.actor, price_of(title, order))
        ask_consent(play, order, player, subject, ((other, seller),))

    def due(self, title: Title, state: State, turn: Turn) -> Failure | None:
        return self.owes(title, state, turn.company)

    def granted(self, play: Play, consent: Consent) -> None:
        order = consent.order
        assert isinstance(order, Train)
        if self.check(play.title, play.state, turn_of(play.state), order):
            play.emit(Lapsed(order))
            return
        self.buy(play, order)
        if order.otherwise is not None:
            play.emit(Lapsed(order.otherwise))

    def refused(self, play: Play, consent: Consent) -> None:
        """Carry out the fallback, if there is one and it is still possible."""
        assert isinstance(consent.order, Train)
        if consent.order.otherwise is None:
            return
        fallback = replace(consent.order.otherwise, actor=consent.order.actor)  # whatever actor the fallback names
        if self.check(play.title, play.state, turn_of(play.state), fallback):
            play.emit(Lapsed(fallback))
        else:
            self._buy(play, consent.player, fallback)
