"""The moment of each person's last digest, and the reasons why seats were given to somebody else.

The zone of a seat goes: persons have one since 0017."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("digest_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("tenure", sa.Column("reason", sa.String(), nullable=False, server_default=""))
    op.drop_column("seat", "zone")


def downgrade() -> None:
    op.add_column("seat", sa.Column("zone", sa.String(), nullable=False, server_default="UTC"))
    op.drop_column("tenure", "reason")
    op.drop_column("person", "digest_at")
