"""Run by Alembic: upgrades the database that ``Database.upgrade`` passes on from one revision to the next."""

from __future__ import annotations

from alembic import context
from sqlalchemy import create_engine

from moderator.adapters.database import metadata

_connection = context.config.attributes.get("connection")
if _connection is None:  # started by hand to write a new revision
    _connection = create_engine(context.config.get_main_option("sqlalchemy.url") or "sqlite://").connect()
context.configure(connection=_connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
_connection.commit()
