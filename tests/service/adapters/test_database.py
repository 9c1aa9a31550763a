"""The tables, their migrations, and what a transaction promises."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from threading import Timer

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import StatementError

from moderator.adapters.database import Database, metadata
from moderator.adapters.tables import KeptRow, StrangerRow
from tests.kit.postgres import Postgres
from tests.kit.service.mail_service import Service


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with nothing in it, not even tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'test.db'}"
        return
    server: Postgres = request.getfixturevalue("postgres")
    made = server.create()
    yield made
    server.drop(made)


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = Database(url)
    database.upgrade()
    yield database
    database.close()


def test_the_migrations_make_exactly_the_tables_of_the_program(database: Database) -> None:
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_upgrading_twice_changes_nothing(database: Database) -> None:
    database.upgrade()


def test_two_services_that_start_at_once_make_the_tables_once(url: str) -> None:
    databases = [Database(url) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(Database.upgrade, databases))
    with databases[0].engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    for database in databases:
        database.close()


def test_a_new_file_that_somebody_writes_at_this_moment_is_waited_for(tmp_path: Path) -> None:
    """SQLite itself would refuse the change to the write-ahead log at once, whatever the time to wait."""
    path = tmp_path / "new.db"
    database = Database(f"sqlite:///{path}")
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("CREATE TABLE first (number)")
        other.execute("BEGIN IMMEDIATE")
        committing = Timer(0.1, other.execute, ["COMMIT"])
        committing.start()
        with database.engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        committing.join()
    database.close()


def test_a_database_of_a_newer_program_is_refused(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.execute(text("update alembic_version set version_num = '9999'"))
    with pytest.raises(ValueError, match="newer Railpost"):
        database.upgrade()


def test_a_transaction_holds_completely_or_not_at_all(database: Database) -> None:
    def fail_on_the_way() -> None:
        with database.transaction() as session:
            session.add(StrangerRow(address="a@b.example", day="2026-03-01"))
            session.flush()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_on_the_way()
    with database.reading() as session:
        assert session.get(StrangerRow, ("a@b.example", "2026-03-01")) is None


def test_readers_and_a_writer_do_not_wait_for_each_other(database: Database) -> None:
    with database.reading() as session:
        session.get(StrangerRow, ("a@b.example", "2026-03-01"))
        with database.transaction() as other:
            other.add(StrangerRow(address="a@b.example", day="2026-03-01"))
        assert session.get(StrangerRow, ("a@b.example", "2026-03-01")) is None
    with database.reading() as session:
        assert session.get(StrangerRow, ("a@b.example", "2026-03-01")) is not None


def test_what_is_written_survives_a_crash_of_the_machine(tmp_path: Path) -> None:
    """SQLite; on PostgreSQL that is its own default, which is nobody's to change but the operator's."""
    with Database(f"sqlite:///{tmp_path / 'test.db'}").engine.connect() as connection:
        assert connection.execute(text("pragma journal_mode")).scalar() == "wal"
        assert connection.execute(text("pragma synchronous")).scalar() == 2


def test_moments_are_utc_wherever_they_were_written(database: Database) -> None:
    written = datetime(2026, 3, 1, 13, 0, tzinfo=timezone(timedelta(hours=1)))
    with database.transaction() as session:
        session.add(KeptRow(key="a", value={}, changed_at=written))
    with database.reading() as session:
        row = session.get(KeptRow, "a")
        assert row is not None
        assert row.changed_at.isoformat() == "2026-03-01T12:00:00+00:00"


@pytest.mark.fault(25)
def test_25_a_nul_in_a_text_stops_nothing(database: Database) -> None:
    with database.transaction() as session:
        session.add(KeptRow(key="a\0b", value={"c\0d": "e\0f"}, changed_at=datetime(2026, 3, 1, tzinfo=UTC)))
    with database.reading() as session:
        assert session.get(KeptRow, "a\0b") is not None


def test_moments_have_a_zone(tmp_path: Path, each_database: str) -> None:
    service = Service.open(tmp_path)
    from moderator.adapters.tables import MailRow

    row = MailRow(received_at=datetime(2026, 3, 1), source="x", reference="y", content=b"", size=0)  # noqa: DTZ001
    session = service.session()
    session.add(row)
    with pytest.raises(StatementError, match="without a zone"):
        session.flush()
    session.close()
    service.game()
    with service.session() as session:
        from moderator.adapters.tables import GameRow

        game = session.get(GameRow, "1861-1")
        assert game is not None
        assert game.created_at == service.clock.now()


def test_a_new_connection_does_not_wait_for_who_writes(database: Database) -> None:
    """Nothing that is said to a database at the beginning of a connection writes."""
    with database.transaction() as session:
        session.add(KeptRow(key="x", value={}, changed_at=datetime.now(UTC)))
        session.flush()
        other = Database(database.url)
        with other.reading() as beside:
            assert beside.get(KeptRow, "x") is None
        other.close()
