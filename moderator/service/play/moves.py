"""Writing moves down."""

from __future__ import annotations

from sqlmodel import Session

from moderator.adapters.tables import EntryRow, GameRow
from moderator.domain.course import Course
from moderator.service.desk import Desk
from moderator.service.games import Live


def write_moves(desk: Desk, session: Session, row: GameRow, live: Live, course: Course, mail: int | None) -> None:
    """The moves of ``course`` go into the game's log; each makes a decision of its own."""
    now = desk.clock.now()
    for number, move in enumerate(course.moves, row.orders + 1):
        session.add(
            EntryRow(
                game=row.id,
                at=row.at,
                kind="order",
                orders=number,
                player=move.player,
                text=live.write_order(move.order),
                origin=move.origin,
                mail=mail,
                created_at=now,
            )
        )
        row.at += 1
    row.orders = len(course.game.orders)
    if course.game.finished:
        row.status, row.finished_at = "finished", now
