"""Orders around what a menu lists: samples of it, which must be accepted, and others, which mostly must not."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from engine import Ask, Exact, Game, Menu, Range, orders
from engine.core.orders import Order

BEYOND_THE_MENU = (orders.Run, orders.RunBest, orders.Announce, orders.Merge, orders.Keep)
"""Kinds of which more is legal than a menu lists: any legal run, larger mergers, markers named otherwise."""


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
        elif way < 0.8 and ask.what in _NATURAL:
            order = natural(game, ask, chance)
        else:
            order = anything(game, ask, chance)
        if not listed(menu, order):
            found.append(order)
    return found


def changed(game: Game, order: Order, chance: random.Random) -> Order:
    """``order`` with one of its fields replaced by another value of its kind."""
    name = chance.choice([f.name for f in fields(order)])
    changes: dict[str, Any] = {name: _value(game, name, getattr(order, name), chance)}
    return replace(order, **changes)


def anything(game: Game, ask: Ask, chance: random.Random) -> Order:
    """An order of any kind with any names of the game, by whoever is asked."""
    kind = chance.choice(_KINDS)
    values = {f.name: _value(game, f.name, None, chance) for f in fields(kind)}
    order: Order = kind(**{**values, "actor": ask.actor})
    return order


def natural(game: Game, ask: Ask, chance: random.Random) -> Order:
    """An order that somebody might well try here, whether or not the rules admit it now."""
    state, title, kind = game.state, game.title, chance.choice(_NATURAL[ask.what])
    company = chance.choice(
        [c for c in title.companies if state.companies[c].status == "open"] or list(title.companies)
    )
    owned = state.companies[company].trains
    on_sale = [t for t in title.trains if state.supply.get(t, 1) > 0][:1] + list(state.pool_trains)
    cash = max(1, state.money(ask.actor))
    tries: dict[type[Any], Callable[[], Order]] = {
        orders.Buy: lambda: orders.Buy(ask.player, company, chance.choice(("treasury", "pool"))),
        orders.Sell: lambda: orders.Sell(ask.player, company, chance.randint(1, 4)),
        orders.Open: lambda: orders.Open(ask.player, _VALUES["item"](game, chance), 100),
        orders.Start: lambda: orders.Start(
            ask.player, _any_company(game, chance), chance.choice((70, 90, 135, 200, 210)), _any_space(game, chance)
        ),
        orders.Train: lambda: chance.choice(
            (
                orders.Train(_acting(ask), chance.choice(on_sale)),
                orders.Train(_acting(ask), chance.choice(on_sale), "Pool"),
                orders.Train(
                    _acting(ask), chance.choice([*owned, *on_sale]), company, chance.choice((1, cash, cash + 1))
                ),
            )
        ),
        orders.Token: lambda: orders.Token(_acting(ask), _any_space(game, chance)),
        orders.Redeem: lambda: orders.Redeem(_acting(ask), chance.randint(1, 3)),
        orders.BuyPrivate: lambda: orders.BuyPrivate(
            _acting(ask), _any_private(game, chance), chance.choice((1, 20, 90))
        ),
        orders.Lay: lambda: orders.Lay(
            _acting(ask),
            chance.choice(list(title.map.tiles)),
            chance.choice([*state.board.tiles, *state.board.markers, *title.map.hexes]),
            chance.randrange(6),
        ),
        orders.Done: lambda: orders.Done(_acting(ask)),
        orders.Pay: lambda: orders.Pay(_acting(ask), "half"),
        orders.Convert: lambda: orders.Convert(_acting(ask), company),
        orders.Take: lambda: orders.Take(ask.player, chance.randint(0, 6)),
    }
    return tries[kind]()


def _acting(ask: Ask) -> Any:
    return ask.actor


_NATURAL: Mapping[str, Sequence[type[Any]]] = {
    "auction.open": (orders.Open, orders.Buy),
    "stock.turn": (orders.Buy, orders.Buy, orders.Sell, orders.Open, orders.Start),
    "company.turn": (
        orders.Train, orders.Train, orders.Token, orders.Token, orders.Redeem, orders.BuyPrivate, orders.Lay,
        orders.Done, orders.Pay,
    ),
    "company.pay": (orders.Done, orders.Train, orders.Lay),
    "merger.turn": (orders.Convert, orders.Done),
    "offer.shares": (orders.Take,),
}  # fmt: skip
_KINDS: Sequence[type[Any]] = (
    orders.Open, orders.Bid, orders.Drop, orders.Pass, orders.Sell, orders.Buy, orders.Start, orders.Take,
    orders.Redeem, orders.Lay, orders.Token, orders.Run, orders.RunBest, orders.Announce, orders.Pay, orders.Settle,
    orders.Train, orders.BuyPrivate, orders.Done, orders.Discard, orders.Nationalise, orders.Convert, orders.Merge,
    orders.Keep, orders.Decline, orders.Agree, orders.Refuse,
)  # fmt: skip


def _value(game: Game, name: str, old: Any, chance: random.Random) -> Any:
    if name in _NUMBERS:
        near = old if isinstance(old, int) else 100
        return chance.choice((near - 1, near + 1, near - 5, near + 5, near + 50, 10 * near, 0, -1))
    return _VALUES[name](game, chance)


_NUMBERS = frozenset({"amount", "count", "price", "maximum", "step"})


def _any_space(game: Game, chance: random.Random) -> orders.Space:
    hex = chance.choice([h for h in game.title.map.hexes if game.state.board.face(h).cities])
    exit, company = chance.choice(((None, None), (chance.randrange(6), None), (None, _any_company(game, chance))))
    return orders.Space(hex, exit, company)


def _any_company(game: Game, chance: random.Random) -> Any:
    return chance.choice(list(game.title.companies))


def _any_private(game: Game, chance: random.Random) -> Any:
    return chance.choice(list(game.title.privates))


def _any_train(game: Game, chance: random.Random) -> Any:
    return chance.choice(list(game.title.trains))


def _any_routes(game: Game, chance: random.Random) -> tuple[orders.Route, ...]:
    """One or two runs over neighbouring hexes, or over any."""
    found = []
    for _ in range(chance.randint(1, 2)):
        at = chance.choice(list(game.title.map.hexes.values()))
        stops = [at.id]
        for _ in range(chance.randint(1, 4)):
            at = game.title.map.hexes[chance.choice(list(at.neighbors.values()) or [at.id])]
            stops.append(at.id)
        found.append(orders.Route(_any_train(game, chance), tuple(stops)))
    return tuple(found)


def _any_subject(game: Game, chance: random.Random) -> orders.Subject:
    company = _any_company(game, chance)
    return chance.choice(
        (
            orders.TrainSale(_any_train(game, chance), company, 70),
            orders.PrivateSale(_any_private(game, chance), company, 30),
            orders.Merger((_any_company(game, chance), _any_company(game, chance)), company),
        )
    )


_VALUES: dict[str, Callable[[Game, random.Random], Any]] = {
    "actor": lambda g, r: r.choice([*g.state.players, *g.title.companies]),
    "item": lambda g, r: r.choice([None, *g.title.companies, *g.title.privates]),
    "company": _any_company,
    "into": _any_company,
    "source": lambda g, r: r.choice([None, "treasury", "pool", "Pool", *g.title.companies]),
    "space": _any_space,
    "spaces": lambda g, r: tuple(_any_space(g, r) for _ in range(r.randint(0, 3))),
    "keep": lambda g, r: tuple(_any_space(g, r) for _ in range(r.randint(0, 3))),
    "tile": lambda g, r: r.choice(list(g.title.map.tiles)),
    "hex": lambda g, r: r.choice(list(g.title.map.hexes)),
    "rotation": lambda g, r: r.randrange(6),
    "routes": _any_routes,
    "kind": lambda g, r: r.choice(("full", "half", "none")),
    "train": _any_train,
    "otherwise": lambda g, r: orders.Train(_any_company(g, r), _any_train(g, r)),
    "private": _any_private,
    "yes": lambda g, r: r.random() < 0.5,
    "minors": lambda g, r: tuple(_any_company(g, r) for _ in range(r.randint(0, 3))),
    "subject": _any_subject,
}


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
    otherwise, something left out that can only be one thing."""
    return any(_same(game, choice, order) for choice in menu if type(choice.order) is type(order))


def _same(game: Game, choice: Exact | Range, order: Order) -> bool:
    of = choice.order
    match order:
        case orders.Lay():
            return isinstance(of, orders.Lay) and (of.actor, of.tile, of.hex) == (order.actor, order.tile, order.hex)
        case orders.Token():
            return isinstance(of, orders.Token) and of.actor == order.actor and _city(game, of.space, order.space)
        case orders.Start():
            if not isinstance(of, orders.Start) or (of.company, of.price) != (order.company, order.price):
                return False
            return order.space is None or (of.space is not None and _city(game, of.space, order.space))
        case orders.Train(source=None | "Bank" | "Pool"):
            return isinstance(of, orders.Train) and of == replace(
                order, price=None, otherwise=None, source=None if order.source == "Bank" else order.source
            )
        case orders.Train():
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
            return _is(choice, replace(order, **said))
        case orders.Buy():
            return isinstance(of, orders.Buy) and order.source is None and of.company == order.company
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
