"""The moment of each person's last digest, and the reasons why seats were given to somebody else."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("digest_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("tenure", sa.Column("reason", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("tenure", "reason")
    op.drop_column("person", "digest_at")
