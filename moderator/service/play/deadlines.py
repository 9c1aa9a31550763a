"""Sweeps the deadlines. If the rules have an answer for silence, it is given; otherwise everybody is told who is
late."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import exists
from sqlmodel import col, select

from moderator.adapters.tables import WAITING, DeadlineRow, GameRow, MailRow, SeatRow
from moderator.service.desk import Desk, Sitting
from moderator.service.games import Live
from moderator.service.locks import lock_game
from moderator.service.play.deputy import act_on_lateness, answer_for_silence, move_for_absent
from moderator.service.play.reminders import remind, tell_late
from moderator.service.play.sealed_orders import unanswered
from moderator.service.service_facts import forget
from moderator.service.table.clocks import absences_of, timetable_of
from moderator.service.table.stuck import STUCK, Apart
from moderator.service.table.table import Table, open_table


def sweep_deadlines(desk: Desk) -> int:
    """Handle every question whose time is up, once. Returns their number. A game that cannot be handled is reported to
    the operator, and holds up no other."""
    remind(desk)
    count = _end_those_due(desk)
    act_on_lateness(desk)
    move_for_absent(desk)
    return count


def _end_those_due(desk: Desk) -> int:
    count = 0
    stuck: list[str] = []
    while (found := _next_due(desk, stuck)) is not None:
        number, game = found
        with Apart(desk, game, "deadline") as tried:
            with desk.sitting() as sitting:
                live = _late(sitting, number)
                forget(sitting.session, STUCK + game)
            if live is not None:
                desk.games.put(live)
            count += 1
        if tried.failed:
            stuck.append(game)
    return count


def _next_due(desk: Desk, without: list[str]) -> tuple[int, str] | None:
    in_time = exists().where(
        col(MailRow.outcome).is_(None), col(MailRow.received_at) <= DeadlineRow.due_at
    )  # a mail that came in time and is not decided may be the answer
    waits = exists().where(col(GameRow.id) == DeadlineRow.game, col(GameRow.status).in_(WAITING))
    due = (
        select(DeadlineRow.id, DeadlineRow.game)
        .where(DeadlineRow.state == "open", DeadlineRow.due_at <= desk.clock.now(), ~in_time, ~waits)
        .where(col(DeadlineRow.game).not_in(without))
        .order_by(col(DeadlineRow.due_at), col(DeadlineRow.id))
        .limit(1)
    )
    with desk.database.reading() as session:
        found = session.exec(due).first()
    return None if found is None or found[0] is None else (found[0], found[1])


def _late(sitting: Sitting, number: int) -> Live | None:
    """Handle one question whose time is up. Returns the game after it, if it has moved."""
    deadline = sitting.session.get(DeadlineRow, number)
    if deadline is None:
        return None
    row = lock_game(sitting.session, deadline.game)
    sitting.session.refresh(deadline)  # an answer may have come meanwhile
    if deadline.state != "open":
        return None
    table = open_table(sitting, row)
    if row.waits:  # this was found out just now: its clocks stand still
        return None
    deadline.state = "overdue"
    seat = table.seat_of(deadline.player)
    if row.status != "running" or seat is None or not seat.question:
        return None
    moved = answer_for_silence(table, seat)
    if moved is None and any(ask.silence is None for ask in unanswered(table, seat.player)):
        _agree(table, seat, deadline)
        tell_late(table, seat, deadline)
    return moved


def _agree(table: Table, seat: SeatRow, deadline: DeadlineRow) -> None:
    """Set the moment for what the table has agreed on."""
    terms = timetable_of(table.row)
    if terms.late != "master" and not seat.caretaker:
        absent = absences_of(table.sitting.session, seat)
        deadline.act_at = terms.after(deadline.due_at, timedelta(hours=terms.grace), absent)
