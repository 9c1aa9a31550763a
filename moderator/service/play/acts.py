"""Acts of the game master in a game's log, and the games on which he may act."""

from __future__ import annotations

from sqlmodel import Session

from moderator.adapters.tables import EntryRow, GameRow
from moderator.service.desk import Sitting
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


def note_act(sitting: Sitting, row: GameRow, kind: str, text: str, origin: str = "master") -> None:
    """Add an act to the log. The position stays, and the number of the decision rises."""
    sitting.session.add(
        EntryRow(
            game=row.id, at=row.at, kind=kind, orders=row.orders, text=text, origin=origin,
            created_at=sitting.now(),
        )
    )  # fmt: skip
    row.at += 1
    sitting.session.flush()
