"""Recognises mails that may hold a sealed order: the operator is not shown their text before all orders are opened."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, func, or_, select

from moderator.adapters.tables import AliasRow, EntryRow, GameRow, SeatRow
from moderator.domain.sealing import sealed_asks
from moderator.service.games import Games


def is_sealed_up(session: Session, games: Games, game: str | None, written: datetime) -> bool:
    """True if a mail to or from a player of ``game``, ``written`` at this moment, may hold a sealed order: the game
    asks for such orders now, and has not moved since the mail was written."""
    row = session.get(GameRow, game) if game else None
    if row is None or row.over or not sealed_asks(games.get(session, row).game):
        return False
    moves = select(EntryRow.created_at).where(EntryRow.game == row.id, col(EntryRow.kind).in_(("order", "undo")))
    entry = session.exec(moves.order_by(col(EntryRow.at).desc()).limit(1)).first()
    return written >= (entry or row.created_at)


def games_of(session: Session, sender: str) -> tuple[str, ...]:
    """The games of the player who has the address ``sender``: a mail from there that came to no game's address may be
    meant for one of them."""
    records = select(AliasRow.record).where(AliasRow.address == sender.lower())
    address = func.lower(col(SeatRow.address))
    seats = select(SeatRow.game).where(or_(address == sender.lower(), address.in_(records)))
    return tuple(session.exec(seats.distinct().order_by(col(SeatRow.game))).all()) if sender else ()
