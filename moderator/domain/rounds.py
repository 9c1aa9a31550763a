"""The kinds of rounds that alternate in all titles, and what has happened in the one under way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from engine.core.answer_cache import lately
from engine.core.events import Event, RoundBegan, TurnEnded
from engine.core.game import Game
from engine.core.ids import CompanyId
from engine.core.orders import Order
from engine.core.state import State
from engine.core.title import Title

STOCK_ROUND: Final = "SR"
OPERATING_ROUND: Final = "OR"
MERGER_ROUND: Final = "MR"
_MOST_ORDERS: Final = 200
"""No round is followed back further than this."""
_STEP: Final = 25
"""The number of orders over which the beginning of a round is looked for at once."""
_NEAR: Final = 38
"""The events of so many latest orders are known without playing them again."""


def had_turn(game: Game) -> frozenset[CompanyId]:
    """The companies whose turns in the operating round under way are over; none in another round, or if the game began
    in the middle of it or it is too long to follow it back."""
    if game.state.round.kind != OPERATING_ROUND:
        return frozenset()
    return frozenset(event.company for event in round_so_far(game) or () if isinstance(event, TurnEnded))


def round_so_far(game: Game) -> tuple[Event, ...] | None:
    """The events since the round under way began, oldest first. None if the game began in the middle of it, or
    if it is too long to follow it back."""
    # The parts of a mail ask this of copies of a game, which share the position.
    known = _known(game.title, game.state)
    if not known:
        known.append(_found(game))
    return known[0]


@lately(16)
def _known(_title: Title, _state: State) -> list[tuple[Event, ...] | None]:
    """A place for the answer about a position."""
    return []


def _found(game: Game) -> tuple[Event, ...] | None:
    latest = len(game.orders)
    earliest = max(0, latest - _MOST_ORDERS)
    found: list[Event] = []
    near = latest
    while near > max(earliest, latest - _NEAR):
        for event in reversed(game.events(near)):
            if isinstance(event, RoundBegan):
                return tuple(reversed(found))
            found.append(event)
        near -= 1
    before = _events_before(game, earliest, near)
    return None if before is None else (*before, *reversed(found))


def _events_before(game: Game, earliest: int, latest: int) -> list[Event] | None:
    """The events of the round under way up to the first ``latest`` orders; None if it began before ``earliest``. One
    order after another is cheap forwards. Backwards, each would be played from the position that is kept before it."""
    steps = range(latest // _STEP * _STEP, earliest, -_STEP)
    begin = next((number for number in steps if game.at(number).round != game.state.round), earliest)
    found: list[Event] | None = None
    for _, _, events in islice(game.happened(begin), latest - begin):
        for event in events:
            if isinstance(event, RoundBegan):
                found = []
            elif found is not None:
                found.append(event)
    return found


def latest_orders(game: Game, kind: str) -> Iterator[Order]:
    """The orders of the round under way, the latest first; none in a round of another kind. A round that is too long
    is not followed back to its beginning."""
    number = len(game.orders) if game.state.round.kind == kind else 0
    for at in range(number, max(0, number - _MOST_ORDERS), -1):
        if any(isinstance(event, RoundBegan) for event in game.events(at)):
            return
        yield game.orders[at - 1]
