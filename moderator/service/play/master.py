"""Commands of the game master for a game: end it, change its clocks, name another master, and write to all. All seats
are told of each command, and the game's log keeps it, with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from moderator.domain.clocks import wall
from moderator.domain.clocks.terms import changed
from moderator.domain.clocks.wall import WallTime
from moderator.domain.counts import counted
from moderator.service.desk import Desk
from moderator.service.people.master_lines import end_lines, tell_master
from moderator.service.play.acts import game_named, under_way
from moderator.service.play.holds import notice_to_all
from moderator.service.play.new_games import Person, check_master, greet_master
from moderator.service.post.outbox import silence_of
from moderator.service.table.acts import note_act
from moderator.service.table.clocks import charge, new_deadline, open_deadlines, reschedule, set_due, timetable_of
from moderator.service.table.held_rows import waiting_rows
from moderator.service.table.notices import over_mail
from moderator.service.table.sealed_rows import lapse_all
from moderator.service.table.table import Table, open_table, seats_of


def end(desk: Desk, game: str, reason: str = "") -> None:
    """End a game as it stands, and tell everybody its seed. ``ValueError`` if it is over already."""
    with desk.sitting() as sitting:
        row = under_way(sitting.session, game)
        table, now = open_table(sitting, row), sitting.now()
        row.status, row.reason, row.finished_at = "ended", reason, now
        note_act(sitting, row, "end", reason)
        for deadline in open_deadlines(sitting.session, row.id):
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
        row = under_way(sitting.session, game)
        row.deadline_hours, row.deadline_time = hours, shown
        row.timetable = {name: value for name, value in row.timetable.items() if name not in ("bank", "increment")}
        said = "none" if hours is None else f"{counted(hours, 'hour')} {shown}".strip()
        note_act(sitting, row, "deadline", _with(said, reason))
        table = open_table(sitting, row)
        _begin_anew(table)
        notice_to_all(table, "deadline", {"hours": hours, "time": shown, "until": "", "reason": reason})


def set_terms(desk: Desk, game: str, wishes: Sequence[tuple[str, str]], reason: str = "") -> None:
    """Change the terms of a game's clocks (``domain.clocks.terms``), and tell everybody all of them. Open questions get
    their whole time if the time for answers changes; otherwise each keeps the time that was left. ``ValueError`` if the
    game is over, a term is wrong or nothing changes."""
    with desk.sitting() as sitting:
        row = under_way(sitting.session, game)
        table, before = open_table(sitting, row), timetable_of(row)
        terms = changed(before, wishes)
        if terms == before:
            raise ValueError(f"{game}: nothing would change")
        row.deadline_hours, row.deadline_time, row.timetable = terms.hours, terms.time, terms.stored()
        note_act(sitting, row, "clock", _with(" ".join(f"{name}={text}" for name, text in wishes), reason))
        if before.time_for_answers == terms.time_for_answers:
            reschedule(table, before, {})
        else:
            _begin_anew(table)
        notice_to_all(table, "clock", {"reason": reason})


def _begin_anew(table: Table) -> None:
    """Give all open questions their whole time; none have any if the game has no clocks now."""
    for deadline in open_deadlines(table.sitting.session, table.row.id):
        seat = table.seat_of(deadline.player)
        if seat is not None:
            charge(table, seat, deadline)
        deadline.state = "met"
    for seat in table.seats:
        if seat.question:
            new_deadline(table, seat, seat.question)


def move_deadlines(desk: Desk, game: str, until: datetime, zone: str = "UTC", reason: str = "") -> int:
    """Make all open answers due when a clock in ``zone`` shows ``until`` (which has no zone). Returns their number.
    ``ValueError`` if the game is over or has no open question with a deadline, or if the moment is past."""
    due = wall.instant(until, zone)
    if due <= desk.clock.now():
        raise ValueError(f"{until:%Y-%m-%d %H:%M} {zone} is past")
    with desk.sitting() as sitting:
        row = under_way(sitting.session, game)
        found = open_deadlines(sitting.session, row.id)
        if not found:
            raise ValueError(f"{game} has no open question with a deadline")
        for deadline in found:
            set_due(deadline, timetable_of(row), due, wall.write(until, zone), desk.clock.now())
        said = f"{until:%Y-%m-%d %H:%M} {zone}"
        note_act(sitting, row, "deadline", _with(f"until {said}", reason))
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
        row = game_named(sitting.session, game)
        note_act(sitting, row, "say", text)
        notice_to_all(open_table(sitting, row), "said", {"said": text})
        return sum(not silence_of(seat) for seat in seats_of(sitting.session, row.id))


def name_master(desk: Desk, game: str, person: Person | None) -> None:
    """Make ``person`` the game master whom players can ask; None: the operator again. Lines to the one before are
    closed. Both are told. ``ValueError`` if there is no such game, or if he is the game master already or cannot be
    one."""
    name, address = (person.name, person.address) if person is not None else ("", "")
    check_master(desk.settings, person)
    with desk.sitting() as sitting:
        row = game_named(sitting.session, game)
        before = row.master, row.master_address
        if before == (name, address):
            who = f"{name} <{address}>" if name else "the operator"
            raise ValueError(f"{who} is the game master of {game} already")
        row.master, row.master_address = name, address
        closed = end_lines(sitting.session, row.id)
        note_act(sitting, row, "master", name)
        table = open_table(sitting, row)
        notice_to_all(table, "master", {"before": before[0], "closed": closed})
        if before[1] and before[1].lower() != address.lower():
            tell_master(table, table.seats[0], before[1], "master_gone", {}, None)
        greet_master(table)


def _with(said: str, reason: str) -> str:
    return f"{said}: {reason}" if reason else said
