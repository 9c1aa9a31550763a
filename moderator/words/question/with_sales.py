"""Tell a player what he could buy or start in the same turn if he sold shares first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product, takewhile
from typing import Final

from engine.core import orders as o
from engine.core.agenda import Ask, Exact, Menu, Range
from engine.core.checks import Refused
from engine.core.decide import decide_to_state, objection
from engine.core.game import Game
from engine.core.secret import NotKnownHere
from engine.core.state import State
from engine.core.title import Title
from grammar import write
from moderator.domain.vocabulary import vocabulary
from moderator.words.texts import Words

_MOST_NAMED: Final = 3
"""The maximum number of purchases that are named."""
_MOST_COMPANIES: Final = 8
"""The maximum number of companies that are named."""
_MOST_TRIED: Final = 6
"""The maximum number of sales and purchases that are tried for an example."""


def with_sales(own: Words, game: Game, ask: Ask, menu: Menu) -> str:
    """A sentence on the certificates, and the prices of a new company, that the player could pay only after he has sold
    shares, with an example of both in one answer; "" if he can sell nothing."""
    if not ask.what.startswith("stock.turn") or not any(isinstance(choice.order, o.Sell) for choice in menu):
        return ""
    try:
        after = _after_sales(game, ask, menu)
    except NotKnownHere:  # what follows depends on a lot that has not been drawn
        return ""
    now = {_bought(order) for order in _purchases(menu)}
    more = [order for order in _purchases(after) if _bought(order) not in now]
    start = sorted(_start_prices(after) - _start_prices(menu))
    founded = [order for order in _starts(after) if order.price in start]
    example = _example(game.title, game.seen_by(ask.player).state, menu, more or list(_purchases(menu)))
    if not more and not start:
        once = ask.actor == ask.player  # not again for each company that may act instead
        return own.say("words", "sale_first", title=game.title, example=example) if example and once else ""
    named = tuple(dict.fromkeys(write(order, vocabulary(game.title)) for order in more))[:_MOST_NAMED]
    facts = {
        "orders": named, "start": [str(price) for price in start], "other": len(more) > len(named),
        "companies": _few(dict.fromkeys(str(order.company) for order in founded)),
        "start_order": write(founded[0], vocabulary(game.title)) if founded else "",
    }  # fmt: skip
    return own.say("words", "with_sales", title=game.title, example=example if more else "", **facts)


def _example(title: Title, state: State, menu: Menu, purchases: Sequence[o.Buy]) -> str:
    """A sale of as few shares as can be, and one of the first ``purchases`` after it, on one line; "" if no such sale
    makes them possible."""
    sales = [choice for choice in menu if isinstance(choice.order, o.Sell)]
    for bought, choice in list(product(purchases, sales))[:_MOST_TRIED]:
        if not _allows(title, state, choice.sample(-1), bought):
            continue
        counts = range(choice.high - choice.low + 1 if isinstance(choice, Range) else 1)
        fewest = next((n for n in counts if _allows(title, state, choice.sample(n), bought)), -1)
        sold = choice.sample(fewest)
        return "; ".join(write(order, vocabulary(title)) for order in (sold, bought))
    return ""


def _allows(title: Title, state: State, sale: o.Order, bought: o.Buy) -> bool:
    """True if the purchase is legal at once after the sale."""
    played = decide_to_state(title, state, sale)
    return not isinstance(played, Refused) and objection(title, played.state, bought) is None


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


def _start_prices(menu: Menu) -> set[int]:
    """The prices at which a company can be started. A first bid is any sum, and no price."""
    return {order.price for order in _starts(menu)}


def _starts(menu: Menu) -> Iterator[o.Start]:
    yield from (c.order for c in menu if isinstance(c, Exact) and isinstance(c.order, o.Start))


def _few(names: Iterable[str]) -> tuple[str, ...]:
    """The first of ``names``, and "others" for the rest."""
    found = tuple(names)
    return found if len(found) <= _MOST_COMPANIES else (*found[:_MOST_COMPANIES], "others")
