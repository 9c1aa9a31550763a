"""Acts in a game's log: of the game master, of what the table has agreed on, and the return of a player."""

from __future__ import annotations

from moderator.adapters.tables import EntryRow, GameRow
from moderator.service.desk import Sitting


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
