"""Games may belong to a tournament."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("tournament", sa.String(), nullable=False, server_default=""))
    op.create_index("ix_game_tournament", "game", ["tournament"])


def downgrade() -> None:
    op.drop_index("ix_game_tournament", "game")
    op.drop_column("game", "tournament")
