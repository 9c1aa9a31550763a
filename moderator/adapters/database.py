"""The database: opened, brought up to date, and used in transactions that hold completely or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, event
from sqlmodel import Session, SQLModel

from moderator.adapters import tables

MIGRATIONS = Path(__file__).with_name("migrations")
_WAIT_MS = 10_000
"""How long a writer waits for another one."""
_WRITES = "railpost_writes"


class Database:
    """One database. ``url`` is SQLAlchemy's; SQLite is used with a write-ahead log and full durability."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine: Engine = create_engine(url, hide_parameters=True)  # they are mails and secrets
        if self.engine.dialect.name == "sqlite":
            _configure_sqlite(self.engine)
        self._writing = self.engine.execution_options(**{_WRITES: True})

    def upgrade(self) -> None:
        """Bring the tables up to date; a database that is newer than this program is refused with ``ValueError``."""
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        known = ScriptDirectory.from_config(config)
        with self.engine.connect() as connection:
            present = MigrationContext.configure(connection).get_current_revision()
            if present == known.get_current_head():
                return
            if present is not None and present not in {r.revision for r in known.walk_revisions()}:
                raise ValueError(f"the database {self.url} was made by a newer Railpost (revision {present})")
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """All that is done in it is written together at its end, or nothing of it."""
        with Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """For questions only."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session

    def close(self) -> None:
        self.engine.dispose()


def _configure_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver's own BEGIN comes too late to lock for writing
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute(f"PRAGMA busy_timeout={_WAIT_MS}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Any) -> None:
        # A transaction that will write takes the lock when it begins: two that read first cannot both go on.
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


metadata = SQLModel.metadata
assert tables.MailRow.__tablename__ in metadata.tables
