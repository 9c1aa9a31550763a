"""Seats, and the deadlines of their answers."""

from __future__ import annotations

from sqlmodel import Session, col, select

from moderator.adapters.tables import DeadlineRow
from moderator.domain.list_rows import Due, ListedSeat
from moderator.service.post.outbox import silence_of
from moderator.service.table.table import seats_of


def list_seats(session: Session, game: str) -> list[ListedSeat]:
    """The seats of a game, in seating order."""
    due = _due_of(session, game)
    return [
        ListedSeat(
            seat.number, seat.player, seat.person, seat.address, bool(seat.question), due.get(seat.player),
            seat.told_at, seat.heard_at, seat.away_at, seat.bounces, silence_of(seat),
        )
        for seat in seats_of(session, game)
    ]  # fmt: skip


def _due_of(session: Session, game: str) -> dict[str, Due]:
    """The latest deadline that is not met, by player."""
    wanted = select(DeadlineRow).where(DeadlineRow.game == game, DeadlineRow.state != "met")
    rows = session.exec(wanted.order_by(col(DeadlineRow.id))).all()
    return {row.player: Due(row.due_at, row.state == "overdue") for row in rows}
