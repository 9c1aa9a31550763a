"""Reminders of answers that are due: before the time ends, and again and again while an answer is late.

When an answer becomes late, the player is told, each other seat once, and the game master. As long as it stays late,
the player and the game master are told again every ``late_again_hours``; digests tell the others.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import col, select

from moderator.adapters.tables import WAITING, DeadlineRow, GameRow, SeatRow
from moderator.domain.transcript import Facts
from moderator.service.desk import Desk, Sitting
from moderator.service.people.master_lines import tell_office
from moderator.service.play.sealed_orders import remind_of_sealed, unanswered
from moderator.service.post.outbox import queue_operator, silence_of
from moderator.service.table.clocks import away_now, timetable_of
from moderator.service.table.game_master import offices_of
from moderator.service.table.notices import notice, turn_mail
from moderator.service.table.stuck import Apart
from moderator.service.table.table import Table, lock_table


def remind(desk: Desk) -> int:
    """Write the reminders whose moment has come, each once. Returns the number of answers of which somebody was
    reminded."""
    now = desk.clock.now()
    waits = col(GameRow.status).in_(WAITING)
    wanted = (
        select(DeadlineRow.id, DeadlineRow.game)
        .join(GameRow, col(GameRow.id) == col(DeadlineRow.game))
        .where(col(DeadlineRow.remind_at) <= now, col(DeadlineRow.state).in_(("open", "overdue")), ~waits)
        .where((col(DeadlineRow.due_at) > now) | (col(DeadlineRow.state) == "overdue"))
        .order_by(col(DeadlineRow.id))
    )
    with desk.database.reading() as session:
        found = session.exec(wanted).all()
    count = 0
    for number, game in found:
        with Apart(desk, game), desk.sitting() as sitting:
            table = lock_table(sitting, game)
            deadline = sitting.session.get(DeadlineRow, number)
            if deadline is not None and not table.row.waits:
                count += _remind(table, deadline)
    return count


def _remind(table: Table, deadline: DeadlineRow) -> bool:
    """Remind a player of one answer. False if he has given it meanwhile, or is sent nothing."""
    seat = table.seat_of(deadline.player)
    if deadline.state not in ("open", "overdue") or seat is None:
        return False
    late = deadline.state == "overdue"
    terms, now = timetable_of(table.row), table.sitting.now()
    deadline.remind_at = (
        again(table.sitting) if late else (terms.next_warning(deadline.due_at, now) if terms.warnings else None)
    )
    if not seat.question or table.row.status != "running":
        return False
    if late:
        _tell_master(table, seat, deadline.due_at)
    if silence_of(seat) or away_now(table.sitting.session, seat, table.sitting.now()):
        return late
    asks = unanswered(table, seat.player)
    if not late and any(ask.sealed for ask in asks):
        remind_of_sealed(table, seat, asks)
    elif asks:
        turn_mail(table, seat, "reminder")
    return True


def again(sitting: Sitting) -> datetime | None:
    """The moment at which a late player is reminded next; None if never."""
    hours = sitting.settings.late_again_hours
    return sitting.now() + timedelta(hours=hours) if hours else None


def tell_late(table: Table, seat: SeatRow, deadline: DeadlineRow) -> None:
    """Tell everybody that the answer of ``seat`` is late."""
    deadline.remind_at, deadline.missed = again(table.sitting), True
    turn_mail(table, seat, "reminder")
    for other in table.seats:
        if other.id != seat.id:
            notice(table, other, "late", {"player": seat.player, "was_due": deadline.due_at})
    _tell_master(table, seat, deadline.due_at)


def _tell_master(table: Table, seat: SeatRow, due: datetime) -> None:
    """Tell the game masters that an answer is late, or the operator if the game names none."""
    days = (table.sitting.now() - due) // timedelta(days=1)
    facts: Facts = {"game": table.row.id, "player": seat.player, "due": f"{due:%Y-%m-%d %H:%M}", "days": days}
    offices = offices_of(table.row)
    for office in offices:
        follows = timetable_of(table.row).late
        told: Facts = {"player": seat.player, "was_due": due, "days": days, "late": follows}
        tell_office(table, office, "office_late", told)
    if offices:
        return
    text = table.sitting.words.operator_words("late", facts)
    queue_operator(table.sitting, text, kind=f"late {seat.id}")
