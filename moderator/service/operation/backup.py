"""Copies everything into one file. The file is an SQLite database, whatever the service uses itself, so that a copy can
move a service from one kind of database to the other."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, func, insert, select

from moderator.adapters.database import Database, metadata
from moderator.adapters.files import make_private
from moderator.adapters.tables import GameRow, KeptRow
from moderator.service.desk import Desk
from moderator.service.service_facts import remember

MADE: Final = "backup"
"""Key in a copy: the moment when it was made."""
LATEST: Final = "latest backup"
"""Key in the database: the moment when its newest copy was made, and the path of that copy."""
_BATCH: Final = 500


class NotRestored(Exception):
    """A copy cannot be used; the message says why in one sentence."""


@dataclass(frozen=True, slots=True)
class Copied:
    """The contents of a copy: the moment when it was made, and the numbers of its rows and games."""

    made: datetime
    rows: int
    games: int


def backup(desk: Desk, path: Path) -> Copied:
    """Write everything to ``path`` as it stands at one moment, while the service goes on. ``FileExistsError`` if
    ``path`` exists already, ``FileNotFoundError`` if there is no such folder."""
    if path.exists():
        raise FileExistsError(f"{path} is there already")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path.parent}: no such folder")
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    try:
        if desk.database.engine.dialect.name == "sqlite":
            _copy_file(desk.database, part)
        else:
            with desk.database.reading() as session:
                _copy_rows(session.connection(), part)
        found = _sign(part, desk.clock.now())
        part.rename(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    with desk.sitting() as sitting:
        remember(sitting, LATEST, {"made": found.made.isoformat(), "file": str(path.absolute())})
    return found


def private(path: Path) -> sqlite3.Connection:
    """Open a new SQLite file that only its owner can read."""
    make_private(path)
    return sqlite3.connect(path)


def _copy_file(database: Database, path: Path) -> None:
    """Copy with SQLite's own backup: it waits for nobody, and the copy has no half transaction."""
    source = database.engine.raw_connection()
    try:
        target = private(path)
        try:
            link = source.driver_connection
            assert isinstance(link, sqlite3.Connection)
            link.backup(target, pages=256)
        finally:
            target.close()
    finally:
        source.close()


def _copy_rows(source: Connection, path: Path) -> None:
    copy = Database(f"sqlite:///{path}")
    try:
        copy.upgrade()
        with copy.transaction() as session:
            pour(source, session.connection())
    finally:
        copy.close()


def pour(source: Connection, target: Connection) -> int:
    """Copy all rows of all tables. Returns their number."""
    count = 0
    for table in metadata.sorted_tables:
        found = source.execution_options(yield_per=_BATCH).execute(select(table))
        for part in found.mappings().partitions(_BATCH):
            target.execute(insert(table), [dict(row) for row in part])
            count += len(part)
    return count


def _sign(path: Path, now: datetime) -> Copied:
    """Write into the copy the moment when it was made, and check that the file is whole. ``NotRestored`` if it is
    damaged."""
    copy = Database(f"sqlite:///{path}")
    try:
        with copy.transaction() as session:
            link = session.connection()
            whole = link.exec_driver_sql("PRAGMA integrity_check").scalar()
            if whole != "ok":
                raise NotRestored(f"{path} is damaged: {whole}")
            session.merge(KeptRow(key=MADE, value={"made": now.isoformat()}, changed_at=now))
        with copy.reading() as session:
            link = session.connection()
            count = sum(
                link.execute(select(func.count()).select_from(table)).scalar_one() for table in metadata.sorted_tables
            )
            games = link.execute(select(func.count()).select_from(GameRow)).scalar_one()
    finally:
        copy.close()
    link_to = sqlite3.connect(path)
    link_to.execute("PRAGMA journal_mode=DELETE")  # a file of its own, with nothing beside it
    link_to.close()
    return Copied(now, count, games)
