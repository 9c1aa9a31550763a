"""The rows of a game's clocks: the deadlines, the absences and the tenures of its seats, and what its persons wish. A
transaction that has locked the game reads each once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from sqlalchemy import BindParameter, bindparam
from sqlmodel import Session, SQLModel, col, or_, select

from moderator.adapters.tables import AbsenceRow, DeadlineRow, PersonRow, SeatRow, TenureRow
from moderator.service.locks import Locked, locked_game

_Row = TypeVar("_Row", bound=SQLModel)
_IN_GAME = SeatRow.game == bindparam("game")
_DEADLINES = (
    select(DeadlineRow)
    .where(DeadlineRow.game == bindparam("game"))
    .where(or_(DeadlineRow.state != "met", col(DeadlineRow.announced).is_not(None)))
    .order_by(col(DeadlineRow.id))
    .execution_options(autoflush=False)
)
_ABSENCES = (
    select(AbsenceRow)
    .join(SeatRow, col(SeatRow.id) == col(AbsenceRow.seat))
    .where(_IN_GAME)
    .order_by(col(AbsenceRow.first))
    .execution_options(autoflush=False)
)
_TENURES = (
    select(TenureRow)
    .join(SeatRow, col(SeatRow.id) == col(TenureRow.seat))
    .where(_IN_GAME, col(TenureRow.ended_at).is_(None))
    .execution_options(autoflush=False)
)


_ADDRESSES: BindParameter[str] = bindparam("addresses", expanding=True)
_PERSONS = select(PersonRow).where(col(PersonRow.address).in_(_ADDRESSES)).execution_options(autoflush=False)
_SEEN = "persons that this transaction has read"


def person_at(session: Session, address: str) -> PersonRow | None:
    """The wishes of the person at ``address``; None if he never said so. It is read once in a transaction."""
    look_up_persons(session, (address,))
    return persons_seen(session)[address.lower()]


def look_up_persons(session: Session, addresses: Iterable[str]) -> None:
    """Read the persons at these addresses at once, for later calls of ``person_at``."""
    seen = persons_seen(session)
    new = {address.lower() for address in addresses} - seen.keys()
    if new:
        seen |= dict.fromkeys(new)
        seen |= {row.address: row for row in session.exec(_PERSONS, params={"addresses": sorted(new)}).all()}


def persons_seen(session: Session) -> dict[str, PersonRow | None]:
    """The persons that this transaction has read, by address: who writes such a row notes it here."""
    seen: dict[str, PersonRow | None] = session.info.setdefault(_SEEN, {})
    return seen


def deadlines(session: Session, game: str, player: str | None = None) -> list[DeadlineRow]:
    """The deadlines of a game that are not met, or whose entry stands in a player's calendar, oldest first; only those
    of ``player`` if he is named."""
    locked = locked_game(session, game)
    rows = None if locked is None else locked.deadlines
    if rows is None:
        rows = _read(session, DeadlineRow, _DEADLINES, game)
        if locked is not None:
            locked.deadlines = rows
    wanted = (row for row in rows if row.state != "met" or row.announced is not None)
    return [row for row in wanted if player in (None, row.player)]


def add_deadline(session: Session, row: DeadlineRow) -> None:
    """Add a deadline to its game."""
    locked = locked_game(session, row.game)
    if locked is not None and locked.deadlines is not None:
        locked.deadlines.append(row)
    session.add(row)


def absences(session: Session, game: str, seats: Sequence[SeatRow]) -> list[AbsenceRow]:
    """The absences of ``seats`` of one game, the past ones too, by their first day."""
    locked = locked_game(session, game)
    rows = None if locked is None else locked.absences
    if rows is None:
        rows = _read(session, AbsenceRow, _ABSENCES, game)
        if locked is not None:
            locked.absences = rows
    wanted = {seat.id for seat in seats}
    return [row for row in rows if row.seat in wanted]


def tenure_of(session: Session, seat: SeatRow) -> TenureRow:
    """The open tenure of ``seat``."""
    locked = locked_game(session, seat.game)
    rows = None if locked is None else locked.tenures
    if rows is None:
        rows = _read(session, TenureRow, _TENURES, seat.game)
        if locked is not None:
            locked.tenures = rows
    (found,) = (row for row in rows if row.seat == seat.id)
    return found


def forget(session: Session, game: str) -> None:
    """Read the absences and tenures of a game again when they are needed next: rows were added or deleted."""
    locked: Locked | None = locked_game(session, game)
    if locked is not None:
        locked.absences = locked.tenures = None


def _read(session: Session, kind: type[_Row], statement: object, game: str) -> list[_Row]:
    if any(isinstance(row, kind) for row in (*session.new, *session.dirty, *session.deleted)):
        session.flush()
    return list(session.exec(statement, params={"game": game}).all())  # type: ignore[call-overload]
