"""Calendar entries of deadlines: a mail carries those that its reader does not have yet, and takes back those of
questions that are answered."""

from __future__ import annotations

from moderator.adapters.tables import SeatRow
from moderator.domain.info import CalendarEntry, GameInfo
from moderator.service import clock_rows
from moderator.service.clock_rows import person_at
from moderator.service.desk import Sitting


def entries_for(sitting: Sitting, seat: SeatRow, info: GameInfo) -> tuple[CalendarEntry, ...]:
    """The entries that the next mail to ``seat`` carries. They count as sent."""
    if not info.terms.runs:
        return ()
    rows = clock_rows.deadlines(sitting.session, seat.game, seat.player)
    news = [row for row in rows if row.state == "met" or (row.state == "open" and row.announced != row.changes)]
    if any(row.id is None for row in news):
        sitting.session.flush()  # the entry is known by the number of its row
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
    person = person_at(sitting.session, seat.address)
    return person is None or person.calendar
