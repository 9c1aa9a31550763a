"""The kinds of rounds that alternate in all titles, and who has operated in the one under way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.events import RoundBegan, TurnEnded
from engine.core.game import Game
from engine.core.ids import CompanyId
from engine.core.orders import Order

STOCK_ROUND: Final = "SR"
OPERATING_ROUND: Final = "OR"
MERGER_ROUND: Final = "MR"
_MOST_ORDERS: Final = 200
"""No round is followed back further than this."""


def had_turn(game: Game) -> frozenset[CompanyId]:
    """The companies whose turns in the operating round under way are over; none in another round, or if the game began
    in the middle of it or it is too long to follow it back."""
    if game.state.round.kind != OPERATING_ROUND:
        return frozenset()
    found: set[CompanyId] = set()
    number = len(game.orders)
    for at in range(number, max(0, number - _MOST_ORDERS), -1):
        for event in reversed(game.events(at)):
            if isinstance(event, RoundBegan):
                return frozenset(found)
            if isinstance(event, TurnEnded):
                found.add(event.company)
    return frozenset()


def latest_orders(game: Game, kind: str) -> Iterator[Order]:
    """The orders of the round under way, the latest first; none in a round of another kind. A round that is too long
    is not followed back to its beginning."""
    number = len(game.orders) if game.state.round.kind == kind else 0
    for at in range(number, max(0, number - _MOST_ORDERS), -1):
        if any(isinstance(event, RoundBegan) for event in game.events(at)):
            return
        yield game.orders[at - 1]
