"""Mails name the pictures that are drawn when they are sent, and seats say which they want."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox", sa.Column("pictures", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("seat", sa.Column("pictures", sa.String(), nullable=False, server_default="on"))


def downgrade() -> None:
    op.drop_column("seat", "pictures")
    op.drop_column("outbox", "pictures")
