"""Calendar entries of deadlines: a mail carries those that its reader does not have yet, and takes back those of
questions that are answered."""

from __future__ import annotations

from sqlmodel import col, or_, select

from moderator.adapters.tables import DeadlineRow, PersonRow, SeatRow
from moderator.domain.info import CalendarEntry, GameInfo
from moderator.service.desk import Sitting


def entries_for(sitting: Sitting, seat: SeatRow, info: GameInfo) -> tuple[CalendarEntry, ...]:
    """The entries that the next mail to ``seat`` carries. They count as sent."""
    if not info.terms.runs:
        return ()
    wanted = (
        select(DeadlineRow)
        .where(DeadlineRow.game == seat.game, DeadlineRow.player == seat.player)
        .where(or_(DeadlineRow.state == "open", col(DeadlineRow.announced).is_not(None)))
        .order_by(col(DeadlineRow.id))
    )
    rows = sitting.session.exec(wanted).all()
    news = [row for row in rows if row.state == "met" or (row.state == "open" and row.announced != row.changes)]
    if not news or not wants_calendar(sitting, seat):
        return ()
    found = []
    for row in news:
        uid = f"{seat.game}.{seat.number}.{row.id}@{sitting.settings.domain}"
        cancelled = row.state == "met"
        row.changes += cancelled
        found.append(CalendarEntry(uid, row.changes, row.due_at, cancelled))
        row.announced = None if cancelled else row.changes
    return tuple(found)


def wants_calendar(sitting: Sitting, seat: SeatRow) -> bool:
    """True unless the player wants no calendar entries."""
    person = sitting.session.get(PersonRow, seat.address.lower())
    return person is None or person.calendar
