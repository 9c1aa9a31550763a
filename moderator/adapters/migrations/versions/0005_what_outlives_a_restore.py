"""Secret addresses that a restore has replaced, hand-overs of seats, and the number of changes of a seat in the
journal."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_COLUMNS: tuple[tuple[str, str, sa.types.TypeEngine[Any], Any], ...] = (
    ("seat", "given_at", sa.DateTime(timezone=True), None),
    ("seat", "changes", sa.Integer(), "0"),
    ("seat_token", "replaced", sa.Boolean(), sa.false()),
)
"""Table, new column, type, and the value for existing rows; None for a column that may be empty."""


def upgrade() -> None:
    for table, name, kind, default in _COLUMNS:
        op.add_column(table, sa.Column(name, kind, nullable=default is None, server_default=default))


def downgrade() -> None:
    for table, name, _, _ in _COLUMNS:
        op.drop_column(table, name)
