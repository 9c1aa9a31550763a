"""Clocks, masters, absences, and what is known of people over all games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_TEXT = ("master", "master_address")
_MOMENTS = (("game", "pause_from"), ("game", "resume_at"), ("deadline", "asked_at"), ("deadline", "act_at"))
_INDEXES = (("remind", ("remind_at",)), ("act", ("act_at",)), ("game", ("game", "state")))


def upgrade() -> None:
    """Add the columns and tables, and begin the tenure of each seat with the person who has it."""
    _add_columns()
    _make_tables()
    _begin_tenures()


def _add_columns() -> None:
    op.add_column("game", sa.Column("timetable", sa.JSON(), nullable=False, server_default="{}"))
    for name in _TEXT:
        op.add_column("game", sa.Column(name, sa.String(), nullable=False, server_default=""))
    op.add_column("seat", sa.Column("caretaker", sa.String(), nullable=False, server_default=""))
    for table, name in _MOMENTS:
        op.add_column(table, sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    op.add_column("deadline", sa.Column("missed", sa.Boolean(), nullable=False, server_default=sa.false()))
    for name in ("allowed", "announced"):
        op.add_column("deadline", sa.Column(name, sa.Integer(), nullable=True))
    op.add_column("outbox", sa.Column("calendar", sa.Text(), nullable=False, server_default=""))
    op.add_column("deadline", sa.Column("changes", sa.Integer(), nullable=False, server_default="0"))
    for name, columns in _INDEXES:
        op.create_index(f"deadline_{name}", "deadline", list(columns))


def _make_tables() -> None:
    op.create_table(
        "tenure",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answers", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("late", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("missed", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("used", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("bank", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["seat"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_tenure_seat", "tenure", ["seat"])
    op.create_index("ix_tenure_address", "tenure", ["address"])
    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("first", sa.String(), nullable=False),
        sa.Column("last", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["seat"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_absence_seat", "absence", ["seat"])
    op.create_table(
        "person",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False, server_default=""),
        sa.Column("calendar", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.PrimaryKeyConstraint("address"),
    )


def _begin_tenures() -> None:
    op.execute(
        """
        INSERT INTO tenure (seat, person, address, began_at)
        SELECT seat.id, CASE WHEN seat.person = '' THEN seat.player ELSE seat.person END, lower(seat.address),
               coalesce(seat.given_at, game.created_at)
        FROM seat JOIN game ON game.id = seat.game
        """
    )
    op.execute(
        "INSERT INTO person (address, zone) SELECT lower(address), max(zone) FROM seat WHERE zone <> 'UTC'"
        " GROUP BY lower(address)"
    )


def downgrade() -> None:
    for table in ("person", "absence", "tenure"):
        op.drop_table(table)
    for name, _ in _INDEXES:
        op.drop_index(f"deadline_{name}", "deadline")
    op.drop_column("deadline", "changes")
    for name in ("missed", "allowed", "announced"):
        op.drop_column("deadline", name)
    op.drop_column("outbox", "calendar")
    for table, name in _MOMENTS:
        op.drop_column(table, name)
    op.drop_column("seat", "caretaker")
    for name in ("timetable", *_TEXT):
        op.drop_column("game", name)
