"""Opens the database of a command. Only `railpost run` and `railpost upgrade` bring older tables up to date; a command
that only reads works on a copy of them."""

from __future__ import annotations

import gc
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from moderator.adapters.plain_sql import Found, Rows, are_of_this_version, read_plainly
from moderator.entrypoints.output import Status, complaints, err, fail

if TYPE_CHECKING:
    from moderator.adapters.database import Database
    from moderator.service.desk import Desk
    from moderator.settings import Settings


def desk_of(context: typer.Context, *, new: bool = False) -> Desk:
    """The desk of a command that changes something. The command ends if the tables are older than the program; or if
    there is no database, unless ``new`` allows it to make one."""
    from moderator.entrypoints.processes.assembly import desk_on, open_desk

    settings: Settings = context.obj
    database = _database(settings)
    if database is None:
        if not new:
            _no_database(settings)
        with complaints():
            desk = open_desk(settings)
        err.print(f"there was no database: {_where(settings)} is new", markup=False)
        context.call_on_close(desk.database.close)
        return desk
    context.call_on_close(database.close)
    if database.tables() == "older":
        fail(
            f"the tables of {_where(settings)} are of an older version, and this command would change them: make a copy"
            " with `railpost backup` of the program that wrote them, then run `railpost upgrade`",
            Status.NO,
        )
    return desk_on(settings, database)


def desk_to_read(context: typer.Context) -> Desk:
    """The desk of a command that only reads."""
    from moderator.entrypoints.processes.assembly import desk_on

    return desk_on(context.obj, database_to_read(context))


def database_to_read(context: typer.Context) -> Database:
    """The database of a command that only reads. Older tables in a file stay as they are: the command gets a private
    copy of them, brought up to date, which is deleted when it ends."""
    settings: Settings = context.obj
    database = _database(settings)
    if database is None:
        _no_database(settings)
    context.call_on_close(database.close)
    if database.tables() == "older":
        path = settings.database_path
        if path is None:
            fail(
                f"the tables of {_where(settings)} are of an older version: use the program that wrote them, or"
                " restore its backup into an SQLite database and look there",
                Status.NO,
            )
        err.print("the tables are of an older version: this command reads an upgraded copy of them", markup=False)
        return _upgraded_copy(context, path)
    return database


def read_rows(context: typer.Context, read: Callable[[Rows], Found]) -> Found:
    """The result of ``read`` for a command that only reads. Tables of this version are read without the ORM."""
    settings: Settings = context.obj
    gc.disable()  # what is read is all kept, and to search it for garbage again and again takes a tenth of the time
    context.call_on_close(gc.enable)

    def read_if_same(rows: Rows) -> Found | None:
        return read(rows) if are_of_this_version(rows) else None

    found = read_plainly(settings.database_url, read_if_same)
    if found is not None:
        return found
    from moderator.adapters.database import rows_of

    with database_to_read(context).reading() as session:
        return read(rows_of(session))


def upgrade(context: typer.Context) -> None:
    """Bring the tables of the database up to date with this program. Older programs cannot use them afterwards.

    Make a copy with `railpost backup` of the old program first, and stop the service.
    """
    settings: Settings = context.obj
    database = _database(settings)
    if database is None:
        _no_database(settings)
    context.call_on_close(database.close)
    if database.tables() != "older":
        err.print(f"the tables of {_where(settings)} are up to date", markup=False)
        return
    desk_upgraded(context)


def desk_upgraded(context: typer.Context) -> Desk:
    """The desk on the service's database, which is made or brought up to date first, after saying so."""
    from moderator.entrypoints.processes.assembly import open_desk

    settings: Settings = context.obj
    database = _database(settings)
    if database is None:
        return desk_of(context, new=True)
    older = database.tables() == "older"
    database.close()
    if older:
        err.print(
            f"the tables of {_where(settings)} are of an older version and are brought up to date now; older programs"
            " cannot use them any more",
            markup=False,
        )
    with complaints():
        desk = open_desk(settings)
    context.call_on_close(desk.database.close)
    return desk


def _database(settings: Settings) -> Database | None:
    """The service's database; None if there is none yet. Ends the command if its tables are newer than the program."""
    from moderator.adapters.database import Database

    path = settings.database_path
    if path is not None and not path.is_file():
        return None
    database = Database(settings.database_url)
    try:
        with complaints():
            there = database.tables() != "none"
    except BaseException:
        database.close()
        raise
    if there:
        return database
    database.close()
    return None


def _no_database(settings: Settings) -> NoReturn:
    fail(
        f"there is no database {_where(settings)}: `railpost run` and `railpost game new` make one; if there was one,"
        " `railpost restore` puts a copy in its place",
        Status.NO,
    )


def _where(settings: Settings) -> str:
    from moderator.entrypoints.lookup import shown_url

    path = settings.database_path
    return shown_url(settings) if path is None else str(path)


def _upgraded_copy(context: typer.Context, path: Path) -> Database:
    from moderator.adapters.database import Database

    folder = tempfile.TemporaryDirectory(prefix="railpost-")  # readable by its owner alone
    context.call_on_close(folder.cleanup)
    file = Path(folder.name) / "copy.db"
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as source, closing(sqlite3.connect(file)) as target:
        source.backup(target, pages=256)
    copy = Database(f"sqlite:///{file}")
    context.call_on_close(copy.close)
    copy.upgrade()
    return copy
