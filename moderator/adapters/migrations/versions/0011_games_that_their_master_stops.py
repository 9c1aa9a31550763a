"""The game master can pause a game and end it, with a reason."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("reason", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("game", "reason")
