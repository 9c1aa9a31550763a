"""A game's record, made from what is stored."""

from __future__ import annotations

from collections.abc import Iterable

from engine import Game
from engine.core.events import Event
from moderator.adapters.tables import GameRow
from moderator.domain.record import Teller, write_record
from moderator.render import describe_event
from moderator.service.desk import Desk


def export_record(desk: Desk, game_id: str) -> str | None:
    """The record of a game as it stands, the seed sealed until it is over; None if there is no such game."""
    with desk.database.reading() as session:
        row = session.get(GameRow, game_id)
        if row is None:
            return None
        return record_text(row, desk.games.get(session, row).game)


def record_text(row: GameRow, game: Game) -> str:
    """The record of ``game``, which is that of ``row``."""
    tags = {
        "Game": row.id,
        "Begun": row.created_at.date().isoformat(),
        "Engine": row.engine_version,
        "Commitment": row.commitment,
    }
    if row.finished_at is not None:
        tags["Ended"] = row.finished_at.date().isoformat()
    return write_record(game, tags, tell=teller(game))


def teller(game: Game) -> Teller:
    """Says what followed from an order, a remark for each thing that is told."""

    def tell(events: tuple[Event, ...]) -> Iterable[str]:
        said = (describe_event(game.title, event) for event in events)
        return [text for text in said if text]

    return tell
