"""The plain player where companies own each other: concessions, homes, markers and exchanges of shares."""

from __future__ import annotations

from typing import Final

from engine.core.agenda import Ask, Menu
from engine.core.game import Game
from engine.core.ids import CompanyId, PrivateId
from engine.core.orders import (
    Buy,
    BuyConcession,
    Exchange,
    Keep,
    Open,
    Order,
    Pass,
    SealedBids,
    Sell,
    Start,
    Token,
    Tokens,
)
from engine.core.state import State
from engine.core.title import Title
from engine.sensible.common import at, earns, next_cost, of, ranges, stop_value

BIDS: Final = (40, 20)
"""The player's bid on each of two concessions. The player's seat decides which two."""
APART: Final = 3
"""The number of places from the first of the two concessions to the second."""
MOST_CONCESSIONS: Final = 2
FOUNDER: Final = 4
"""A player who buys a concession must be able to pay for this many shares, each at half the price of the next train."""
LEAST_YIELD: Final = 60
"""The least yield, in thousandths of its price, of a share that a company buys."""


def seal(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """Sealed bids on two concessions, different ones for each seat."""
    items = [PrivateId(item) for item in ask.about]
    seat = game.state.players.index(ask.player)
    bids = {items[(seat + APART * n) % len(items)]: amount for n, amount in enumerate(BIDS)}
    order = SealedBids(ask.player, tuple((item, bids[item]) for item in items if item in bids))
    return order if game.check(order) else None


def open_concession(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """A bid of the minimum on the next concession, until the player owns ``MOST_CONCESSIONS``."""
    owned = sum(1 for owner in game.state.privates.values() if owner == ask.player)
    opened = ranges(menu, Open)
    return opened[0].order if opened and owned < MOST_CONCESSIONS else None


def concession(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The purchase of a concession from the bank, if the player has none and can pay for its company afterwards."""
    title, state = game.title, game.state
    if of(menu, Start) or any(owner == ask.player for owner in state.privates.values()):
        return None
    found = [order for order in of(menu, BuyConcession) if order.price is None]
    money = state.money(ask.player)
    usual = next_cost(title, state)
    return next((o for o in found if money - title.privates[o.concession].face >= FOUNDER * usual // 2), None)


def further_share(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The purchase of any share of the new company that is offered, because the money is for its first train."""
    return next(iter(of(menu, Buy)), None) or Pass(ask.actor)


def home(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The city with the highest value as a home. A second home is declined, because it makes markers dearer."""
    title, state = game.title, game.state
    if any(isinstance(choice.order, Pass) for choice in menu):
        return Pass(ask.actor)

    def worth(order: Token) -> int:
        city = state.board.city_at(order.space) or 0
        return stop_value(title, state, state.board, ("c", order.space.hex, city))

    return max(of(menu, Token), key=worth, default=None)


def markers(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The smallest number of markers, or one more if the next train can still be paid for."""
    found = ranges(menu, Tokens)
    if not found:
        return None
    choice, need = found[0], next_cost(game.title, game.state)
    more = at(choice, choice.low + 1)
    cost = game.cost(more)
    return more if cost is not None and game.state.money(ask.actor) - cost >= need else choice.order


def exchange(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The director's certificate if it costs nothing; otherwise a share, and failing that, cash."""
    found = {order.into: order for order in of(menu, Exchange)}
    if "director" in found and not game.cost(found["director"]):
        return found["director"]
    return found.get("share") or found.get("cash")


def keep(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The choice that keeps the most markers."""
    return max(of(menu, Keep), key=lambda order: len(order.spaces), default=None)


def sale(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """A sale to pay for something else: the share with the lowest yield, and as few shares as are offered."""
    found = of(menu, Sell)
    return min(found, key=lambda s: (earns(game.title, game.state, s.company), s.count), default=None)


def invest(title: Title, state: State, company: CompanyId, menu: Menu) -> Order | None:
    """The share of another company with the highest yield, if it is at least ``LEAST_YIELD`` and the company can still
    pay for the next train."""
    spare = state.money(company) - next_cost(title, state)
    able = [o for o in of(menu, Buy) if o.actor == company and o.certificate is None]
    able = [o for o in able if title.price(state, o.company) <= spare]
    best = max(able, key=lambda o: earns(title, state, o.company), default=None)
    return best if best is not None and earns(title, state, best.company) >= LEAST_YIELD else None
