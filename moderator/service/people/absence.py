"""Absences: days on which a player is away, given by mail. His clock stands still, and the table is told.

Held orders and standing bids go on meanwhile. An absence lies within the days that the game allows in a year.
"""

from __future__ import annotations

from datetime import date, timedelta

from sqlmodel import Session

from moderator.adapters.tables import AbsenceRow, GameRow, SeatRow
from moderator.domain.clocks import wall
from moderator.domain.clocks.timetable import Days
from moderator.domain.transcript import Facts, Note
from moderator.service.clock_rows import absences, forget
from moderator.service.table.clocks import absences_of, days_of, reschedule, timetable_of
from moderator.service.table.notices import notice
from moderator.service.table.persons import games_with, told_zone
from moderator.service.table.table import Table

_FARTHEST = timedelta(days=366)
"""An absence begins within this time."""


def away(table: Table, seat: SeatRow, argument: str | None, *, trial: bool, where: str = "") -> Note:
    """Note the absence that ``argument`` names (``2026-12-20 to 2027-01-03``), or list those to come if it names none.
    Returns the note about it, which begins with ``where`` if it is one of several."""
    key, facts = _away(table, seat, argument, trial=trial)
    others = () if where else _other_games(table, seat)
    return key, {"where": where, "others": others, **facts}


def _away(table: Table, seat: SeatRow, argument: str | None, *, trial: bool) -> Note:
    zone = told_zone(table.sitting.session, table.row, seat)
    today = table.sitting.now().astimezone(wall.zone_of(zone)).date()
    known = _to_come(table.sitting.session, seat, today)
    if not argument:
        return "away.list", {"days": tuple(known), "left": _left(table, seat, today.year), "year": today.year}
    try:
        days = Days.parse(argument)
    except ValueError:
        return "away.unclear", {"argument": argument, "like": Days(first=today, last=today + timedelta(days=14))}
    wrong = _wrong(table, seat, days, today, known)
    if wrong is not None:
        return wrong
    facts = {"days": days, "zone": zone, "left": _left(table, seat, days.first.year) - days.count_in(days.first.year),
             "year": days.first.year}  # fmt: skip
    if trial:
        return "away.trial", facts
    before = absences_of(table.sitting.session, seat)
    row = AbsenceRow(
        seat=seat.id or 0, first=str(days.first), last=str(days.last), zone=zone, created_at=table.sitting.now()
    )
    table.sitting.session.add(row)
    forget(table.sitting.session, table.row.id)
    reschedule(table, timetable_of(table.row), {seat.player: before})
    _tell_table(table, seat, "away", days)
    return "away.noted", facts


def _other_games(table: Table, seat: SeatRow) -> tuple[str, ...]:
    """The other games of the player that are not over."""
    games = (table.sitting.session.get_one(GameRow, game) for game in games_with(table.sitting.session, seat.address))
    return tuple(game.id for game in games if game.id != table.row.id and not game.over)


def back(table: Table, seat: SeatRow, *, trial: bool, where: str = "") -> Note:
    """End the player's absence if he is away now; take back those to come if he is not. Returns the note about it,
    which begins with ``where`` if it is one of several."""
    key, facts = _back(table, seat, trial=trial)
    return key, {"where": where, **facts}


def _back(table: Table, seat: SeatRow, *, trial: bool) -> Note:
    sitting = table.sitting
    now = sitting.now()
    rows = [row for row in _rows(sitting.session, seat) if days_of(row).span(row.zone)[1] > now]
    begun = [row for row in rows if days_of(row).span(row.zone)[0] <= now]
    ended = begun or rows
    if not ended:
        return "back.nothing", {}
    days = tuple(days_of(row) for row in ended)
    facts: Facts = {"days": days, "begun": bool(begun)}
    if trial:
        return "back.trial", facts
    before = absences_of(sitting.session, seat)
    for row in ended:
        row.ended_at = now
    sitting.session.flush()
    reschedule(table, timetable_of(table.row), {seat.player: before})
    _tell_table(table, seat, "back", *days)
    return "back.noted", facts


def end_absences(session: Session, seat: SeatRow) -> None:
    """End all absences of a seat: somebody else plays it now."""
    for row in _rows(session, seat):
        session.delete(row)
    forget(session, seat.game)


def _wrong(table: Table, seat: SeatRow, days: Days, today: date, known: list[Days]) -> Note | None:
    """The note on an absence that cannot be; None if it can."""
    if days in known:
        return "away.known", {"days": days}
    if days.first < today:
        right = Days(first=today, last=days.last) if days.last >= today else None
        return "away.past", {"days": days, "right": right, "today": today}
    if days.first - today > _FARTHEST:
        return "away.far", {"days": days, "latest": today + _FARTHEST}
    over = next((one for one in known if one.first <= days.last and days.first <= one.last), None)
    if over is not None:
        return "away.over", {"days": days, "other": over}
    for year in range(days.first.year, days.last.year + 1):
        left = _left(table, seat, year)
        if days.count_in(year) > left:
            right = Days(first=days.first, last=days.first + timedelta(days=left - 1)) if left else None
            most = timetable_of(table.row).away_days
            return "away.much", {"days": days, "year": year, "left": left, "most": most, "right": right}
    return None


def _left(table: Table, seat: SeatRow, year: int) -> int:
    """The days of ``year`` on which the player may still be away."""
    used = sum(_taken(row).count_in(year) for row in _rows(table.sitting.session, seat, ended=True))
    return max(0, timetable_of(table.row).away_days - used)


def _taken(row: AbsenceRow) -> Days:
    """The days that an absence has used up: those until the player came back."""
    days = days_of(row)
    if row.ended_at is None:
        return days
    back = row.ended_at.astimezone(wall.zone_of(row.zone)).date()
    return Days(first=days.first, last=max(days.first - timedelta(days=1), min(days.last, back)))


def _to_come(session: Session, seat: SeatRow, today: date) -> list[Days]:
    """The absences that are not over."""
    return [days for row in _rows(session, seat) if (days := days_of(row)).last >= today]


def _rows(session: Session, seat: SeatRow, *, ended: bool = False) -> list[AbsenceRow]:
    return [row for row in absences(session, seat.game, (seat,)) if ended or row.ended_at is None]


def _tell_table(table: Table, seat: SeatRow, key: str, *days: Days) -> None:
    if table.row.over:
        return
    for other in table.seats:
        if other.id != seat.id:
            notice(table, other, key, {"player": seat.player, "days": days})
