"""The moment of each person's last digest."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("digest_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("person", "digest_at")
