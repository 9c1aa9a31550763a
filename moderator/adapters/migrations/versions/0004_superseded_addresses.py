"""The moment at which each secret address was first sent: a newer one supersedes those before it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seat_token", sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE seat_token SET sent_at = created_at")


def downgrade() -> None:
    op.drop_column("seat_token", "sent_at")
