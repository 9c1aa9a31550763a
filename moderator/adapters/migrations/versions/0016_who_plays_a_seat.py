"""A seat that was handed over has the name of the person who plays it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seat", sa.Column("person", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("seat", "person")
