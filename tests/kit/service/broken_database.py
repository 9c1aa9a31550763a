"""Databases that cannot be written: locked by another program, or without room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event, text

from moderator.adapters.database import Database, metadata

_NO_ROOM = "could not extend file: No space left on device"


def _is_postgresql(database: Database) -> bool:
    return database.engine.dialect.name == "postgresql"


@contextmanager
def _each_connection(database: Database, statement: str) -> Iterator[None]:
    """Every new connection begins with ``statement``."""

    def begun(connection: Any, _record: object) -> None:
        connection.execute(statement)
        connection.commit()

    event.listen(database.engine, "connect", begun)
    database.close()
    try:
        yield
    finally:
        event.remove(database.engine, "connect", begun)
        database.close()


@contextmanager
def locked(database: Database) -> Iterator[None]:
    """Another program has it to itself; who only reads goes on."""
    other = Database(database.url)
    try:
        with other.transaction() as session:
            mine = "LOCK TABLE kept, mail, outbox IN EXCLUSIVE MODE" if _is_postgresql(database) else "SELECT 1"
            session.connection().execute(text(mine))
            yield
    finally:
        other.close()


@contextmanager
def impatient(database: Database) -> Iterator[None]:
    """It waits for others a moment only."""
    with _each_connection(database, "SET lock_timeout=50" if _is_postgresql(database) else "PRAGMA busy_timeout=50"):
        yield


@contextmanager
def read_only(database: Database) -> Iterator[None]:
    """Connections that are opened meanwhile can only read, and stay so: as where a disk was mounted read-only, or a
    server was a standby."""
    postgresql = _is_postgresql(database)
    statement = "SET default_transaction_read_only=on" if postgresql else "PRAGMA query_only=ON"

    def begun(connection: Any, _record: object) -> None:
        connection.execute(statement)
        connection.commit()

    event.listen(database.engine, "connect", begun)
    try:
        yield
    finally:
        event.remove(database.engine, "connect", begun)


@contextmanager
def full(database: Database) -> Iterator[None]:
    """It has no room for one row or page more."""
    if not _is_postgresql(database):
        with _each_connection(database, "PRAGMA max_page_count=1"):
            yield
        return
    with database.engine.begin() as connection:
        connection.execute(
            text(
                "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                f" RAISE EXCEPTION '{_NO_ROOM}' USING ERRCODE = 'disk_full'; END $$"
            )
        )
        for name in metadata.tables:
            connection.execute(
                text(f'CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON "{name}" EXECUTE FUNCTION no_room()')
            )
    try:
        yield
    finally:
        with database.engine.begin() as connection:
            connection.execute(text("DROP FUNCTION no_room CASCADE"))
