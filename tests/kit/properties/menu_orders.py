"""Orders around what a menu lists: samples of it, which must be accepted, and others, which mostly must not."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from engine import Ask, Exact, Game, Menu, Range, orders
from engine.core.orders import Order
from tests.kit.properties.natural_orders import natural, tried
from tests.kit.properties.values import LATER, value

BEYOND_THE_MENU = (
    orders.Run, orders.RunBest, orders.Announce, orders.Merge, orders.Keep, orders.SealedBids, orders.SellGroup,
    orders.Float, orders.PayPlayer, orders.OfferPrivate,
)  # fmt: skip
"""Kinds of which more is legal than a menu lists: any legal run, larger mergers, markers named otherwise, bids on
several lots, sales of several companies, floats with other goods, privates of a
company put up by its player."""


def sampled(menu: Menu, chance: random.Random, number: int) -> list[Order]:
    """``number`` orders of the menu, kinds with few entries as often as those with many; ranges at their ends too."""
    kinds: dict[type[Order], list[Exact | Range]] = {}
    for choice in menu:
        kinds.setdefault(type(choice.order), []).append(choice)
    found: list[Order] = []
    for kind in chance.sample(list(kinds), min(number, len(kinds))):
        choice = chance.choice(kinds[kind])
        size = 1 if isinstance(choice, Exact) else (choice.high - choice.low) // choice.step + 1
        found.append(choice.sample(chance.choice((0, size - 1, chance.randrange(size)))))
    return found


def outside(game: Game, ask: Ask, menu: Menu, chance: random.Random, number: int) -> list[Order]:
    """Orders like those of the menu with something changed, and orders of any kind, none of them in the menu."""
    found: list[Order] = []
    for _ in range(4 * number):
        if len(found) == number:
            break
        way = chance.random()
        if way < 0.4:
            order = changed(game, sampled(menu, chance, 1)[0], chance)
        elif way < 0.8 and tried(game, ask):
            found_here = natural(game, ask, chance)
            assert found_here is not None
            order = found_here
        else:
            order = anything(game, ask, chance)
        if not listed(menu, order):
            found.append(order)
    return found


def changed(game: Game, order: Order, chance: random.Random) -> Order:
    """``order`` with one of its fields replaced by another value of its kind."""
    name = chance.choice(_fields(game, type(order)))
    changes: dict[str, Any] = {name: value(game, type(order), name, getattr(order, name), chance)}
    return replace(order, **changes)


def anything(game: Game, ask: Ask, chance: random.Random) -> Order:
    """An order of any kind with any names of the game, by whoever is asked."""
    kind = chance.choice(_KINDS[game.title.name])
    values = {name: value(game, kind, name, None, chance) for name in _fields(game, kind)}
    order: Order = kind(**{**values, "actor": ask.actor})
    return order


def _fields(game: Game, kind: type[Any]) -> list[str]:
    later = LATER.get(game.title.name, frozenset[str]())
    return [f.name for f in fields(kind) if not later & {f.name, f"{kind.__name__}.{f.name}"}]


_EVERYWHERE: Sequence[type[Any]] = (
    orders.Open, orders.Bid, orders.Drop, orders.Pass, orders.Sell, orders.Buy, orders.Start, orders.Take,
    orders.Redeem, orders.Lay, orders.Token, orders.Run, orders.RunBest, orders.Announce, orders.Pay, orders.Settle,
    orders.Train, orders.BuyPrivate, orders.Done, orders.Discard, orders.Nationalise, orders.Convert, orders.Merge,
    orders.Keep, orders.Decline, orders.Agree, orders.Refuse,
)  # fmt: skip
_KINDS: Mapping[str, Sequence[type[Any]]] = {
    "1861": _EVERYWHERE,
    "1867": _EVERYWHERE,
    "1844": (
        *_EVERYWHERE, orders.BuyMountain, orders.BuyTunnel, orders.Repay, orders.UsePrivate, orders.Tunnel,
        orders.Bankrupt,
    ),
    "1841": (
        *_EVERYWHERE, orders.SealedBids, orders.SellGroup, orders.BuyFrom, orders.BuyConcession, orders.Tokens,
        orders.BuyToken, orders.Bankrupt, orders.Exchange, orders.Prefer, orders.OfferAgain,
    ),
    "1863": (
        *_EVERYWHERE, orders.UsePrivate, orders.KeepPrivate, orders.OfferPrivate, orders.Short, orders.Transfer,
        orders.Float, orders.PayPlayer, orders.Dividend, orders.Borrow, orders.RepayLoans, orders.Crisis,
        orders.Refinance, orders.KeepTrains, orders.HalfShort, orders.Exchange,
    ),
}  # fmt: skip


def listed(menu: Menu, order: Order) -> bool:
    """Whether the menu has exactly this order."""
    return any(_is(choice, order) for choice in menu if type(choice.order) is type(order))


def _is(choice: Exact | Range, order: Order) -> bool:
    if isinstance(choice, Exact):
        return choice.order == order
    number = getattr(order, choice.field)
    if not isinstance(number, int) or not choice.low <= number <= choice.high:
        return False
    return (number - choice.low) % choice.step == 0 and choice.sample((number - choice.low) // choice.step) == order


def meant(game: Game, menu: Menu, order: Order) -> bool:
    """Whether the menu has what ``order`` says in other words: a tile turned to look the same, a space named
    otherwise, something left out that can only be one thing, a pass where one drops out, a company put up by another
    company of the player's."""
    if isinstance(order, orders.Pass) and _auctioned(menu):
        return True
    if isinstance(order, orders.Pass | orders.Drop) and order.actor in game.state.companies and _passes(game, order):
        return True
    if isinstance(order, orders.Start) and order.actor in game.state.companies:
        player = next((ask.player for ask in game.asked() if ask.actor == order.actor), None)
        if player is not None and any(ask.actor == player for ask in game.asked()):
            menu = (*menu, *game.legal(player))
            return any(_same(game, choice, of) for of in (order, replace(order, actor=player)) for choice in menu)
    if isinstance(order, orders.Take) and not order.count and any(isinstance(c.order, orders.Pass) for c in menu):
        return True
    return any(_same(game, choice, order) for choice in menu if type(choice.order) is type(order))


def _passes(game: Game, order: orders.Pass | orders.Drop) -> bool:
    """True if the player who acts for a company is asked for himself too, and may pass or drop out."""
    asks = game.asked()
    players = {ask.player for ask in asks if ask.actor == order.actor}
    menus = (game.legal(ask.actor) for ask in asks if ask.player in players and ask.actor == ask.player)
    return any(isinstance(choice.order, orders.Pass | orders.Drop) for menu in menus for choice in menu)


def _auctioned(menu: Menu) -> bool:
    return any(isinstance(choice.order, orders.Drop) for choice in menu)


def _same(game: Game, choice: Exact | Range, order: Order) -> bool:
    of = choice.order
    match order:
        case orders.Lay():
            return isinstance(of, orders.Lay) and of == replace(order, rotation=of.rotation)
        case orders.Tunnel():
            return isinstance(of, orders.Tunnel) and (of.hex, {*of.edges}) == (order.hex, {*order.edges})
        case orders.BuyTunnel():
            return True
        case orders.UsePrivate():
            return isinstance(of, orders.UsePrivate) and of == replace(order, company=of.company) and not of.company
        case orders.BuyMountain():
            return isinstance(of, orders.BuyMountain) and (of.hex, of.panel) == (order.hex, order.panel)
        case orders.Sell():
            return order.doubles is not None and _is(choice, replace(order, doubles=None))
        case orders.Token():
            return isinstance(of, orders.Token) and of.actor == order.actor and _city(game, of.space, order.space)
        case orders.BuyToken():
            if not isinstance(of, orders.BuyToken) or not _city(game, of.space, order.space):
                return False
            return _is(choice, replace(order, space=of.space))
        case orders.Start():
            if not isinstance(of, orders.Start) or not _is(choice, replace(order, space=of.space)):
                return False
            return order.space is None or (of.space is not None and _city(game, of.space, order.space))
        case orders.Train(source=None | "Bank" | "Pool"):
            return isinstance(of, orders.Train) and of == replace(
                order, price=None, otherwise=None, source=None if order.source == "Bank" else order.source
            )
        case orders.Train():
            if order.price is None and isinstance(choice, Exact) and isinstance(of, orders.Train):
                return of == replace(order, price=of.price, otherwise=None)
            return _is(choice, replace(order, otherwise=None))
        case orders.Bid() | orders.Drop() | orders.Open():
            if not isinstance(of, orders.Bid | orders.Drop | orders.Open):
                return False
            amount = choice.low if isinstance(choice, Range) and isinstance(order, orders.Open) else None
            if order.item not in (None, of.item) and of.item is not None:
                return False
            said: dict[str, Any] = {"item": of.item}
            if isinstance(order, orders.Open) and order.amount is None:
                said["amount"] = amount
            if isinstance(order, orders.Open) and isinstance(of, orders.Open) and order.space and of.space:
                said |= {"space": of.space} if _city(game, of.space, order.space) else {}
            return _is(choice, replace(order, **said))
        case orders.Buy():
            return isinstance(of, orders.Buy) and of == replace(order, source=of.source) and order.source is None
        case orders.Take():
            return _is(choice, replace(order, company=None))
        case orders.Agree() | orders.Refuse():
            return order.subject is None or _same_subject(getattr(of, "subject", None), order.subject)
        case _:
            return False


def _same_subject(one: orders.Subject | None, other: orders.Subject) -> bool:
    if isinstance(one, orders.Merger) and isinstance(other, orders.Merger):
        return one.into == other.into and set(one.minors) == set(other.minors)
    return one == other


def _city(game: Game, one: orders.Space, other: orders.Space) -> bool:
    return one.hex == other.hex and game.state.board.city_at(other) in (None, game.state.board.city_at(one))
