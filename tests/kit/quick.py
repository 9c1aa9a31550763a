"""Thousands of tests, each with a service of its own: what makes them quick, and changes nothing that they see."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from moderator.adapters import database

_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30
"""Bytes that must be free in memory. A whole run needs a small part of it."""


def files_in_memory() -> None:
    """Have temporary folders in memory, where Linux offers that and there is room: tests write and remove tens of
    thousands of files, and databases and mailboxes wait for the disk with each. ``TMPDIR`` says otherwise."""
    if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK):
        return
    at = os.statvfs(_MEMORY)
    if at.f_bavail * at.f_frsize >= _ROOM and not at.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = str(_MEMORY)
        tempfile.tempdir = None  # it is worked out again


def statements_compiled_once() -> None:
    """Have each statement compiled once for each kind of database. SQLAlchemy keeps what it has compiled by engine and
    dialect, and here each test opens engines of its own, all of the same two kinds."""
    compiled: dict[Any, Any] = {}

    def create(url: str, **more: Any) -> Engine:
        return create_engine(url, execution_options={"compiled_cache": compiled}, **more)

    for dialect in (SQLiteDialect_pysqlite, PGDialect_psycopg):
        dialect.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]
        dialect.__eq__ = lambda self, other: type(self) is type(other)  # type: ignore[method-assign]
    database.create_engine = create  # type: ignore[assignment,attr-defined]
