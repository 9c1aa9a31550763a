"""Mails of one sender are decided in the order in which they came."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("mail", sa.Column("lane", sa.String(), nullable=False, server_default=""))
    op.create_index("mail_lane", "mail", ["lane", "outcome"])


def downgrade() -> None:
    op.drop_index("mail_lane", table_name="mail")
    op.drop_column("mail", "lane")
