"""Reads the database in plain SQL, without SQLAlchemy, whose import takes longer than a person waits for a list.
Nothing here changes the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from moderator.adapters.revisions import known_revisions

Rows: TypeAlias = Callable[..., list[tuple[Any, ...]]]
"""Runs a query, with ``{}`` in the place of each value that follows it, and returns its rows. SQLite gives moments as
texts, PostgreSQL as ``datetime``."""
Found = TypeVar("Found")

_SQLITE: Final = "sqlite:///"
_POSTGRESQL: Final = "postgresql+psycopg:"
_SECONDS: Final = 2
"""Longest wait for another user of the database."""


def read_plainly(url: str, read: Callable[[Rows], Found]) -> Found | None:
    """The result of ``read``, all of whose queries see the database at ``url`` as of one moment. None if the database
    is not there or cannot be read like this."""
    if url.startswith(_SQLITE):
        return _from_file(Path(url.removeprefix(_SQLITE)).absolute(), read)
    return _from_server(url, read) if url.startswith(_POSTGRESQL) else None


def are_of_this_version(rows: Rows) -> bool:
    """True if the tables are those of this version of the program."""
    return rows("SELECT version_num FROM alembic_version") == [(known_revisions()[-1],)]


def _from_file(file: Path, read: Callable[[Rows], Found]) -> Found | None:
    def rows(query: str, *values: Any) -> list[tuple[Any, ...]]:
        return link.execute(query.replace("{}", "?"), values).fetchall()

    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=_SECONDS)) as link:
            link.execute("BEGIN")
            return read(rows)
    except sqlite3.Error:
        return None


def _from_server(url: str, read: Callable[[Rows], Found]) -> Found | None:
    import psycopg

    def rows(query: str, *values: Any) -> list[tuple[Any, ...]]:
        return link.execute(query.replace("{}", "%s").encode(), values or None).fetchall()

    address = url.replace(_POSTGRESQL, "postgresql:", 1)
    options = f"-c statement_timeout={_SECONDS * 1000} -c timezone=UTC"
    try:
        with psycopg.connect(address, connect_timeout=_SECONDS, options=options) as link:
            link.isolation_level, link.read_only = psycopg.IsolationLevel.REPEATABLE_READ, True
            return read(rows)
    except psycopg.Error:
        return None
