"""Indexes for the sweeps and lists of a service with many games, and what observers' games were last looked at."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_UNDER_WAY: Final = "status IN ('running', 'held', 'paused')"
_DAILY: Final = "question = '' AND (notify = 'daily' OR caretaker = 'robot')"
_INDEXES: Final[tuple[tuple[str, str, list[str], str], ...]] = (
    ("game_begun", "game", ["created_at", "id", "status"], ""),
    ("game_fingerprint", "game", ["fingerprint", "id"], f"{_UNDER_WAY} AND hold IS NULL"),
    ("game_hold", "game", ["id"], "hold IS NOT NULL"),
    ("game_pause", "game", ["pause_from"], "pause_from IS NOT NULL"),
    ("game_resume", "game", ["resume_at"], "resume_at IS NOT NULL"),
    ("deadline_unnoted", "deadline", ["remind_at"], "asked_at IS NULL"),
    ("mail_apart", "mail", ["outcome", "received_at"], "outcome IN ('error', 'quarantine')"),
    ("outbox_sent", "outbox", ["sent_at"], ""),
    ("outbox_queued", "outbox", ["game"], "state = 'queued'"),
    ("seat_asked", "seat", ["told_at"], "question <> ''"),
    ("seat_daily", "seat", ["told_at"], _DAILY),
    ("seat_caretaker", "seat", ["caretaker"], "caretaker <> ''"),
    ("forming_state", "forming", ["state"], ""),
    ("budget_day", "budget", ["day"], ""),
    ("stranger_day", "stranger", ["day"], ""),
)


def upgrade() -> None:
    op.add_column("guest", sa.Column("seen", sa.Integer(), nullable=False, server_default="0"))
    for name, table, columns, rows in _INDEXES:
        only: dict[str, Any] = {"sqlite_where": sa.text(rows), "postgresql_where": sa.text(rows)} if rows else {}
        op.create_index(name, table, columns, **only)


def downgrade() -> None:
    for name, table, *_ in reversed(_INDEXES):
        op.drop_index(name, table)
    op.drop_column("guest", "seen")
