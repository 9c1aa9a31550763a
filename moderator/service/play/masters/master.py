"""Acts of the game master for a game: end it, change its clocks, name masters, and write to all. All seats are told of
each act, and the game's log keeps it, with its reason.

Each act is there twice: for a command, which opens a sitting of its own, and, with ``_in``, for a mail that is being
decided. In a ``trial`` everything is checked and nothing is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from moderator.adapters.tables import DeadlineRow, GameRow
from moderator.domain.clocks import wall
from moderator.domain.clocks.terms import changed
from moderator.domain.clocks.wall import WallTime
from moderator.domain.counts import counted
from moderator.service.desk import Desk, Sitting
from moderator.service.people.master_lines import end_lines, tell_master
from moderator.service.play.holds import notice_to_all
from moderator.service.play.masters.acts import game_named, under_way
from moderator.service.play.new_games import Person, check_master, greet_master
from moderator.service.post.outbox import silence_of
from moderator.service.table.acts import note_act
from moderator.service.table.anonymity import note_knowing
from moderator.service.table.clocks import (
    charge,
    new_deadline,
    open_deadlines,
    put_off,
    reschedule,
    set_due,
    timetable_of,
)
from moderator.service.table.game_master import Office, may_know, office_at, offices_of, write_offices
from moderator.service.table.held_rows import waiting_rows
from moderator.service.table.motions import close, open_motions, waiting_of
from moderator.service.table.notices import over_mail
from moderator.service.table.sealed_rows import lapse_all
from moderator.service.table.table import Table, open_table, seats_of

_MOST_HOURS: Final = 8_760
"""The most hours that answers are put off at once: a year."""


def end(desk: Desk, game: str, reason: str = "") -> None:
    """End a game as it stands, and tell everybody its seed. ``ValueError`` if it is over already."""
    with desk.sitting() as sitting:
        end_in(sitting, game, reason)


def end_in(sitting: Sitting, game: str, reason: str = "", *, trial: bool = False) -> None:
    row = under_way(sitting.session, game)
    if trial:
        return
    table, now = open_table(sitting, row), sitting.now()
    row.status, row.reason, row.finished_at = "ended", reason, now
    note_act(sitting, row, "end", reason)
    for deadline in open_deadlines(sitting.session, row.id):
        deadline.state = "met"
    for held in waiting_rows(sitting.session, row.id):
        held.status, held.closed_at = "lapsed", now
    lapse_all(sitting.session, row.id, now)
    for motion in open_motions(sitting.session, row.id):
        close(sitting, motion, "lapsed")
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
        set_terms_in(sitting, game, wishes, reason)


def set_terms_in(
    sitting: Sitting, game: str, wishes: Sequence[tuple[str, str]], reason: str = "", *, trial: bool = False
) -> None:  # fmt: skip
    row = under_way(sitting.session, game)
    table, before = open_table(sitting, row), timetable_of(row)
    terms = changed(before, wishes)
    if terms == before:
        raise ValueError(f"{game}: nothing would change")
    if trial:
        return
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
    with desk.sitting() as sitting:
        return move_deadlines_in(sitting, game, until, zone, reason)


def move_deadlines_in(
    sitting: Sitting, game: str, until: datetime, zone: str = "UTC", reason: str = "", *, trial: bool = False
) -> int:  # fmt: skip
    due, now = wall.instant(until, zone), sitting.now()
    if due <= now:
        raise ValueError(f"{until:%Y-%m-%d %H:%M} {zone} is past")
    row = under_way(sitting.session, game)
    found = _awaited(sitting, row)
    if not trial:
        for deadline in found:
            set_due(deadline, timetable_of(row), due, wall.write(until, zone), now)
        said = f"{until:%Y-%m-%d %H:%M} {zone}"
        note_act(sitting, row, "deadline", _with(f"until {said}", reason))
        facts = {"hours": None, "time": "", "until": said, "reason": reason}
        notice_to_all(open_table(sitting, row), "deadline", facts)
    return len(found)


def extend_in(sitting: Sitting, game: str, hours: int, reason: str = "", *, trial: bool = False) -> int:
    """Give each answer that is awaited ``hours`` more, from its deadline or, if that is past, from now on. Returns
    their number. ``ValueError`` as for ``move_deadlines``."""
    if not 0 < hours <= _MOST_HOURS:
        raise ValueError(f"more time is 1 to {_MOST_HOURS} hours")
    row, now = under_way(sitting.session, game), sitting.now()
    found = _awaited(sitting, row)
    if not trial:
        for deadline in found:
            put_off(sitting.session, row, deadline, max(deadline.due_at, now) + timedelta(hours=hours), now)
        note_act(sitting, row, "deadline", _with(f"{counted(hours, 'hour')} more", reason))
        notice_to_all(open_table(sitting, row), "extended", {"hours": hours, "reason": reason})
    return len(found)


def _awaited(sitting: Sitting, row: GameRow) -> Sequence[DeadlineRow]:
    """The deadlines of answers that are awaited. ``ValueError`` if there are none."""
    found = open_deadlines(sitting.session, row.id)
    if not found:
        raise ValueError(f"{row.id} has no open question with a deadline")
    return found


def say(desk: Desk, game: str, text: str) -> int:
    """Write ``text`` to all seats. Returns the number of seats that are sent it. ``ValueError`` if there is no such
    game, or no text."""
    with desk.sitting() as sitting:
        return say_in(sitting, game, text)


def say_in(sitting: Sitting, game: str, text: str, *, trial: bool = False) -> int:
    if not text:
        raise ValueError("there is nothing to say")
    row = game_named(sitting.session, game)
    if not trial:
        note_act(sitting, row, "say", text)
        notice_to_all(open_table(sitting, row), "said", {"said": text})
    return sum(not silence_of(seat) for seat in seats_of(sitting.session, row.id))


def name_master(desk: Desk, game: str, person: Person | None, reason: str = "") -> None:
    """Make ``person`` the only game master; None: the operator again. Lines to the one whom players wrote to before are
    closed. All are told. ``ValueError`` if there is no such game, or if he is that already or cannot be one."""
    check_master(desk.settings, person)
    with desk.sitting() as sitting:
        row = game_named(sitting.session, game)
        before = offices_of(row)
        now = () if person is None else (Office(name=person.name, address=person.address),)
        if [(one.name, one.address) for one in before] == [(one.name, one.address) for one in now]:
            who = f"{person.name} <{person.address}>" if person is not None else "the operator"
            raise ValueError(f"{who} is the game master of {game} already")
        _appoint(sitting, row, now, reason)


def add_master_in(sitting: Sitting, game: str, person: Person, reason: str = "", *, trial: bool = False) -> None:
    """Make ``person`` a further game master. ``ValueError`` if he is one already or cannot be one."""
    check_master(sitting.settings, person)
    row = game_named(sitting.session, game)
    if office_at(row, person.address) is not None:
        raise ValueError(f"{person.address} is a game master of {game} already")
    if not trial:
        _appoint(sitting, row, (*offices_of(row), Office(name=person.name, address=person.address)), reason)


def remove_master_in(sitting: Sitting, game: str, address: str, reason: str = "", *, trial: bool = False) -> None:
    """Let the person at ``address`` be a game master no longer. ``ValueError`` if he is none."""
    row = game_named(sitting.session, game)
    gone = office_at(row, address)
    if gone is None:
        names = ", ".join(one.address for one in offices_of(row)) or "nobody"
        raise ValueError(f"{address} is no game master of {game}: there is {names}")
    if not trial:
        _appoint(sitting, row, tuple(one for one in offices_of(row) if one.address != gone.address), reason)


def _appoint(sitting: Sitting, row: GameRow, offices: Sequence[Office], reason: str = "") -> None:
    """Store the game masters, and tell the players, those who are new and those who are gone. The words of somebody who
    is gone are taken no longer."""
    before = offices_of(row)
    stay = {one.address.lower() for one in offices}
    write_offices(row, offices)
    other = [one.address.lower() for one in before[:1]] != [one.address.lower() for one in offices[:1]]
    closed = end_lines(sitting.session, row.id) if other else 0
    note_act(sitting, row, "master", _with(", ".join(one.name for one in offices), reason))
    table = open_table(sitting, row)
    facts = {
        "before": before[0].name if before and before[0].address.lower() not in stay else "",
        "names": tuple(one.name for one in offices), "closed": closed, "reason": reason,
    }  # fmt: skip
    notice_to_all(table, "master", facts)
    gone_ones = [one for one in before if one.address.lower() not in stay]
    told = [one.address for one in gone_ones if may_know(sitting.session, row, table.seats, one.address)]
    if row.veiled and told:
        note_knowing(sitting, row.id, told)
    for gone in gone_ones:
        for motion in waiting_of(sitting.session, row.id, gone.address):
            if motion.needs in ("own", "second"):  # on the others the table goes on to vote
                close(sitting, motion, "lapsed")
        tell_master(table, table.seats[0], gone.address, "master_gone", {}, None)
    known = {one.address.lower() for one in before}
    for one in offices:
        if one.address.lower() not in known:
            greet_master(table, one)


def _with(said: str, reason: str) -> str:
    return f"{said}: {reason}" if reason else said
