"""Persons, known by their addresses of record, and what they wish in all their games."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, func, select

from moderator.adapters.tables import GameRow, PersonRow, SeatRow
from moderator.domain.clocks import wall
from moderator.service.clock_rows import person_at, persons_seen
from moderator.service.table.clocks import timetable_of


def zone_of_person(session: Session, address: str) -> str:
    """The IANA name of the zone in which the person at ``address`` wants to be told times; empty for that of each
    game."""
    person = person_at(session, address)
    return "" if person is None else person.zone


def wish_zone(session: Session, address: str, zone: str) -> None:
    """Store the zone in which the person at ``address`` wants to be told times; empty for that of each game."""
    if zone or person_at(session, address) is not None:
        _person(session, address).zone = zone


def wish_calendar(session: Session, address: str, *, wanted: bool) -> None:
    """Store whether mails to the person at ``address`` carry calendar entries."""
    _person(session, address).calendar = wanted


def move(session: Session, old: str, new: str) -> None:
    """Let what the person at ``old`` wishes follow him to ``new``. If he is known there already, what is set there
    stands."""
    before = person_at(session, old)
    if before is None or old.lower() == new.lower():
        return
    known = person_at(session, new) is not None
    after = _person(session, new)
    after.zone = after.zone or before.zone
    after.calendar = after.calendar if known else before.calendar
    after.digest_at = max(filter(None, (before.digest_at, after.digest_at)), default=None)
    session.delete(before)
    session.flush()
    persons_seen(session)[old.lower()] = None


def _person(session: Session, address: str) -> PersonRow:
    """The row of the person at ``address``; a new one if he has none."""
    found = person_at(session, address)
    if found is None:
        found = persons_seen(session)[address.lower()] = PersonRow(address=address.lower())
        session.add(found)
    return found


def seats_at(session: Session, address: str) -> list[SeatRow]:
    """The seats of the person at ``address``, in all games, the oldest first."""
    wanted = select(SeatRow).where(func.lower(col(SeatRow.address)) == address.lower()).order_by(col(SeatRow.id))
    return list(session.exec(wanted).all())


def games_with(session: Session, address: str) -> tuple[str, ...]:
    """The games in which the person at ``address`` has a seat."""
    return tuple(dict.fromkeys(seat.game for seat in seats_at(session, address)))


def told_zone(session: Session, row: GameRow, seat: SeatRow) -> str:
    """The zone in which the seat is told times: that of its person if he wishes one, otherwise that of the game's
    deadlines."""
    own = zone_of_person(session, seat.address)
    if own:
        return wall.UNSET if own == wall.TRUE_UTC else own
    return timetable_of(row).here


def shown_to(session: Session, seat: SeatRow, moment: datetime) -> str:
    """``moment`` as the seat is told it in a line of text, such as ``2026-03-04 13:00 Europe/Zurich``."""
    return shown_in(told_zone(session, session.get_one(GameRow, seat.game), seat), moment)


def shown_in(zone: str, moment: datetime) -> str:
    """``moment`` in a zone, in the same form."""
    shown = wall.UNSET if zone == wall.TRUE_UTC else zone
    return f"{moment.astimezone(ZoneInfo(shown)):%Y-%m-%d %H:%M} {shown}"
