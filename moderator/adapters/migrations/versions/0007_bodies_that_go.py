"""Bodies of mails can be emptied, and their size is counted."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_COLUMNS: dict[str, tuple[tuple[str, sa.types.TypeEngine[Any], str | None], ...]] = {
    "mail": (("emptied_at", sa.DateTime(timezone=True), None), ("digest", sa.String(), ""), ("dated", sa.String(), "")),
    "outbox": (("size", sa.Integer(), "0"), ("emptied_at", sa.DateTime(timezone=True), None)),
}
"""Table -> new columns: name, type, and the value for existing rows; None for a column that may be empty."""

_INDEXES = (
    ("mail_body", "mail", ["outcome", "decided_at", "game", "size"]),
    ("outbox_body", "outbox", ["game", "size"]),
)
"""Indexes of the rows that still have their bodies: name, table, columns."""


def upgrade() -> None:
    for table, columns in _COLUMNS.items():
        for name, kind, default in columns:
            op.add_column(table, sa.Column(name, kind, nullable=default is None, server_default=default))
    postgresql = op.get_bind().dialect.name == "postgresql"
    size = "octet_length({})" if postgresql else "length(CAST({} AS BLOB))"
    op.execute(f"UPDATE outbox SET size = {size.format('text')} + {size.format('html')}")  # noqa: S608 - no input
    for name, table, columns_in in _INDEXES:
        still = sa.text("emptied_at IS NULL")
        op.create_index(name, table, columns_in, sqlite_where=still, postgresql_where=still)


def downgrade() -> None:
    for name, table, _ in _INDEXES:
        op.drop_index(name, table)
    for table, columns in _COLUMNS.items():
        for name, _, _ in columns:
            op.drop_column(table, name)
