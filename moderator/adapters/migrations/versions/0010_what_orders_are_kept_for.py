"""Orders given ahead are bound to an occasion."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("held", sa.Column("occasion", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("held", "occasion")
