"""The database: opens it, upgrades it, and runs transactions that are committed as a whole or not at all."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from sqlalchemy import Connection, CursorResult, Engine, Executable, create_engine, event, inspect, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, SQLModel

from moderator.adapters import tables
from moderator.adapters.files import make_private
from moderator.adapters.plain_sql import Rows
from moderator.adapters.revisions import MIGRATIONS, known_revisions

_WAIT_MS = 10_000
"""Milliseconds that a writer waits for another one."""
_AGAIN = 0.01
"""Seconds until a connection that was refused the write-ahead log tries again."""
_WRITES = "railpost_writes"
_AFTERWARDS = "to do once it is committed"
PROGRAM = "program"
"""Key in the table ``kept``: the version of the program that last made or upgraded the tables."""
_UPGRADE = 18_441_861
"""Number of the advisory lock under which a PostgreSQL database is upgraded."""
_POSTGRESQL = {
    "connect_timeout": 10,
    # The locks of a machine that disappears are released soon, and no transaction waits for ever.
    "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3,
    "options": f"-c lock_timeout={3 * _WAIT_MS} -c timezone=UTC",
}  # fmt: skip
_BEFORE_FIRST = "0.1.0"
"""The version of Railpost that upgrades older tables to the first revision known here."""


class Database:
    """One database. ``url`` is a URL of SQLAlchemy. SQLite is used with a write-ahead log and full durability.
    PostgreSQL (``postgresql+psycopg://``) is used as it is set up; each statement sees what others have committed."""

    def __init__(self, url: str) -> None:
        self.url = url
        postgresql = url.startswith("postgresql")
        more: dict[str, Any] = {"pool_pre_ping": True, "connect_args": _POSTGRESQL} if postgresql else {}
        self.engine: Engine = create_engine(url, hide_parameters=True, **more)  # parameters are mails and secrets
        (_configure_postgresql if postgresql else _configure_sqlite)(self.engine)
        event.listen(self.engine, "handle_error", _give_up_what_was_opened_in_vain)
        self._writing = self.engine.execution_options(**{_WRITES: True})
        self._one_writer: AbstractContextManager[object] = nullcontext() if postgresql else Lock()
        once = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._reading = self.engine.execution_options(**once) if postgresql else self.engine

    def up_to_date(self) -> bool:
        """True if the tables are those of this version of the program. Changes nothing."""
        with self.engine.connect() as connection:
            return _revision(connection) == known_revisions()[-1]

    def tables(self) -> Literal["none", "older", "same"]:
        """Compare the tables with those of this version of the program. Raises ``ValueError`` if they are newer, or too
        old to be upgraded. Changes nothing."""
        with self.engine.connect() as connection:
            present = _revision(connection)
            if present is not None and present not in known_revisions():
                raise ValueError(self._strange(present, _written_by(connection)))
        return "none" if present is None else "same" if present == known_revisions()[-1] else "older"

    def _strange(self, present: str, writer: str) -> str:
        """The message about tables of a revision that this program does not know."""
        from engine import __version__

        where = self.engine.url.render_as_string(hide_password=True)
        if present < known_revisions()[0]:
            return (
                f"the tables of the database {where} have revision {present}; version {__version__}, which runs here,"
                f" upgrades them from {known_revisions()[0]} on. Run `railpost upgrade` of the newest program of"
                f" version {_BEFORE_FIRST} first, then this one"
            )
        return (
            f"the database {where} was made by a newer Railpost{writer and f', version {writer}'} (its tables have"
            f" revision {present}; version {__version__}, which runs here, knows them up to {known_revisions()[-1]})."
            f" Go on with {f'version {writer}' if writer else 'that version'}; or, to go back, put this database away"
            " and `railpost restore` a copy from before the upgrade"
        )

    def upgrade(self) -> None:
        """Upgrade the tables to this version of the program. Raises ``ValueError`` if the database is newer than the
        program, or too old to be upgraded."""
        known = known_revisions()
        if self.tables() == "same":
            return
        with self._writing.connect() as connection:
            if self.engine.dialect.name == "postgresql":  # of two services that start at once, only one upgrades
                connection.execute(text("SELECT pg_advisory_xact_lock(:name)"), {"name": _UPGRADE})
            present = _revision(connection)
            if present == known[-1]:
                return
            if present is not None and present not in known:
                raise ValueError(self._strange(present, _written_by(connection)))
            from alembic import command
            from alembic.config import Config

            config = Config()
            config.set_main_option("script_location", str(MIGRATIONS))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session that writes. Its changes are committed together at its end, or not at all. Where the database
        admits one writer at a time, the threads of a process queue here, because in the database they would only
        poll."""
        later: list[Callable[[], None]] = []
        with self._one_writer, Session(self._writing, expire_on_commit=False) as session, session.begin():
            session.info[_AFTERWARDS] = later
            yield session
        for act in later:
            act()

    @staticmethod
    @contextmanager
    def all_or_none(session: Session) -> Iterator[None]:
        """A part of a transaction: if it raises, none of its changes stay, and the rest of the transaction can go on.
        What the session has read, and what it keeps in ``info``, is forgotten then, because it may be of the part. Of
        lists in ``info``, which are what is to be done, those entries stay that were there before."""
        session.flush()
        to_do = {key: len(kept) for key, kept in session.info.items() if isinstance(kept, list)}
        try:
            with session.begin_nested():
                yield
        except BaseException:
            session.expire_all()
            for key, kept in list(session.info.items()):
                if isinstance(kept, list):
                    del kept[to_do.get(key, 0) :]
                else:
                    del session.info[key]
            raise

    @staticmethod
    def afterwards(session: Session, act: Callable[[], None]) -> None:
        """Call ``act`` after the transaction of ``session``, once it is committed; never if it is rolled back."""
        session.info[_AFTERWARDS].append(act)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that only reads. All its queries see the database as of one moment."""
        with Session(self._reading, expire_on_commit=False) as session:
            yield session

    def give_back(self, pages: int) -> None:
        """Shrink a SQLite file by at most ``pages`` of its free pages. Files made without ``auto_vacuum`` and
        PostgreSQL keep their size and use free space again."""
        if self.engine.dialect.name == "postgresql":
            return
        with self._one_writer, closing(self.engine.raw_connection()) as borrowed:
            link = borrowed.driver_connection
            assert isinstance(link, sqlite3.Connection)
            link.executescript(f"PRAGMA incremental_vacuum({pages:d})")  # `execute` would stop after the first page

    def close(self) -> None:
        self.engine.dispose()


def writes(session: Session) -> bool:
    """True if ``session`` is one of ``Database.transaction``."""
    return bool(session.get_bind().get_execution_options().get(_WRITES, False))


def run_plain(session: Session, statement: Executable, values: Any) -> CursorResult[*tuple[Any, ...]]:
    """Run a statement whose results are values, not rows that the session keeps. It passes by the ORM, which takes
    longer than the database does. Pending changes are not flushed first."""
    return session.connection().execute(statement, values)


def rows_of(session: Session) -> Rows:
    """Plain queries in the transaction of ``session``."""
    mark = "%s" if session.get_bind().dialect.name == "postgresql" else "?"

    def rows(query: str, *values: Any) -> list[tuple[Any, ...]]:
        found = session.connection().exec_driver_sql(query.replace("{}", mark), values or None)
        return [tuple(row) for row in found]

    return rows


def inserting(session: Session) -> Any:
    """The ``insert`` of the session's database, which can handle a conflict with an existing row."""
    return postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert


_OPENED_IN_VAIN = ("SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_PROTOCOL")
"""First parts of the names of those SQLite errors that may stay with a connection although the file can be used
again."""
_READ_ONLY = "25006"
"""SQLSTATE of PostgreSQL's refusal to write. A session that began read-only stays read-only."""


def _give_up_what_was_opened_in_vain(context: ExceptionContext) -> None:
    """Drop a connection that was opened while the database was read-only. It stays read-only, so the next transaction
    must get a new one. Both databases report this as an ``OperationalError``: the statement that was tried is not at
    fault."""
    error = context.original_exception
    if str(getattr(error, "sqlite_errorname", "")).startswith(_OPENED_IN_VAIN):
        context.is_disconnect = True
    elif getattr(error, "sqlstate", "") == _READ_ONLY:
        context.is_disconnect = True
        raise OperationalError(context.statement, None, error, hide_parameters=True) from error


def _revision(connection: Connection) -> str | None:
    """The revision of the tables, which Alembic writes down; ``None`` if there are none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    return found


def _written_by(connection: Connection) -> str:
    """The version of the program that last made or upgraded the tables; empty if none noted itself."""
    if not inspect(connection).has_table("kept"):
        return ""
    noted = connection.execute(text("SELECT value FROM kept WHERE key = :key"), {"key": PROGRAM}).scalar_one_or_none()
    value = json.loads(noted) if isinstance(noted, str) else noted
    return value["version"][:40] if isinstance(value, dict) and isinstance(value.get("version"), str) else ""


def _configure_postgresql(engine: Engine) -> None:
    from psycopg.types.string import StrDumper, StrDumperUnknown

    class WithoutNul(StrDumper):
        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "\ufffd"))

    class UnknownWithoutNul(StrDumperUnknown):
        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "\ufffd"))

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:
        # Mails can hold a NUL, but PostgreSQL's texts cannot. No mail must be lost for that.
        connection.adapters.register_dumper(str, WithoutNul)
        connection.adapters.register_dumper(str, UnknownWithoutNul)


def _configure_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "do_connect")
    def connecting(_dialect: Any, _record: Any, where: list[Any], _options: Any) -> None:
        # SQLite would let the umask decide. The files beside it (-wal, -shm) get the mode of the database.
        path = Path(where[0])
        if str(path) not in ("", ".", ":memory:") and path.parent.is_dir():
            make_private(path)

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver's own BEGIN comes too late to lock for writing
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={_WAIT_MS}")
        if cursor.execute("PRAGMA page_count").fetchone()[0] == 0:  # later it has no effect, and waits for the writer
            cursor.execute("PRAGMA auto_vacuum=INCREMENTAL")
        _write_ahead(cursor)
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Any) -> None:
        # A writing transaction takes the lock when it begins. If two read first, only one of them could go on.
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _write_ahead(cursor: sqlite3.Cursor) -> None:
    """Use the write-ahead log. Where two connections of a new file change to it at once, SQLite refuses one of them
    without the wait of ``busy_timeout``, because it might wait for ever. So the refused one tries again."""
    until = time.monotonic() + _WAIT_MS / 1000
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_AGAIN)
        else:
            return


metadata = SQLModel.metadata
assert tables.MailRow.__tablename__ in metadata.tables
