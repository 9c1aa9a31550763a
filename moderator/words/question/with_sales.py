"""Tell a player what he could buy or start in the same turn if he sold shares first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from engine.core import orders as o
from engine.core.agenda import Ask, Exact, Menu
from engine.core.game import Game
from engine.core.secret import NotKnownHere
from grammar import write
from moderator.domain.vocabulary import vocabulary
from moderator.words.texts import Words

_MOST_NAMED: Final = 3
"""The maximum number of purchases that are named."""


def with_sales(own: Words, game: Game, ask: Ask, menu: Menu) -> str:
    """A sentence on the certificates, and the highest price of a new company, that the player could pay only after he
    has sold shares; "" if sales would bring no more, or if his cash is enough."""
    if not ask.what.startswith("stock.turn") or not any(isinstance(choice.order, o.Sell) for choice in menu):
        return ""
    try:
        after = _after_sales(game, ask, menu)
    except NotKnownHere:  # what follows depends on a lot that has not been drawn
        return ""
    now = {_bought(order) for order in _purchases(menu)}
    more = [order for order in _purchases(after) if _bought(order) not in now]
    before, highest = _highest_start(menu), _highest_start(after)
    if not more and highest <= before:
        return ""
    named = tuple(dict.fromkeys(write(order, vocabulary(game.title)) for order in more))[:_MOST_NAMED]
    facts = {"orders": named, "start": highest if highest > before else 0, "other": len(more) > len(named)}
    return own.say("words", "with_sales", title=game.title, **facts)


def _after_sales(game: Game, ask: Ask, menu: Menu) -> Menu:
    """The menu after all that the player can sell has been sold; what he has sold he cannot buy."""
    trial = game.seen_by(ask.player).fork()
    for _ in range(len(menu)):
        sales = [choice.sample(-1) for choice in trial.legal(ask.actor) if isinstance(choice.order, o.Sell)]
        # A whole menu takes long, so it is made anew only when all its sales are made, or one of them is not legal now.
        if not list(takewhile(lambda order: isinstance(trial.submit(order), tuple), sales)):
            break
    return trial.legal(ask.actor) if any(now.actor == ask.actor for now in trial.asked()) else ()


def _purchases(menu: Menu) -> Iterator[o.Buy]:
    yield from (choice.order for choice in menu if isinstance(choice.order, o.Buy))


def _bought(order: o.Buy) -> tuple[object, ...]:
    return order.company, order.source, order.certificate


def _highest_start(menu: Menu) -> int:
    """The highest price at which a company can be started; 0 if none can. A first bid is any sum, and no price."""
    orders = (choice.order for choice in menu if isinstance(choice, Exact))
    return max((order.price for order in orders if isinstance(order, o.Start)), default=0)
