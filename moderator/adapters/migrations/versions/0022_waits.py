"""How often a table waits for a mail. What it has waited for so far is counted from the log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_ANSWERS = """
    SELECT seat.id AS seat, entry.mail AS mail, min(entry.created_at) AS at
    FROM entry JOIN seat ON seat.game = entry.game AND seat.player = entry.player
    WHERE entry.kind = 'order' AND entry.mail IS NOT NULL AND (
        entry.origin IN ('mail', 'entered')
        OR (entry.origin = 'limit' AND NOT EXISTS (
            SELECT 1 FROM entry AS earlier
            WHERE earlier.game = entry.game AND earlier.mail = entry.mail AND earlier.at < entry.at)))
    GROUP BY seat.id, entry.mail"""
"""Mails with an order that was asked for when it came, or with a standing bid that answered at once."""
_SEALED = """
    SELECT seat.id, sealed.mail, min(sealed.created_at)
    FROM sealed JOIN seat ON seat.game = sealed.game AND seat.player = sealed.player
    WHERE sealed.mail IS NOT NULL AND sealed.status = 'opened'
    GROUP BY seat.id, sealed.mail"""


COUNT = f"""
    UPDATE tenure SET waits = (
        SELECT count(*) FROM ({_ANSWERS} UNION {_SEALED}) AS answer
        WHERE answer.seat = tenure.seat AND answer.at >= tenure.began_at
        AND (tenure.ended_at IS NULL OR answer.at < tenure.ended_at))"""  # noqa: S608 - nothing in it comes from outside


def upgrade() -> None:
    op.add_column("tenure", sa.Column("waits", sa.Integer(), nullable=False, server_default="0"))
    op.execute(COUNT)


def downgrade() -> None:
    op.drop_column("tenure", "waits")
