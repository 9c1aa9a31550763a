"""Services that share a database prefer games that they have in memory."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("mail", sa.Column("about", sa.String(), nullable=False, server_default=""))
    op.add_column("game", sa.Column("service", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("game", "service")
    op.drop_column("mail", "about")
