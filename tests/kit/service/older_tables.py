"""Databases with tables of other versions of the program."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from sqlalchemy import text

from moderator.adapters import database as of_database
from moderator.adapters import revisions
from moderator.adapters.database import Database

OF_SIXTEEN = Path(__file__).with_name("tables_0016.sql")
"""The tables as the sixteen migrations before version 0.9.0 had made them, in the words of SQLite."""
_ON_POSTGRESQL = {
    r"\bDATETIME\b": "TIMESTAMP WITH TIME ZONE",
    r"\bBLOB\b": "BYTEA",
    r"\( id INTEGER NOT NULL": "( id SERIAL NOT NULL",
    r"\bBOOLEAN DEFAULT 0\b": "BOOLEAN DEFAULT false",
}
_MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade():
    op.add_column("seat", sa.Column("later", sa.String(), nullable=False, server_default=""))
"""


def make_tables_of_sixteen(database: Database) -> None:
    """Make the tables of the sixteen migrations in an empty database."""
    made = OF_SIXTEEN.read_text(encoding="utf-8")
    if database.engine.dialect.name == "postgresql":
        for old, new in _ON_POSTGRESQL.items():
            made = re.sub(old, new, made)
    with database.engine.begin() as connection:
        for statement in made.split(";\n"):
            if statement:
                connection.execute(text(statement))
    write_revision(database, "0016")


def write_revision(database: Database, revision: str) -> None:
    """Note ``revision`` as that of the tables."""
    with database.engine.begin() as connection:
        connection.execute(text("DELETE FROM alembic_version"))
        connection.execute(text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": revision})


def with_one_more_migration(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Let the program know one migration more, which is written into ``folder``: what there was is older then."""
    known = revisions.known_revisions()
    there = Path(shutil.copytree(revisions.MIGRATIONS, folder / "migrations"))
    more = _MIGRATION.format(revision=f"{int(known[-1]) + 1:04}", before=known[-1])
    (there / "versions" / f"{int(known[-1]) + 1:04}_later.py").write_text(more, encoding="utf-8")
    for module in (revisions, of_database):
        patch.setattr(module, "MIGRATIONS", there)
    revisions.known_revisions.cache_clear()
