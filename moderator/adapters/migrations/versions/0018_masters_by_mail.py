"""Game masters with secret addresses of their own, and motions that wait for consent."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables and the list of masters. The master of each game becomes the first of its list; his secret word is
    drawn with the first mail to him."""
    op.add_column("game", sa.Column("masters", sa.JSON(), nullable=False, server_default="[]"))
    op.create_table(
        "motion",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("mover", sa.String(), nullable=False),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("needs", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.ForeignKeyConstraint(["mail"], ["mail.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_motion_game", "motion", ["game"])
    op.create_index("motion_due", "motion", ["state", "due_at"])
    op.create_table(
        "voice",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("motion", sa.Integer(), nullable=False),
        sa.Column("voter", sa.String(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("said", sa.String(), nullable=False),
        sa.Column("said_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["motion"], ["motion.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_voice_motion", "voice", ["motion"])
    op.create_index("ix_voice_token", "voice", ["token"])
    _move_masters()


def _move_masters() -> None:
    link = op.get_bind()
    game = sa.table(
        "game", sa.column("id"), sa.column("master"), sa.column("master_address"), sa.column("created_at"),
        sa.column("masters", sa.JSON),
    )  # fmt: skip
    named = sa.select(game.c.id, game.c.master, game.c.master_address).where(game.c.master_address != "")
    for name, master, address in link.execute(named).all():
        masters = [{"name": master, "address": address, "token": ""}]
        link.execute(sa.update(game).where(game.c.id == name).values(masters=masters))
    for column in ("master", "master_address"):
        op.drop_column("game", column)


def downgrade() -> None:
    for column in ("master", "master_address"):
        op.add_column("game", sa.Column(column, sa.String(), nullable=False, server_default=""))
    link = op.get_bind()
    rows = link.execute(sa.text("SELECT id, masters FROM game")).all()
    for name, masters in rows:
        first = next(iter(json.loads(masters) if isinstance(masters, str) else masters), None)
        if first is not None:
            said = sa.text("UPDATE game SET master = :name, master_address = :address WHERE id = :id")
            link.execute(said, {"name": first["name"], "address": first["address"], "id": name})
    op.drop_table("voice")
    op.drop_table("motion")
    op.drop_column("game", "masters")
