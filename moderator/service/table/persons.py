"""Persons, known by their addresses of record, and what they wish in all their games."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from moderator.adapters.database import run_plain
from moderator.adapters.tables import GameRow, PersonRow, SeatRow
from moderator.domain.clocks import wall
from moderator.service.table.clocks import timetable_of

_ZONE = select(PersonRow.zone).where(PersonRow.address == bindparam("address"))


def zone_of_person(session: Session, address: str) -> str:
    """The IANA name of the zone in which the person at ``address`` wants to be told times; empty for that of each
    game."""
    return run_plain(session, _ZONE, {"address": address.lower()}).scalar() or ""


def wish_zone(session: Session, address: str, zone: str) -> None:
    """Store the zone in which the person at ``address`` wants to be told times; empty for that of each game."""
    person = session.get(PersonRow, address.lower())
    if person is None:
        if not zone:
            return
        person = PersonRow(address=address.lower())
        session.add(person)
    person.zone = zone
    session.flush()


def wish_calendar(session: Session, address: str, *, wanted: bool) -> None:
    """Store whether mails to the person at ``address`` carry calendar entries."""
    person = session.get(PersonRow, address.lower()) or PersonRow(address=address.lower())
    person.calendar = wanted
    session.add(person)


def move(session: Session, old: str, new: str) -> None:
    """Let what the person at ``old`` wishes follow him to ``new``. If he is known there already, what is set there
    stands."""
    before = session.get(PersonRow, old.lower())
    if before is None or old.lower() == new.lower():
        return
    after = session.get(PersonRow, new.lower()) or PersonRow(address=new.lower(), calendar=before.calendar)
    after.zone = after.zone or before.zone
    after.digest_at = max(filter(None, (before.digest_at, after.digest_at)), default=None)
    session.add(after)
    session.delete(before)
    session.flush()


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
