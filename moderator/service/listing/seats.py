"""Seats, and the deadlines of their answers."""

from __future__ import annotations

from sqlmodel import Session

from moderator.domain.list_rows import ListedSeat
from moderator.service.post.outbox import silence_of
from moderator.service.table.clocks import due_of
from moderator.service.table.table import seats_of


def list_seats(session: Session, game: str) -> list[ListedSeat]:
    """The seats of a game, in seating order."""
    due = due_of(session, game)
    return [
        ListedSeat(
            seat.number, seat.player, seat.person, seat.address, bool(seat.question), due.get(seat.player),
            seat.told_at, seat.heard_at, seat.away_at, seat.bounces, silence_of(seat),
        )
        for seat in seats_of(session, game)
    ]  # fmt: skip
