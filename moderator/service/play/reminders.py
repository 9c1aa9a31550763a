"""Reminders of answers that are due: before the time ends, and again and again while an answer is late.

When an answer becomes late, the player is told, each other seat once, and the game master. As long as it stays late,
the player and the game master are told again every ``late_again_hours``; digests tell the others. What the table has
agreed on may follow at once: then one mail tells of both.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, union
from sqlmodel import col, select

from moderator.adapters.tables import WAITING, DeadlineRow, GameRow, SeatRow
from moderator.domain.senders import same_address
from moderator.domain.transcript import Facts
from moderator.service.desk import Desk, Sitting
from moderator.service.people.master_lines import tell_office
from moderator.service.play.sealed_orders import remind_of_sealed, unanswered
from moderator.service.post.outbox import queue_operator, silence_of
from moderator.service.table.clocks import away_now, timetable_of
from moderator.service.table.game_master import may_know, offices_of
from moderator.service.table.notices import notice, turn_mail
from moderator.service.table.stuck import Apart
from moderator.service.table.table import Table, lock_table


def remind(desk: Desk) -> int:
    """Write the reminders whose moment has come, each once. Returns the number of answers of which somebody was
    reminded."""
    now = desk.clock.now()
    waits = col(GameRow.status).in_(WAITING)
    to_take_over = col(DeadlineRow.asked_at).is_(None) & col(DeadlineRow.remind_at).is_(None)
    state = func.coalesce(DeadlineRow.state, "")  # so that the index on reminders is used, not the one on states
    wanted = (
        select(DeadlineRow.id, DeadlineRow.game)
        .join(GameRow, col(GameRow.id) == col(DeadlineRow.game))
        .where(state.in_(("open", "overdue")), (col(DeadlineRow.due_at) > now) | (state == "overdue"), ~waits)
    )
    both: Any = union(wanted.where(col(DeadlineRow.remind_at) <= now), wanted.where(to_take_over))
    with desk.database.reading() as session:
        found = sorted((int(number), str(game)) for number, game in session.execute(both))
    count = 0
    for number, game in found:
        with Apart(desk, game), desk.sitting() as sitting:
            table = lock_table(sitting, game)
            deadline = sitting.session.get(DeadlineRow, number)
            if deadline is not None and not table.row.waits:
                count += _remind(table, deadline)
    return count


def _remind(table: Table, deadline: DeadlineRow) -> bool:
    """Remind a player of one answer. False if he has given it or was reminded meanwhile, or is sent nothing."""
    seat = table.seat_of(deadline.player)
    if deadline.state not in ("open", "overdue") or seat is None:
        return False
    if deadline.asked_at is None and deadline.remind_at is None:
        return _take_over(table, seat, deadline)
    terms, now = timetable_of(table.row), table.sitting.now()
    if deadline.remind_at is None or deadline.remind_at > now:
        return False  # another service has written it meanwhile
    late = deadline.state == "overdue"
    deadline.remind_at = (
        again(table.sitting) if late else (terms.next_warning(deadline.due_at, now) if terms.warnings else None)
    )
    if not seat.question or table.row.status != "running":
        return False
    if late:
        _tell_master(table, seat, deadline)
    if silence_of(seat) or away_now(table.sitting.session, seat, table.sitting.now()):
        return late
    asks = unanswered(table, seat.player)
    if not late and any(ask.sealed for ask in asks):
        remind_of_sealed(table, seat, asks)
    elif asks:
        turn_mail(table, seat, "reminder")
    return True


def _take_over(table: Table, seat: SeatRow, deadline: DeadlineRow) -> bool:
    """Begin the reminders of an answer that a program before version 0.9.0 has asked for. If it is late, that program
    has told nobody but its player. True if everybody is told now."""
    now = deadline.asked_at = table.sitting.now()
    if deadline.state == "overdue" and seat.question and table.row.status == "running":
        tell_late(table, seat, deadline)
        return True
    deadline.remind_at = timetable_of(table.row).next_warning(deadline.due_at, now)
    return False


def again(sitting: Sitting) -> datetime | None:
    """The moment at which a late player is reminded next; None if never."""
    hours = sitting.settings.late_again_hours
    return sitting.now() + timedelta(hours=hours) if hours else None


def tell_late(table: Table, seat: SeatRow, deadline: DeadlineRow) -> None:
    """Tell everybody that the answer of ``seat`` is late, unless what follows at once tells them."""
    deadline.remind_at, deadline.missed = again(table.sitting), True
    then, act = _what_follows(table, seat, deadline)
    at_once = then not in ("", "master") and act is None
    if not at_once or then == "open":
        turn_mail(table, seat, "reminder")
    if at_once and then != "default":  # all are told that a robot moves, or that the seat is open
        return
    for other in table.seats:
        if other.id != seat.id:
            facts: Facts = {"player": seat.player, "was_due": deadline.due_at, "then": then, "act": act}
            notice(table, other, "late", facts)
    _tell_master(table, seat, deadline)


def _what_follows(table: Table, seat: SeatRow, deadline: DeadlineRow) -> tuple[str, datetime | None]:
    """The consequence of this late answer that the table has agreed on, and the moment at which it comes. None if that
    is now, or if nothing comes by itself."""
    if seat.caretaker:
        return seat.caretaker, None
    if deadline.act_at is None:
        return "master", None
    return timetable_of(table.row).late, deadline.act_at if deadline.act_at > table.sitting.now() else None


def _tell_master(table: Table, seat: SeatRow, deadline: DeadlineRow) -> None:
    sitting, due = table.sitting, deadline.due_at
    then, act = _what_follows(table, seat, deadline)
    days = (sitting.now() - due) // timedelta(days=1)
    facts: Facts = {
        "game": table.row.id, "player": seat.player, "due": f"{due:%Y-%m-%d %H:%M}", "days": days, "then": then,
        "act": f"{act:%Y-%m-%d %H:%M}" if act is not None else "",
    }  # fmt: skip
    queue_operator(sitting, sitting.words.operator_words("late", facts), kind=f"late {seat.id}")
    tell_named_master(table, seat, "master_late", {"was_due": due, "days": days, "then": then, "act": act})


def tell_named_master(table: Table, seat: SeatRow, key: str, facts: Facts) -> None:
    """Write ``notice.KEY`` about ``seat`` to the game masters whom the game names. The operator is told in other
    words. The fact ``name`` is that of a person, which not every game master may know."""
    operator = table.sitting.settings.operator
    for office in offices_of(table.row):
        if not (operator and same_address(office.address, operator)):
            knows = may_know(table.sitting.session, table.row, table.seats, office.address)
            hidden: Facts = {} if knows or "name" not in facts else {"name": ""}
            tell_office(table, office, key, {"player": seat.player, **facts, **hidden, "operator": operator})
