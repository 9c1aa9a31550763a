"""The reasons that players were told why orders which they gave ahead would be refused."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("held", sa.Column("foretold", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("held", "foretold")
