"""Digests of what was told, what followed from each order, snapshots, and the rules that each game is played by."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_COLUMNS: dict[str, tuple[tuple[str, sa.types.TypeEngine[Any], str | None], ...]] = {
    "game": (
        ("began_rules", sa.Integer(), "0"),
        ("rules", sa.Integer(), "0"),
        ("fingerprint", sa.String(), ""),
        ("hold", sa.JSON(), None),
    ),
    "seat": (("rules", sa.Integer(), "0"),),
    "entry": (("digest", sa.String(), ""), ("events", sa.LargeBinary(), None), ("position", sa.LargeBinary(), None)),
}
"""Table -> new columns: name, type, and the value for existing rows; None for a column that may be empty."""


def upgrade() -> None:
    for table, columns in _COLUMNS.items():
        for name, kind, default in columns:
            op.add_column(table, sa.Column(name, kind, nullable=default is None, server_default=default))
    op.create_table(
        "snapshot",
        sa.Column("game", sa.String(), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("at", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("orders", sa.Integer(), nullable=False),
        sa.Column("form", sa.String(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("snapshot")
    for table, columns in _COLUMNS.items():
        for name, _, _ in columns:
            op.drop_column(table, name)
