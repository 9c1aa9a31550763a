"""The game master: the person that the game names, otherwise the operator of the service."""

from __future__ import annotations

from moderator.adapters.tables import GameRow
from moderator.domain.info import Master
from moderator.settings import Settings


def master_of(row: GameRow, settings: Settings) -> Master | None:
    """The game master of a game. None if the game names nobody and the operator has no address."""
    if row.master_address:
        return Master(row.master, row.master_address)
    return Master("", settings.operator) if settings.operator else None
