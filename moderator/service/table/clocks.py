"""The clocks of a table: they begin with a question, stand still while a player is away or the game waits, and end with
the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

from sqlmodel import Session, select

from engine import Ask, Game
from moderator.adapters.tables import AbsenceRow, DeadlineRow, GameRow, SeatRow
from moderator.domain.asks import asks_of, kinds_in
from moderator.domain.clocks import wall
from moderator.domain.clocks.timetable import Days, Kind, Span, Timetable
from moderator.domain.clocks.wall import WallTime
from moderator.domain.game_rows import Due
from moderator.domain.list_rows import SeatClock
from moderator.service import clock_rows
from moderator.service.clock_rows import tenure_of
from moderator.service.desk import Sitting
from moderator.service.table import tenure
from moderator.service.table.table import Table, seats_of


def timetable_of(row: GameRow) -> Timetable:
    """The terms of a game's clocks."""
    return Timetable.of(row.deadline_hours, row.deadline_time, row.timetable)


def absences_of(session: Session, seat: SeatRow) -> list[Span]:
    """The times in which the player of ``seat`` is away."""
    rows = clock_rows.absences(session, seat.game, (seat,))
    spans = ((row, days_of(row).span(row.zone)) for row in rows)
    ended = ((begin, end if row.ended_at is None else min(end, row.ended_at)) for row, (begin, end) in spans)
    return [(begin, end) for begin, end in ended if begin < end]


def days_of(row: AbsenceRow) -> Days:
    return Days.model_validate({"first": row.first, "last": row.last})


def away_now(session: Session, seat: SeatRow, now: datetime) -> bool:
    """True while the player of ``seat`` is away."""
    return any(begin <= now < end for begin, end in absences_of(session, seat))


def who_is_away(session: Session, seats: Sequence[SeatRow], now: datetime) -> dict[str, date]:
    """Players who are away now, each with the last day of that."""
    by_seat = {seat.id: seat.player for seat in seats}
    found = {}
    for row in clock_rows.absences(session, seats[0].game, seats):
        if row.ended_at is not None:
            continue
        begin, end = days_of(row).span(row.zone)
        if begin <= now < end:
            found[by_seat[row.seat]] = days_of(row).last
    return found


def kind_of(game: Game, ask: Ask) -> Kind:
    """The kind of decision that ``ask`` is, for its time."""
    if ask.sealed or ask.what.startswith("auction."):
        return "auction"
    if ask.what.startswith("company."):
        return "operating"
    kinds = kinds_in(game.legal(ask.actor))
    return "auction" if "bid" in kinds else "stock" if "stock" in kinds and ask.actor == ask.player else "answer"


def open_deadlines(session: Session, game: str, player: str | None = None) -> Sequence[DeadlineRow]:
    """The deadlines of answers that have not come, late ones included."""
    return [row for row in clock_rows.deadlines(session, game, player) if row.state != "met"]


def new_deadline(table: Table, seat: SeatRow, asked: str, answered: datetime | None = None) -> None:
    """Stop the clock of the old question, which the player may have ``answered`` at a moment, and start the clock of
    the new one."""
    sitting, row = table.sitting, table.row
    if not row.clocked:
        return
    for old in open_deadlines(sitting.session, row.id, seat.player):
        charge(table, seat, old, answered)
        if answered is not None:
            tenure.answered(table, seat, late=answered > old.due_at)
            _add_increment(table, seat)
        elif old.missed:
            tenure_of(sitting.session, seat).missed += 1
        old.state, old.remind_at, old.act_at = "met", None, None
    if not asked:
        return
    now, terms = sitting.now(), timetable_of(row)
    left = tenure_of(sitting.session, seat).bank if terms.bank is not None else None
    allowed = max(terms.allowed(kind, left) for kind in _kinds(table.game, seat, terms))
    deadline = DeadlineRow(
        game=row.id, player=seat.player, at=row.at, asked_at=now, due_at=now, allowed=int(allowed.total_seconds())
    )
    due, shown = terms.due(now, allowed, absences_of(sitting.session, seat))
    set_due(deadline, terms, due, shown, now)
    clock_rows.add_deadline(sitting.session, deadline)


def _kinds(game: Game, seat: SeatRow, terms: Timetable) -> Iterable[Kind]:
    if not terms.kinds:
        return ("stock",)
    return {kind_of(game, ask) for ask in asks_of(game, seat.player)} or ("answer",)


def set_due(deadline: DeadlineRow, terms: Timetable, due: datetime, shown: str, now: datetime) -> None:
    """Let the answer be due at ``due``, whose wall time is ``shown``. The player is warned of it."""
    deadline.changes += deadline.id is not None
    deadline.due_at, deadline.wall, deadline.state = due, shown, "open"
    deadline.remind_at, deadline.act_at, deadline.missed = terms.next_warning(due, now), None, False


def whole_time(session: Session, row: GameRow, deadline: DeadlineRow, now: datetime) -> None:
    """Give an answer its whole time again, from ``now`` on."""
    terms = timetable_of(row)
    deadline.asked_at = now
    set_due(deadline, terms, *terms.due(now, time_for(row, deadline), _absences_for(session, deadline)), now)


def time_for(row: GameRow, deadline: DeadlineRow) -> timedelta:
    """The whole time for an answer."""
    allowed = deadline.allowed
    return timedelta(seconds=allowed) if allowed is not None else timetable_of(row).allowed("stock")


def put_off(session: Session, row: GameRow, deadline: DeadlineRow, due: datetime, now: datetime) -> None:
    """Move a deadline to ``due``, or the first moment after it at which a deadline of this game may end. A deadline
    that was given as a time of day keeps that."""
    terms, absent, shown = timetable_of(row), _absences_for(session, deadline), ""
    if deadline.wall and not terms.time:
        given, zone = wall.read(deadline.wall)
        shown = wall.write(WallTime(given.hour, given.minute, zone).next_after(due), zone)
        due = wall.instant(*wall.read(shown))
    found, decided = terms.due(due, timedelta(), absent)
    set_due(deadline, terms, found, decided or (shown if found == due else ""), now)


def _absences_for(session: Session, deadline: DeadlineRow) -> list[Span]:
    wanted = select(SeatRow).where(SeatRow.game == deadline.game, SeatRow.player == deadline.player)
    seat = session.exec(wanted).first()
    return [] if seat is None else absences_of(session, seat)


def charge(table: Table, seat: SeatRow, deadline: DeadlineRow, until: datetime | None = None) -> None:
    """Add the time since the question was asked, ``until`` a moment or now, to what the player has used, and take it
    from his bank."""
    now = until or table.sitting.now()
    if deadline.asked_at is None:
        return
    his = tenure_of(table.sitting.session, seat)
    terms = timetable_of(table.row)
    passed = terms.passed(deadline.asked_at, now, absences_of(table.sitting.session, seat))
    deadline.asked_at = now
    his.used += int(passed.total_seconds())
    if terms.bank is not None:
        full = terms.bank * 3_600 if his.bank is None else his.bank
        his.bank = max(0, full - int(passed.total_seconds()))


def _add_increment(table: Table, seat: SeatRow) -> None:
    """Add to the bank of a player what each answer earns."""
    terms = timetable_of(table.row)
    if terms.bank is not None:
        his = tenure_of(table.sitting.session, seat)
        his.bank = (terms.bank * 3_600 if his.bank is None else his.bank) + terms.increment * 3_600


def reschedule(table: Table, before: Timetable, absent: dict[str, list[Span]]) -> list[SeatRow]:
    """Move the open deadlines after a change of the timetable or of absences, so that each player keeps the time that
    he had left. ``before``: the timetable until now; ``absent``: player -> his absences until now. Returns the seats
    whose deadline has moved."""
    sitting, moved = table.sitting, []
    now, terms = sitting.now(), timetable_of(table.row)
    for deadline in open_deadlines(sitting.session, table.row.id):
        seat = table.seat_of(deadline.player)
        if seat is None or deadline.state != "open":
            continue
        absences = absences_of(sitting.session, seat)
        due, shown = before.moved(deadline.due_at, now, absent.get(seat.player, absences), terms, absences)
        if due != deadline.due_at:
            set_due(deadline, terms, due, shown, now)
            moved.append(seat)
    return moved


def due_of(session: Session, game: str) -> dict[str, Due]:
    """The latest deadline that is not met, by player."""
    return {row.player: Due(row.due_at, row.state == "overdue") for row in open_deadlines(session, game)}


def list_clocks(sitting: Sitting, game: GameRow) -> list[SeatClock]:
    """The clocks of the seats of a game, in seating order."""
    session, now = sitting.session, sitting.now()
    seats, due = seats_of(session, game.id), due_of(session, game.id)
    away, terms = who_is_away(session, seats, now), timetable_of(game)
    return [_clock(sitting, seat, due.get(seat.player), away.get(seat.player), terms) for seat in seats]


def _clock(sitting: Sitting, seat: SeatRow, due: Due | None, away: date | None, terms: Timetable) -> SeatClock:
    """The clock of a seat, with the time until now if it runs."""
    his = tenure_of(sitting.session, seat)
    used, bank = his.used, his.bank
    running = next(iter(open_deadlines(sitting.session, seat.game, seat.player)), None)
    if running is not None and running.asked_at is not None:
        passed = terms.passed(running.asked_at, sitting.now(), absences_of(sitting.session, seat))
        used += int(passed.total_seconds())
        bank = None if bank is None else max(0, bank - int(passed.total_seconds()))
    if bank is None and terms.bank is not None:
        bank = max(0, terms.bank * 3_600 - used)
    return SeatClock(seat.player, used, his.answers, his.late, bank, due, seat.caretaker, away)
