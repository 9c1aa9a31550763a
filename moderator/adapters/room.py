"""The disk space that a database takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlmodel import Session, SQLModel, func, select

_INCREMENTAL: Final = 2
"""SQLite's number for ``auto_vacuum`` in a file that can shrink a few pages at a time."""

_ESTIMATE: Final = text("SELECT reltuples FROM pg_class WHERE oid = CAST(:table AS regclass)")
_COUNTED: Final = 100_000
"""Tables with more rows are not counted on PostgreSQL."""


@dataclass(frozen=True, slots=True)
class Room:
    """Bytes of the whole database, and of its free pages, which are used next. ``gives_back`` is True if the database
    can shrink while it is in use."""

    total: int
    free: int
    gives_back: bool


def room_of(session: Session) -> Room:
    """The disk space that the database takes now. PostgreSQL manages its free space itself, so it is not counted
    there."""
    if session.get_bind().dialect.name == "postgresql":
        total = session.connection().execute(text("SELECT pg_database_size(current_database())")).scalar_one()
        return Room(int(total), 0, gives_back=True)
    size, pages, free = (_pragma(session, name) for name in ("page_size", "page_count", "freelist_count"))
    return Room(size * pages, size * free, gives_back=_pragma(session, "auto_vacuum") == _INCREMENTAL)


def rows_in(session: Session, table: type[SQLModel]) -> int:
    """The number of rows of ``table``. PostgreSQL would read the whole table to count them, so of a large one its own
    estimate is taken."""
    if session.get_bind().dialect.name == "postgresql":
        estimate = session.connection().execute(_ESTIMATE, {"table": table.__tablename__}).scalar_one()
        if estimate > _COUNTED:
            return int(estimate)
    return session.exec(select(func.count()).select_from(table)).one()


def _pragma(session: Session, name: str) -> int:
    return int(session.connection().exec_driver_sql(f"PRAGMA {name}").scalar_one())
