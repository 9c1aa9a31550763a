"""Courses of games of 1841: what its players agree on, so that rare positions come up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import engine
from engine.core import orders as od

OLD: Final = "IRSFF"


@dataclass(frozen=True)
class Course:
    """``sought``: the orders that are given as soon as they are legal; ``shunned``: those that are not given."""

    sought: Callable[[engine.Game, od.Order], bool]
    shunned: Callable[[engine.Game, od.Order], bool]


def to_spread(game: engine.Game, order: od.Order) -> bool:
    """The start of the IRSFF, and the first of its certificates for whoever has none."""
    if getattr(order, "company", None) != OLD:
        return False
    return isinstance(order, od.Start) or (isinstance(order, od.Buy) and not has(game, order.actor))


def to_keep(game: engine.Game, order: od.Order) -> bool:
    """A sale of certificates of the IRSFF, or a purchase of a second one, agreed or not."""
    if isinstance(order, od.SellGroup):
        return any(company == OLD for company, _ in order.sales)
    if isinstance(order, od.Agree):
        return getattr(order.subject, "company", None) == OLD
    if not isinstance(order, od.Sell | od.Buy | od.Start) or order.company != OLD:
        return False
    return isinstance(order, od.Sell) or has(game, order.actor)


def has(game: engine.Game, who: str) -> bool:
    """True if he owns a certificate of the IRSFF."""
    return any(n for (place, company, _), n in game.state.holdings.items() if (place, company) == (who, OLD))


def to_own(game: engine.Game, order: od.Order) -> bool:
    """A company's purchase of a share, and every merger."""
    return isinstance(order, od.Merge) or (isinstance(order, od.Buy) and order.actor in game.state.companies)


def to_lose(game: engine.Game, order: od.Order) -> bool:
    """A company's sale of shares."""
    return isinstance(order, od.Sell | od.SellGroup) and order.actor in game.state.companies


COURSES: Final[Mapping[str, Course]] = {
    "one each": Course(to_spread, to_keep),
    "owners": Course(to_own, to_lose),
}
"""``one each``: nobody but its president has more than one certificate of the IRSFF, so that some are left over in its
Secession. ``owners``: companies hold shares of companies that merge."""
