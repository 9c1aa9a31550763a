"""Games whose players are anonymous, and the places that players wish for when they join."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("anonymous", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("game", sa.Column("wishes", sa.JSON(), nullable=False, server_default="[]"))
    for table in ("guest", "inquiry"):
        op.add_column(table, sa.Column("wish", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    for table in ("inquiry", "guest"):
        op.drop_column(table, "wish")
    op.drop_column("game", "wishes")
    op.drop_column("game", "anonymous")
