"""Files of corrected facts that games are played with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "facts",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.add_column("game", sa.Column("facts", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("game", "facts")
    op.drop_table("facts")
