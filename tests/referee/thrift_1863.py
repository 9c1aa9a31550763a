"""Orders of players of 1863 who keep their companies alive, so that games come to their last phases."""

from __future__ import annotations

import random
from collections.abc import Callable

import engine
from engine.core import orders as od
from engine.core.agenda import Choice, Exact

DROPS, TRIES, FAIR = 0.85, 12, 90
LIKED: tuple[tuple[type[od.Order], float], ...] = (
    (od.Float, 1.0), (od.Crisis, 1.0), (od.Dividend, 1.0), (od.RunBest, 1.0), (od.Drop, DROPS), (od.Bid, 1.0),
    (od.Convert, 0.5), (od.Merge, 0.4), (od.Exchange, 0.6), (od.Take, 0.7), (od.Lay, 0.8), (od.Token, 0.5),
    (od.BuyPrivate, 0.1), (od.Train, 0.7), (od.Start, 0.25), (od.Short, 0.2), (od.Buy, 0.5), (od.Redeem, 0.1),
    (od.Transfer, 0.05), (od.Sell, 0.05), (od.RepayLoans, 0.1), (od.Borrow, 0.1), (od.Open, 0.6), (od.Nationalise, 0.3),
)  # fmt: skip
"""Kinds of orders with their chances, in the order in which they are thought of."""


def thrifty(game: engine.Game, ask: engine.Ask, chance: random.Random) -> od.Order | None:
    """An order for whoever is asked; None where nothing comes to mind."""
    choices = game.legal(ask.actor)
    for kind, likely in LIKED:
        found = [c for c in choices if isinstance(c.order, kind)]
        if found and chance.random() < likely and useful(game, ask, kind):
            best = BEST.get(kind)
            samples = [sample(chance.choice(found), chance) for _ in range(TRIES if best else 1)]
            return max(samples, key=lambda order: best(game, order)) if best else samples[0]
    quiet = [c for c in choices if isinstance(c.order, od.Pass | od.Done | od.Decline)]
    return sample(chance.choice(quiet), chance) if quiet else None


def useful(game: engine.Game, ask: engine.Ask, kind: type[od.Order]) -> bool:
    """Trains only while there is money for their costs too; a company only with money for a good one."""
    cash = game.state.money(ask.actor)
    if kind is od.Train:
        trains = game.state.companies[ask.actor].trains  # type: ignore[index]
        return not trains or cash > 300
    if kind is od.Start:
        return cash > 200
    return True


def sample(choice: Choice, chance: random.Random) -> od.Order:
    if isinstance(choice, Exact):
        return choice.order
    return choice.sample(chance.randrange((choice.high - choice.low) // choice.step + 1))


def fair_price(game: engine.Game, order: od.Order) -> float:
    assert isinstance(order, od.Float)
    goods = len(order.trains) + len(order.privates) + len(order.shares)
    return -abs(order.price - FAIR) - 20 * goods - 10 * order.markers


def low(game: engine.Game, order: od.Order) -> float:
    return -getattr(order, "amount", 0)


def near_revenue(game: engine.Game, order: od.Order) -> float:
    assert isinstance(order, od.Dividend)
    revenue = game.state.companies[order.actor].last_run or 0
    return -abs(order.amount - revenue)


def helping(game: engine.Game, order: od.Order) -> float:
    return float(getattr(order, "way", "") == "help")


BEST: dict[type[od.Order], Callable[[engine.Game, od.Order], float]] = {
    od.Float: fair_price, od.Bid: low, od.Open: low, od.Dividend: near_revenue, od.Crisis: helping,
}  # fmt: skip
