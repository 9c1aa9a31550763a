"""Commands of the game master for a game: pause, resume, end, change deadlines, and write to all. All seats are told of
each command, and the game's log keeps it, with its reason."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, select

from moderator.adapters.tables import DeadlineRow, EntryRow, GameRow
from moderator.domain import wall
from moderator.domain.counts import counted
from moderator.domain.wall import WallTime
from moderator.service.desk import Desk, Sitting
from moderator.service.locks import lock_games
from moderator.service.play.holds import go_on, notice_to_all
from moderator.service.post.outbox import silence_of
from moderator.service.table.held_rows import waiting_rows
from moderator.service.table.notices import new_deadline, over_mail
from moderator.service.table.sealed_rows import lapse_all, reminder_before
from moderator.service.table.table import open_table, seats_of


def pause(desk: Desk, game: str, reason: str = "") -> None:
    """Pause a game: no order is carried out and no deadline ends until ``resume``. A paused game can be given another
    reason. ``ValueError`` if the game already waits or is over."""
    with desk.sitting() as sitting:
        row = _under_way(sitting.session, game)
        if row.status == "paused" and reason in ("", row.reason):
            raise ValueError(f"{game} is paused already")
        if row.waits and row.status != "paused":
            raise ValueError(
                f"{game} is already on hold, because its log no longer leads to the position that players were told"
            )
        row.status, row.reason = "paused", reason
        _note(sitting, row, "pause", reason)
        notice_to_all(open_table(sitting, row), "paused", {"reason": reason})


def resume(desk: Desk, game: str, reason: str = "") -> None:
    """Let a paused game go on. Players with open questions are asked anew, and have their whole time. ``ValueError`` if
    the game is not paused."""
    with desk.sitting() as sitting:
        row = _under_way(sitting.session, game)
        if row.status != "paused":
            raise ValueError(f"{game} is not paused")
        row.status, row.reason = "running" if row.hold is None else "held", ""
        _note(sitting, row, "resume", reason)
        go_on(open_table(sitting, row), "resumed", {"reason": reason})


def end(desk: Desk, game: str, reason: str = "") -> None:
    """End a game as it stands, and tell everybody its seed. ``ValueError`` if it is over already."""
    with desk.sitting() as sitting:
        row = _under_way(sitting.session, game)
        table, now = open_table(sitting, row), sitting.now()
        row.status, row.reason, row.finished_at = "ended", reason, now
        _note(sitting, row, "end", reason)
        for deadline in _open(sitting.session, row):
            deadline.state = "met"
        for held in waiting_rows(sitting.session, row.id):
            held.status, held.closed_at = "lapsed", now
        lapse_all(sitting.session, row.id, now)
        for seat in table.seats:
            seat.question = ""
            over_mail(table, seat)


def set_deadline(desk: Desk, game: str, hours: int | None, time: str = "", reason: str = "") -> None:
    """Make answers due after ``hours`` from now on, at the ``time`` of day (``20:00 Europe/Zurich``) if one is given;
    None means no deadlines. Open questions get the whole time. ``ValueError`` if the game is over or the time is
    wrong."""
    shown = str(WallTime.parse(time)) if time else ""
    with desk.sitting() as sitting:
        row = _under_way(sitting.session, game)
        row.deadline_hours, row.deadline_time = hours, shown
        said = "none" if hours is None else f"{counted(hours, 'hour')} {shown}".strip()
        _note(sitting, row, "deadline", _with(said, reason))
        for deadline in _open(sitting.session, row):
            deadline.state = "met"
        table = open_table(sitting, row)
        for seat in table.seats:
            if seat.question:
                new_deadline(table, seat, seat.question)
        notice_to_all(table, "deadline", {"hours": hours, "time": shown, "until": "", "reason": reason})


def move_deadlines(desk: Desk, game: str, until: datetime, zone: str = "UTC", reason: str = "") -> int:
    """Make all open answers due when a clock in ``zone`` shows ``until`` (which has no zone). Returns their number.
    ``ValueError`` if the game is over or has no open question with a deadline, or if the moment is past."""
    due = wall.instant(until, zone)
    if due <= desk.clock.now():
        raise ValueError(f"{until:%Y-%m-%d %H:%M} {zone} is past")
    with desk.sitting() as sitting:
        row = _under_way(sitting.session, game)
        found = _open(sitting.session, row)
        if not found:
            raise ValueError(f"{game} has no open question with a deadline")
        for deadline in found:
            deadline.due_at, deadline.wall, deadline.state = due, wall.write(until, zone), "open"
            deadline.remind_at = reminder_before(due, desk.clock.now())
        said = f"{until:%Y-%m-%d %H:%M} {zone}"
        _note(sitting, row, "deadline", _with(f"until {said}", reason))
        notice_to_all(
            open_table(sitting, row), "deadline", {"hours": None, "time": "", "until": said, "reason": reason}
        )
        return len(found)


def say(desk: Desk, game: str, text: str) -> int:
    """Write ``text`` to all seats. Returns the number of seats that are sent it. ``ValueError`` if there is no such
    game, or no text."""
    if not text:
        raise ValueError("there is nothing to say")
    with desk.sitting() as sitting:
        row = _game(sitting.session, game)
        _note(sitting, row, "say", text)
        notice_to_all(open_table(sitting, row), "said", {"said": text})
        return sum(not silence_of(seat) for seat in seats_of(sitting.session, row.id))


def _game(session: Session, game: str) -> GameRow:
    row = lock_games(session, (game,)).get(game)
    if row is None:
        raise ValueError(f"there is no game {game!r}")
    return row


def _under_way(session: Session, game: str) -> GameRow:
    row = _game(session, game)
    if row.over:
        raise ValueError(f"{game} is over")
    return row


def _open(session: Session, row: GameRow) -> list[DeadlineRow]:
    """The deadlines of answers that have not come."""
    wanted = select(DeadlineRow).where(DeadlineRow.game == row.id, DeadlineRow.state != "met")
    return list(session.exec(wanted.order_by(col(DeadlineRow.id))).all())


def _with(said: str, reason: str) -> str:
    return f"{said}: {reason}" if reason else said


def _note(sitting: Sitting, row: GameRow, kind: str, text: str) -> None:
    """Add an entry to the log. The position stays, and the number of the decision rises."""
    sitting.session.add(
        EntryRow(
            game=row.id, at=row.at, kind=kind, orders=row.orders, text=text, origin="master",
            created_at=sitting.now(),
        )
    )  # fmt: skip
    row.at += 1
    sitting.session.flush()
