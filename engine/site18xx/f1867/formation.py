"""Questions that 18xx.games asks while a new public company is formed.

For some years the site has asked which markers to remove before the offers of shares; in older records it asks after
them. It asks for trains over the limit after the offers. Our game asks for both before the offers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from engine.core.events import Event, MarkerRemoved, MarkerReplaced
from engine.core.game import Game
from engine.core.ids import CompanyId
from engine.core.orders import Keep, Space
from engine.families.f1867.mergers.formation import KeepMarkers
from engine.site18xx.slots import Slots

BY_PLAYERS = ("buy_shares", "pass")
BY_THE_COMPANY = ("remove_token", "discard_train")


def while_forming(actions: Sequence[Mapping[str, Any]], after: int) -> Iterator[int]:
    """Numbers of the actions after number ``after`` that belong to the formation of the company."""
    for number in range(after + 1, len(actions)):
        kinds = BY_PLAYERS if actions[number].get("entity_type") == "player" else BY_THE_COMPANY
        if actions[number]["type"] not in kinds:
            return
        yield number


def kept_markers(game: Game, company: CompanyId, removed: Collection[CompanyId | None]) -> Keep | None:
    """The first legal choice of markers to keep that has none of the minors ``removed``; None if there is none."""
    for choice in game.legal(company):
        order = choice.order
        assert isinstance(order, Keep)
        if not any(space.company in removed for space in order.spaces):
            return order
    return None


def whose_marker(game: Game, slots: Slots, space: Space, slot: int | None) -> CompanyId | None:
    """The minor whose marker a new company removes from ``space``, while it chooses the markers to keep; None if no
    minor fits. ``slot``: the marker's place in the city, if the record gives it."""
    frame, city = game.state.top, game.state.board.city_at(space)
    assert isinstance(frame, KeepMarkers)
    minors = [minor for hex, at, minor in frame.places if hex == space.hex and city in (None, at)]
    places = {} if city is None else slots.exchanged((space.hex, city), minors)
    return next((m for m in minors if len(minors) == 1 or slot is None or places.get(m, 0) == slot), None)


def given_up(slots: Slots, events: Sequence[Event]) -> Iterator[tuple[MarkerRemoved, int]]:
    """The markers that a new company removes, each with its place in the city."""
    exchanged = [(e.hex, e.city, e.company if isinstance(e, MarkerRemoved) else e.old)
                 for e in events if isinstance(e, MarkerRemoved | MarkerReplaced)]  # fmt: skip
    for event in events:
        if isinstance(event, MarkerRemoved):
            minors = [minor for hex, city, minor in exchanged if (hex, city) == (event.hex, event.city)]
            yield event, slots.exchanged((event.hex, event.city), minors)[event.company]
