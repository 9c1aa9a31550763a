"""Ways to choose the order that hurts a silent player least."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.decide import cost, effects
from engine.core.events import DirectorChanged, Event, Sold
from engine.core.evolve import evolve
from engine.core.ids import BANK, POOL, CompanyId
from engine.core.orders import Discard, Keep, Order, Pay, Sell, Space, Train
from engine.core.state import State
from engine.defaults.rule import Choose, Question
from engine.holders.control import owner_of
from engine.shares.limits import over_limit


def silent(question: Question) -> Order | None:
    """The answer that the question itself has for silence."""
    return question.ask.silence


def first(*kinds: type[Order]) -> Choose:
    """The first order of one of these kinds, in the order of the menu."""

    def choose(question: Question) -> Order | None:
        return next((choice.order for choice in question.menu if isinstance(choice.order, kinds)), None)

    return choose


def pays(*ways: str) -> Choose:
    """The first of these ways to use the earnings that is legal."""

    def choose(question: Question) -> Order | None:
        found = {order.kind: order for order in question.of(Pay)}
        return next((found[way] for way in ways if way in found), None)

    return choose


# ---- trains ---------------------------------------------------------------------------------------------------------


def for_sale(question: Question) -> list[Train]:
    """The trains that bank and pool sell to the company now, the cheapest first; of equals a used one first."""
    found = [order for order in question.of(Train) if order.source in (None, BANK, POOL)]
    return sorted(found, key=lambda order: (price(question, order), order.source != POOL))


def price(question: Question, order: Order) -> int:
    """The price that the actor pays for the order now; 0 if it has no price."""
    return cost(question.title, question.state, order) or 0


def cheapest_train(question: Question) -> Order | None:
    """The cheapest train of bank or pool, for a company that has none."""
    owned = question.state.companies[question.company].trains
    return None if owned else next(iter(for_sale(question)), None)


def train_in_cash(question: Question) -> Order | None:
    """The cheapest train of bank or pool, if the company and its director have the money for it in cash."""
    order = cheapest_train(question)
    if not isinstance(order, Train):
        return None
    ready = question.state.money(order.actor) + max(0, question.state.money(question.ask.player))
    return order if price(question, order) <= ready else None


def sister_train(question: Question) -> Order | None:
    """The cheapest train of another company of the same director: one that has a train to spare first, for the printed
    price or as much of it as the rules allow."""
    title, state, player = question.title, question.state, question.ask.player
    fair: dict[tuple[str, str], Train] = {}
    for order in question.every(Train):
        source = order.source
        if source in (None, BANK, POOL) or title.policies.director(title, state, CompanyId(source or "")) != player:
            continue
        if order.price is None or order.price <= title.trains[order.train].cost or (source, order.train) not in fair:
            fair[source or "", order.train] = order

    def rank(order: Train) -> tuple[bool, int]:
        return len(state.companies[CompanyId(order.source or "")].trains) < 2, title.trains[order.train].cost

    return min(fair.values(), key=rank, default=None)


def cheapest_discard(question: Question) -> Order | None:
    """The cheapest train of those that may be discarded."""
    trains = question.title.trains
    return min(question.of(Discard), key=lambda order: trains[order.train].cost, default=None)


# ---- shares ---------------------------------------------------------------------------------------------------------


def least_sale(question: Question, helps: Callable[[Sell, State], bool] | None = None) -> Order | None:
    """The sale that gives up least. One that costs no directorship comes first. ``helps`` is True for a sale, with the
    position after it, that serves its purpose; others are made only if none does."""

    def rank(order: Sell) -> tuple[bool, bool, int, int]:
        events = effects(question.title, question.state, order)
        useless = helps is not None and not helps(order, _after(question, events))
        return useless, _leads_no_more(question, order, events), _proceeds(events), order.count

    return min(question.every(Sell), key=rank, default=None)


def sale_for(question: Question, need: int) -> Order | None:
    """The sale that gives up least among those that bring ``need``; if none does, the one that brings most. One that
    costs no directorship comes first."""

    def rank(order: Sell) -> tuple[bool, bool, int, int]:
        events = effects(question.title, question.state, order)
        brought = _proceeds(events)
        short = brought < need
        return short, _leads_no_more(question, order, events), -brought if short else brought, order.count

    return min(question.every(Sell), key=rank, default=None)


def certificates_fall(question: Question) -> Callable[[Sell, State], bool]:
    """True for a sale after which the player has fewer certificates over the limit."""
    title, player = question.title, question.ask.player
    before = over_limit(title, question.state, player)
    return lambda order, state: over_limit(title, state, player) < before


def _after(question: Question, events: tuple[Event, ...]) -> State:
    state = question.state
    for event in events:
        state = evolve(question.title, state, event)
    return state


def _proceeds(events: tuple[Event, ...]) -> int:
    return sum(event.amount for event in events if isinstance(event, Sold))


def _leads_no_more(question: Question, order: Sell, events: tuple[Event, ...]) -> bool:
    """True if the sale takes the directorship of the company sold from somebody for whom the player acts."""
    lost = any(isinstance(event, DirectorChanged) and event.company == order.company for event in events)
    return lost and owner_of(question.title, question.state, order.company) == order.actor


# ---- markers --------------------------------------------------------------------------------------------------------


def best_markers(question: Question) -> Order | None:
    """The choice that keeps the most markers and, of those, the ones in the cities with the highest values."""

    def rank(order: Keep) -> tuple[int, int]:
        return len(order.spaces), sum(city_value(question, space) for space in order.spaces)

    return max(question.of(Keep), key=rank, default=None)


def city_value(question: Question, space: Space) -> int:
    """The value of a city now; of a hex with several of which none is named, the highest."""
    title, board = question.title, question.state.board
    cities, named = board.face(space.hex).cities, board.city_at(space)
    color = title.phase(question.state).revenue_color
    return max(city.value(color) for city in (cities if named is None else (cities[named],)))
