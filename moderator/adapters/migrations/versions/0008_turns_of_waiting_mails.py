"""Waiting mails take turns, so that a flood from one sender does not hold up the others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def _waiting(name: str, *columns: str) -> None:
    undecided = sa.text("outcome IS NULL")
    op.create_index(name, "mail", list(columns), sqlite_where=undecided, postgresql_where=undecided)


def upgrade() -> None:
    op.add_column("mail", sa.Column("share", sa.String(), nullable=False, server_default=""))
    op.add_column("mail", sa.Column("rank", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("mail", sa.Column("turn", sa.Integer(), nullable=False, server_default="0"))
    op.drop_index("mail_waiting", table_name="mail")
    _waiting("mail_waiting", "turn", "rank", "id")
    _waiting("mail_share", "share", "turn")
    # In older versions the breaker applied to everybody, and only the operator closed it.
    op.execute("DELETE FROM kept WHERE key = 'breaker'")


def downgrade() -> None:
    op.drop_index("mail_share", table_name="mail")
    op.drop_index("mail_waiting", table_name="mail")
    _waiting("mail_waiting", "id")
    for name in ("turn", "rank", "share"):
        op.drop_column("mail", name)
