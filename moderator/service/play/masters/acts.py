"""The games on which a game master may act."""

from __future__ import annotations

from sqlmodel import Session

from moderator.adapters.tables import GameRow
from moderator.service.locks import lock_games


def game_named(session: Session, game: str) -> GameRow:
    """The game, locked until the transaction ends. ``ValueError`` if there is none of this name."""
    row = lock_games(session, (game,)).get(game)
    if row is None:
        raise ValueError(f"there is no game {game!r}")
    return row


def under_way(session: Session, game: str) -> GameRow:
    """The game, locked until the transaction ends. ``ValueError`` if there is none of this name, or if it is over."""
    row = game_named(session, game)
    if row.over:
        raise ValueError(f"{game} is over")
    return row
