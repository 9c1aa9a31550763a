"""Tables for real mail servers: filing, verdicts, bounces, aliases, confirmations, budgets."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_COLUMNS: dict[str, tuple[tuple[str, sa.types.TypeEngine[Any], str | None], ...]] = {
    "mail": (("filed_at", sa.DateTime(timezone=True), None), ("sender", sa.String(), ""), ("verdict", sa.String(), "")),
    "seat": (
        ("heard_at", sa.DateTime(timezone=True), None),
        ("away_at", sa.DateTime(timezone=True), None),
        ("bounces", sa.Integer(), "0"),
        ("unreachable_at", sa.DateTime(timezone=True), None),
        ("stopped_at", sa.DateTime(timezone=True), None),
    ),
    "outbox": (("priority", sa.Integer(), "1"),),
    "game": (("deadline_time", sa.String(), ""),),
    "deadline": (("wall", sa.String(), ""),),
}
"""Table -> new columns: name, type, and the value for existing rows; None for a column that may be empty."""

_SMALL = (("mail_waiting", "id", "outcome IS NULL"), ("mail_unfiled", "source", "filed_at IS NULL"))
"""Indexes of unfinished mails: name, column, condition on the rows."""


def upgrade() -> None:
    for table, columns in _COLUMNS.items():
        for name, kind, default in columns:
            op.add_column(table, sa.Column(name, kind, nullable=default is None, server_default=default))
    op.create_index("outbox_order", "outbox", ["recipient", "state"])
    op.drop_index("mail_open", "mail")
    for name, column, rows in _SMALL:
        op.create_index(name, "mail", [column], sqlite_where=sa.text(rows), postgresql_where=sa.text(rows))
    op.create_index("outbox_return", "outbox", ["return_path"])
    op.create_table(
        "alias",
        sa.Column("address", sa.String(), primary_key=True),
        sa.Column("record", sa.String(), primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_table(
        "pending",
        sa.Column("token", sa.String(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), sa.ForeignKey("seat.id"), nullable=False),
        sa.Column("mail", sa.Integer(), sa.ForeignKey("mail.id"), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
    )
    op.create_index("ix_pending_seat", "pending", ["seat"])
    op.create_index("pending_due", "pending", ["state", "due_at"])
    op.create_table(
        "bounce",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("outbox", sa.Integer(), sa.ForeignKey("outbox.id"), nullable=True),
        sa.Column("mail", sa.Integer(), sa.ForeignKey("mail.id"), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_bounce_outbox", "bounce", ["outbox"])
    op.create_index("ix_bounce_address", "bounce", ["address"])
    op.create_table(
        "budget",
        sa.Column("scope", sa.String(), primary_key=True),
        sa.Column("day", sa.String(), primary_key=True),
        sa.Column("count", sa.Integer(), nullable=False),
    )
    op.create_table(
        "kept",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    for table in ("kept", "budget", "bounce", "pending", "alias"):
        op.drop_table(table)
    op.drop_index("outbox_return", "outbox")
    for name, _, _ in _SMALL:
        op.drop_index(name, "mail")
    op.create_index("mail_open", "mail", ["outcome", "lease_until"])
    op.drop_index("outbox_order", "outbox")
    for table, columns in _COLUMNS.items():
        for name, _, _ in columns:
            op.drop_column(table, name)
