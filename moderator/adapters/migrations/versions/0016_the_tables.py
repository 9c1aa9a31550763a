"""The tables of version 0.9.0. Sixteen migrations had made them, the last of which was 0016. This one replaces them,
and a database that went through them is at its revision. It keeps their sequence of columns and their defaults."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables. This list never changes again."""
    op.create_table(
        "alias",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("record", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("address", "record"),
    )
    op.create_table(
        "budget",
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "day"),
    )
    op.create_table(
        "facts",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("edition", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("setup", sa.JSON(), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("commitment", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("orders", sa.Integer(), nullable=False),
        sa.Column("engine_version", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deadline_hours", sa.Integer(), nullable=True),
        sa.Column("deadline_time", sa.String(), nullable=False, server_default=""),
        sa.Column("began_rules", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("rules", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("fingerprint", sa.String(), nullable=False, server_default=""),
        sa.Column("hold", sa.JSON(), nullable=True),
        sa.Column("service", sa.String(), nullable=False, server_default=""),
        sa.Column("reason", sa.String(), nullable=False, server_default=""),
        sa.Column("facts", sa.String(), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "kept",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "mail",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("envelope_from", sa.String(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("game", sa.String(), nullable=True),
        sa.Column("player", sa.String(), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease_owner", sa.String(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lane", sa.String(), nullable=False, server_default=""),
        sa.Column("filed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sender", sa.String(), nullable=False, server_default=""),
        sa.Column("verdict", sa.String(), nullable=False, server_default=""),
        sa.Column("emptied_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("digest", sa.String(), nullable=False, server_default=""),
        sa.Column("dated", sa.String(), nullable=False, server_default=""),
        sa.Column("share", sa.String(), nullable=False, server_default=""),
        sa.Column("rank", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("turn", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("about", sa.String(), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("source", "reference"),
    )
    op.create_table(
        "stranger",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("address", "day"),
    )
    op.create_table(
        "content_key",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["mail"], ["mail.id"]),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "deadline",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("wall", sa.String(), nullable=False, server_default=""),
        sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("orders", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("digest", sa.String(), nullable=False, server_default=""),
        sa.Column("events", sa.LargeBinary(), nullable=True),
        sa.Column("position", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.ForeignKeyConstraint(["mail"], ["mail.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game", "at"),
    )
    op.create_table(
        "held",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("partial", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("occasion", sa.String(), nullable=False, server_default=""),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.ForeignKeyConstraint(["mail"], ["mail.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=True),
        sa.Column("player", sa.String(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("return_path", sa.String(), nullable=False),
        sa.Column("reply_to", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("html", sa.Text(), nullable=False),
        sa.Column("headers", sa.JSON(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_attempt", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("lease_owner", sa.String(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("priority", sa.Integer(), nullable=False, server_default="1"),
        sa.Column("size", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("emptied_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("pictures", sa.JSON(), nullable=False, server_default="[]"),
        sa.ForeignKeyConstraint(["answers"], ["mail.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("message_id"),
    )
    op.create_table(
        "press",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("orders", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("to", sa.JSON(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("emptied_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.ForeignKeyConstraint(["mail"], ["mail.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "sealed",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("asked", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("salt", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("orders", sa.Integer(), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.ForeignKeyConstraint(["mail"], ["mail.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("notify", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("heard_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("away_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bounces", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("unreachable_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("stopped_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("changes", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("rules", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("pictures", sa.String(), nullable=False, server_default="on"),
        sa.Column("person", sa.String(), nullable=False, server_default=""),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game", "number"),
        sa.UniqueConstraint("game", "player"),
    )
    op.create_table(
        "snapshot",
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("orders", sa.Integer(), nullable=False),
        sa.Column("form", sa.String(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.PrimaryKeyConstraint("game", "at"),
    )
    op.create_table(
        "bounce",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("outbox", sa.Integer(), nullable=True),
        sa.Column("mail", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["mail"], ["mail.id"]),
        sa.ForeignKeyConstraint(["outbox"], ["outbox.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "pending",
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["mail"], ["mail.id"]),
        sa.ForeignKeyConstraint(["seat"], ["seat.id"]),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_table(
        "seat_token",
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked", sa.Boolean(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("replaced", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.ForeignKeyConstraint(["seat"], ["seat.id"]),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_index("deadline_due", "deadline", ["state", "due_at"])
    op.create_index("ix_bounce_address", "bounce", ["address"])
    op.create_index("ix_bounce_outbox", "bounce", ["outbox"])
    op.create_index("ix_content_key_message_id", "content_key", ["message_id"])
    op.create_index("ix_deadline_game", "deadline", ["game"])
    op.create_index("ix_entry_game", "entry", ["game"])
    op.create_index("ix_held_game", "held", ["game"])
    op.create_index("ix_outbox_game", "outbox", ["game"])
    op.create_index("ix_pending_seat", "pending", ["seat"])
    op.create_index("ix_press_game", "press", ["game"])
    op.create_index("ix_sealed_game", "sealed", ["game"])
    op.create_index("ix_seat_address", "seat", ["address"])
    op.create_index("ix_seat_game", "seat", ["game"])
    op.create_index("ix_seat_token_seat", "seat_token", ["seat"])
    op.create_index(
        "mail_body",
        "mail",
        ["outcome", "decided_at", "game", "size"],
        sqlite_where=sa.text("emptied_at IS NULL"),
        postgresql_where=sa.text("emptied_at IS NULL"),
    )
    op.create_index("mail_lane", "mail", ["lane", "outcome"])
    op.create_index(
        "mail_share",
        "mail",
        ["share", "turn"],
        sqlite_where=sa.text("outcome IS NULL"),
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.create_index(
        "mail_unfiled",
        "mail",
        ["source"],
        sqlite_where=sa.text("filed_at IS NULL"),
        postgresql_where=sa.text("filed_at IS NULL"),
    )
    op.create_index(
        "mail_waiting",
        "mail",
        ["turn", "rank", "id"],
        sqlite_where=sa.text("outcome IS NULL"),
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.create_index(
        "outbox_body",
        "outbox",
        ["game", "size"],
        sqlite_where=sa.text("emptied_at IS NULL"),
        postgresql_where=sa.text("emptied_at IS NULL"),
    )
    op.create_index("outbox_due", "outbox", ["state", "next_attempt"])
    op.create_index("outbox_order", "outbox", ["recipient", "state"])
    op.create_index("outbox_return", "outbox", ["return_path"])
    op.create_index("pending_due", "pending", ["state", "due_at"])


def downgrade() -> None:
    for table in (
        "seat_token",
        "pending",
        "bounce",
        "snapshot",
        "seat",
        "sealed",
        "press",
        "outbox",
        "held",
        "entry",
        "deadline",
        "content_key",
        "stranger",
        "mail",
        "kept",
        "game",
        "facts",
        "budget",
        "alias",
    ):
        op.drop_table(table)
