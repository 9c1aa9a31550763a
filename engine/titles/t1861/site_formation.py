"""Questions that 18xx.games asks while a new public company of 1861 is formed.

Markers that have to go it has asked for before the offers of shares for some years, and after them in older records;
trains over the limit it asks for after the offers. We ask for both before them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.core.game import Game
from engine.core.ids import CompanyId
from engine.core.orders import Keep, Space

BY_PLAYERS = ("buy_shares", "pass")
BY_THE_COMPANY = ("remove_token", "discard_train")


def while_forming(actions: Sequence[Mapping[str, Any]], after: int) -> Iterator[int]:
    """Numbers of the actions that follow number ``after`` while the company is formed."""
    for number in range(after + 1, len(actions)):
        kinds = BY_PLAYERS if actions[number].get("entity_type") == "player" else BY_THE_COMPANY
        if actions[number]["type"] not in kinds:
            return
        yield number


def kept_markers(game: Game, company: CompanyId, removed: Sequence[Space]) -> Keep | None:
    """The markers that stay: the first possible ones that are not ``removed``."""
    board = game.state.board
    gone = {(s.hex, board.city_at(s)) for s in removed}
    for choice in game.legal(company):
        order = choice.order
        assert isinstance(order, Keep)
        if not gone & {(s.hex, board.city_at(s)) for s in order.spaces}:
            return order
    return None
