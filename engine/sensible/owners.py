"""The plain player where companies are started and own each other: concessions, homes, markers, exchanges of shares."""

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
"""He bids so much on two of the concessions; where his seat is says on which."""
APART: Final = 3
"""The second one is so many places after the first."""
MOST_CONCESSIONS: Final = 2
FOUNDER: Final = 4
"""He starts a company if he can pay for so many shares of it."""
LEAST_YIELD: Final = 60
"""Thousandths of its price that a share must earn for a company to buy it."""


def seal(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """Bids on two concessions, other ones than his neighbours bid on."""
    items = [PrivateId(item) for item in ask.about]
    seat = game.state.players.index(ask.player)
    bids = {items[(seat + APART * n) % len(items)]: amount for n, amount in enumerate(BIDS)}
    order = SealedBids(ask.player, tuple((item, bids[item]) for item in items if item in bids))
    return order if game.check(order) else None


def open_concession(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The next one at the least bid, until he has two."""
    owned = sum(1 for owner in game.state.privates.values() if owner == ask.player)
    opened = ranges(menu, Open)
    return opened[0].order if opened and owned < MOST_CONCESSIONS else None


def concession(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """One of the bank's, if he has none that he could still use and can start the company afterwards."""
    title, state = game.title, game.state
    if of(menu, Start) or any(owner == ask.player for owner in state.privates.values()):
        return None
    found = [order for order in of(menu, BuyConcession) if order.price is None]
    money = state.money(ask.player)
    usual = next_cost(title, state)
    return next((o for o in found if money - title.privates[o.concession].face >= FOUNDER * usual // 2), None)


def further_share(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """Every share of the new company that he can have: the money is for its first train."""
    return next(iter(of(menu, Buy)), None) or Pass(ask.actor)


def home(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The city that pays most; no second home, which makes markers dearer."""
    title, state = game.title, game.state
    if any(isinstance(choice.order, Pass) for choice in menu):
        return Pass(ask.actor)

    def worth(order: Token) -> int:
        city = state.board.city_at(order.space) or 0
        return stop_value(title, state, state.board, ("c", order.space.hex, city))

    return max(of(menu, Token), key=worth, default=None)


def markers(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """As few as possible, and one more where a train can be paid for all the same."""
    found = ranges(menu, Tokens)
    if not found:
        return None
    choice, need = found[0], next_cost(game.title, game.state)
    more = at(choice, choice.low + 1)
    cost = game.cost(more)
    return more if cost is not None and game.state.money(ask.actor) - cost >= need else choice.order


def exchange(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The director's certificate if it costs nothing, then a share, then money."""
    found = {order.into: order for order in of(menu, Exchange)}
    if "director" in found and not game.cost(found["director"]):
        return found["director"]
    return found.get("share") or found.get("cash")


def keep(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """As many markers as may stay."""
    return max(of(menu, Keep), key=lambda order: len(order.spaces), default=None)


def sale(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """A sale that somebody else needs: the share that earns least, as few as are offered."""
    found = of(menu, Sell)
    return min(found, key=lambda s: (earns(game.title, game.state, s.company), s.count), default=None)


def invest(title: Title, state: State, company: CompanyId, menu: Menu) -> Order | None:
    """A share of another company that pays well, with money that the next train does not need."""
    spare = state.money(company) - next_cost(title, state)
    able = [o for o in of(menu, Buy) if o.actor == company and o.certificate is None]
    able = [o for o in able if title.price(state, o.company) <= spare]
    best = max(able, key=lambda o: earns(title, state, o.company), default=None)
    return best if best is not None and earns(title, state, best.company) >= LEAST_YIELD else None
