"""Games: their logs, snapshots, orders that wait, deadlines."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)
from sqlmodel import JSON, Column, Field, Index, SQLModel

from moderator.adapters.tables.columns import moment

WAITING: Final = ("held", "paused")
OVER: Final = ("finished", "ended")
"""States of games."""


class GameRow(SQLModel, table=True):
    """A game. Its position follows from its entries; ``at`` and ``orders`` say how far they go. ``status`` is
    ``running``; ``held`` while its past is not as it was told; ``paused`` or ``ended`` by its game master; ``finished``
    by the rules."""

    __tablename__ = "game"
    id: str = Field(primary_key=True)
    title: str
    edition: str
    options: dict[str, str] = Field(sa_column=Column(JSON, nullable=False))
    setup: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    """``engine.Setup`` without the seed."""
    seed: str
    commitment: str
    status: str = "running"
    at: int = 1
    """Number of the open decision. It rises with every order and every undo, and never repeats."""
    orders: int = 0
    engine_version: str
    created_at: datetime = moment()
    finished_at: datetime | None = moment(default=None)
    deadline_hours: int | None = None
    deadline_time: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """``20:00 Europe/Zurich``: the time of day at which deadlines end; empty where they end to the hour."""
    began_rules: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Version of the title's rules that the game was begun with; 0 before that was written down."""
    rules: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Version of the title's rules that it is played by now."""
    fingerprint: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """Of the rules under which the whole log was last found to lead to what was told; empty if never."""
    service: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The owner of leases that moved it last, and so probably has it in memory."""
    hold: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    """Where and how the past is not as it was told (``service.past.Departure``); None while it is."""
    reason: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """Why the game master has paused or ended it."""
    facts: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """Digest of the file of corrected facts that it is played with (``FactsRow``); empty where there is none."""

    @property
    def waits(self) -> bool:
        """True while no order is carried out and no deadline ends."""
        return self.status in WAITING

    @property
    def over(self) -> bool:
        return self.status in OVER


class FactsRow(SQLModel, table=True):
    """A file of corrected facts, never changed: games are played with this copy whatever becomes of the file."""

    __tablename__ = "facts"
    digest: str = Field(primary_key=True)
    """SHA-256 of ``text`` in UTF-8, in hexadecimal."""
    text: str = Field(sa_type=Text)
    created_at: datetime = moment()


class EntryRow(SQLModel, table=True):
    """One entry of a game's log, never changed: an order, an undo to the position after ``orders`` orders, another
    version of the rules, a position that counts as it was told, or something that the game master did."""

    __tablename__ = "entry"
    __table_args__ = (UniqueConstraint("game", "at"),)
    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(foreign_key="game.id", index=True)
    at: int
    """The decision that it answered; any other kind of entry uses up a number as well."""
    kind: str
    """``order``, ``undo``, ``rules``, ``adopt``; ``pause``, ``resume``, ``end``, ``deadline`` or ``say``."""
    orders: int
    """Orders of the game after it."""
    player: str = ""
    text: str = Field(default="", sa_type=Text)
    """Canonical notation of one order; the reason for an undo; of ``rules`` the version from here on and its
    fingerprint; of ``adopt`` where the replay differed; of the last five what all players were told."""
    origin: str = "mail"
    """``mail``, ``held``, ``limit``, ``consent``, ``sealed`` or ``silence``: how the order came; ``master`` for what
    the operator did, ``upgrade`` for other rules."""
    mail: int | None = Field(default=None, foreign_key="mail.id")
    created_at: datetime = moment()
    digest: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """``engine.core.told.told_digest`` of the position after it, as it was told; empty where nobody wrote it down."""
    events: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    """The events of an order (``engine.core.snapshot``), so that no service decides it again."""
    position: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    """Of ``adopt`` the whole position (``domain.adopted``)."""


class SnapshotRow(SQLModel, table=True):
    """A game's position before decision ``at``. It follows from the log, and is kept so that the log need not be
    replayed."""

    __tablename__ = "snapshot"
    game: str = Field(foreign_key="game.id", primary_key=True)
    at: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    orders: int
    """Orders of the game before it."""
    form: str
    """Names how ``data`` is written, for messages: whoever cannot read it goes to an earlier one, or to the log."""
    data: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    digest: str
    """The told digest of the position."""


class HeldRow(SQLModel, table=True):
    """Orders that a seat gave ahead: for a later turn, consent, a standing bid."""

    __tablename__ = "held"
    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(foreign_key="game.id", index=True)
    player: str
    kind: str
    """``turn``, ``consent`` or ``limit``."""
    occasion: str = ""
    """The occasion that it is for (``moderator.domain.occasion``); empty in rows from before that was written down."""
    actor: str
    text: str = Field(sa_type=Text)
    """Canonical notation, with the head of its section."""
    partial: bool = False
    status: str = "waiting"
    """``waiting``, ``used``, ``lapsed``, ``withdrawn``, ``replaced``, ``undone``."""
    mail: int | None = Field(default=None, foreign_key="mail.id")
    created_at: datetime = moment()
    closed_at: datetime | None = moment(default=None)


class SealedRow(SQLModel, table=True):
    """The sealed order of a seat. The game gets those of all seats together; until then its owner alone is shown it."""

    __tablename__ = "sealed"
    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(foreign_key="game.id", index=True)
    player: str
    actor: str
    asked: str
    """The key of the question that it answers."""
    text: str = Field(sa_type=Text)
    """Canonical notation, with its head."""
    salt: str
    digest: str
    """SHA-256 of the salt, a blank and the text, in hexadecimal: all players have it."""
    status: str = "waiting"
    """``waiting``, or ``kept`` since an undo took its opening back; ``opened``, ``replaced``, ``withdrawn``,
    ``lapsed``."""
    orders: int = 0
    """Orders of the game after it, once it is opened."""
    mail: int | None = Field(default=None, foreign_key="mail.id")
    created_at: datetime = moment()
    closed_at: datetime | None = moment(default=None)


class PressRow(SQLModel, table=True):
    """A message that a player has had passed on: press for all players belongs to the game."""

    __tablename__ = "press"
    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(foreign_key="game.id", index=True)
    orders: int
    """Orders of the game when it was passed on."""
    player: str
    to: list[str] = Field(sa_column=Column(JSON, nullable=False))
    """The players whom it is for; none for all of them."""
    text: str = Field(sa_type=Text)
    mail: int | None = Field(default=None, foreign_key="mail.id")
    created_at: datetime = moment()
    emptied_at: datetime | None = moment(default=None)
    """When ``text`` was emptied."""


class DeadlineRow(SQLModel, table=True):
    """The moment when an answer is due. The scheduler sweeps these rows; there are no timers in memory."""

    __tablename__ = "deadline"
    __table_args__ = (Index("deadline_due", "state", "due_at"),)
    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(foreign_key="game.id", index=True)
    player: str
    at: int
    due_at: datetime = moment()
    wall: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The time on a wall clock then, ``2026-03-29T20:00 Europe/Zurich``, where that is what was said."""
    state: str = "open"
    """``open``, ``met``, ``overdue``."""
    remind_at: datetime | None = moment(default=None)
    """When whoever has not answered is reminded that the time ends; None where he was, or is not before it has."""
