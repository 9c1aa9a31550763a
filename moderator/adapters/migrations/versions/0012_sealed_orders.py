"""Sealed orders, and the moment at which a seat is reminded that its time ends."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sealed",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("asked", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("salt", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("orders", sa.Integer(), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.ForeignKeyConstraint(["mail"], ["mail.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_sealed_game", "sealed", ["game"])
    op.add_column("deadline", sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("deadline", "remind_at")
    op.drop_index("ix_sealed_game", table_name="sealed")
    op.drop_table("sealed")
