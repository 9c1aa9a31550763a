"""The kinds of rounds that alternate in all titles, and who has operated in the one under way."""

from __future__ import annotations

from typing import Final

from engine.core.events import RoundBegan, TurnEnded
from engine.core.game import Game
from engine.core.ids import CompanyId

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
