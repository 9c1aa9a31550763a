"""Mergers in records of 18xx.games: one merger is two actions, and markers that go are named one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from engine.core.agenda import Exact
from engine.core.game import Game
from engine.core.ids import Actor, CompanyId
from engine.core.orders import Keep, Space
from engine.core.state import State

EXCHANGES: Final[Mapping[str, Literal["director", "share", "cash"]]] = {
    "pres": "director",
    "no": "share",
    "full": "share",
    "cash": "cash",
}
"""Use of old shares in a merger, as the site calls it."""
PARTS: Final = ("a", "b")
"""The parts of a company that divides."""
PRICES: Final = ("first", "last")
"""The lower and the higher of two prices that a new company may have."""


def price_chosen(game: Game, both: Sequence[CompanyId], following: Mapping[str, Any] | None) -> int | None:
    """The price of the new company, where the record chooses it after the merger."""
    if following is None or following["type"] != "choose" or following.get("choice") not in PRICES:
        return None
    prices = sorted(game.title.price(game.state, company) for company in both)
    return prices[PRICES.index(following["choice"])]


def kept_markers(game: Game, actor: Actor, removed: Sequence[Space]) -> Keep | None:
    """The markers that stay: as many as may be of those that are not ``removed``."""
    gone = {_place(game.state, space) for space in removed}
    kept = [
        choice.order
        for choice in game.legal(actor)
        if isinstance(choice, Exact)
        and isinstance(choice.order, Keep)
        and not gone & {_place(game.state, space) for space in choice.order.spaces}
    ]
    return max(kept, key=lambda order: len(order.spaces), default=None)


def _place(state: State, space: Space) -> tuple[str, int]:
    return space.hex, state.board.city_at(space) or 0
