"""Earlier positions as texts. The position at a decision never changes, so the texts shown last are kept."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final
from weakref import WeakKeyDictionary

from engine.core.ids import PlayerId
from moderator.adapters.tables import GameRow
from moderator.service.desk import Sitting
from moderator.service.games import Games

_MOST: Final = 200
_KEPT: WeakKeyDictionary[Games, OrderedDict[tuple[str, int, str], str]] = WeakKeyDictionary()
"""Texts by game, decision and player; each process of a service has its own."""


def position_at(sitting: Sitting, row: GameRow, at: int, player: str) -> str:
    """The position at decision ``at`` as text, as it is shown to ``player``."""
    kept = _KEPT.setdefault(sitting.games, OrderedDict())
    key = row.id, at, player
    if key not in kept:
        kept[key] = sitting.words.text_position(sitting.games.position(sitting.session, row, at), PlayerId(player))
        if len(kept) > _MOST:
            kept.popitem(last=False)
    if at == row.at:  # the decision is open: an order that comes to nothing must not leave its text here
        return kept.pop(key)
    kept.move_to_end(key)
    return kept[key]
