"""Seats, and the deadlines of their answers."""

from __future__ import annotations

from sqlmodel import Session

from moderator.adapters.tables import GameRow
from moderator.domain.list_rows import ListedSeat, ShownSeat
from moderator.service.clock_rows import tenure_of
from moderator.service.desk import Sitting
from moderator.service.post.outbox import silence_of
from moderator.service.table.clocks import due_of, who_is_away
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


def list_shown_seats(sitting: Sitting, game: GameRow, *, heard: bool) -> list[ShownSeat]:
    """The seats of a game for its game master, without addresses. ``heard``: with the moment of the last mail from
    each, which is nothing for a game master who plays. He does not see either who plays an anonymous game."""
    session, veiled = sitting.session, game.veiled and not heard
    seats, due = seats_of(session, game.id), due_of(session, game.id)
    away = who_is_away(session, seats, sitting.now())
    return [
        ShownSeat(
            seat.player, "" if veiled else seat.person, tenure_of(session, seat).began_at,
            bool(seat.question), due.get(seat.player),
            away.get(seat.player), seat.caretaker, seat.heard_at if heard else None, silence_of(seat) if heard else "",
        )
        for seat in seats
    ]  # fmt: skip
