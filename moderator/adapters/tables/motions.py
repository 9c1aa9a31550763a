"""Motions: what a game master or a player wants done, and the voices that it waits for."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import JSON, Column, Field, Index, SQLModel, Text

from moderator.adapters.tables.columns import moment


class MotionRow(SQLModel, table=True):
    """Words of a game master that wait for consent."""

    __tablename__ = "motion"
    __table_args__ = (Index("motion_due", "state", "due_at"),)
    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(foreign_key="game.id", index=True)
    mover: str
    """The player, or the address of the game master, who wants it."""
    words: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """In the canonical form (``grammar.master.words``)."""
    reason: str = Field(default="", sa_type=Text)
    needs: str
    """``own``: the game master's own yes; ``second``: that of another game master; ``most``: that of more than half of
    the players; ``all``: that of all players."""
    state: str = "open"
    """``open``, ``carried``, ``refused``, ``lapsed``, or ``failed``: it was agreed and could not be done any more."""
    mail: int | None = Field(default=None, foreign_key="mail.id")
    created_at: datetime = moment()
    due_at: datetime = moment()
    """When it lapses."""
    closed_at: datetime | None = moment(default=None)


class VoiceRow(SQLModel, table=True):
    """A voice that a motion waits for."""

    __tablename__ = "voice"
    id: int | None = Field(default=None, primary_key=True)
    motion: int = Field(foreign_key="motion.id", index=True)
    voter: str
    """A player, or the address of a game master."""
    token: str = Field(default="", index=True)
    """The secret word of a game master's answer address; empty for players, who answer from their seats."""
    said: str = ""
    """``yes``, ``no``, or empty."""
    said_at: datetime | None = moment(default=None)
