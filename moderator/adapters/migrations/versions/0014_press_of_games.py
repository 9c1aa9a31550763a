"""Press that players passed on is kept with their game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "press",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("orders", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("to", sa.JSON(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("emptied_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.ForeignKeyConstraint(["mail"], ["mail.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_press_game"), "press", ["game"])


def downgrade() -> None:
    op.drop_index(op.f("ix_press_game"), "press")
    op.drop_table("press")
