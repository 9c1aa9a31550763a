"""Games: their logs, snapshots, waiting orders and deadlines."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    false,
)
from sqlmodel import JSON, Column, Field, Index, SQLModel

from moderator.adapters.tables.columns import moment, only

WAITING: Final = ("held", "paused")
OVER: Final = ("finished", "ended")
"""Statuses of games that are over."""
STANDING: Final = ("waiting", "kept")
"""Statuses of a sealed order that will be opened."""


ACTS: Final = (
    "pause", "resume", "end", "deadline", "clock", "say", "robot", "open", "back", "master", "redo", "names", "enter",
)  # fmt: skip
"""Kinds of entries that are acts of the game master, or of what the table has agreed on."""
UNDER_WAY: Final = "status IN ('running', 'held', 'paused')"
"""Games that are not over, as an index has it. A query that uses the index says the same in the same words."""


class GameRow(SQLModel, table=True):
    """A game. Its position follows from its entries; ``at`` and ``orders`` say how far they go. ``status`` is
    ``running``; ``held`` while its past differs from what was told; ``paused`` or ``ended`` by its game master;
    ``finished`` by the rules."""

    __tablename__ = "game"
    __table_args__ = (
        Index("game_begun", "created_at", "id", "status"),
        Index("game_fingerprint", "fingerprint", "id", **only(f"{UNDER_WAY} AND hold IS NULL")),
        Index("game_hold", "id", **only("hold IS NOT NULL")),
        Index("game_pause", "pause_from", **only("pause_from IS NOT NULL")),
        Index("game_resume", "resume_at", **only("resume_at IS NOT NULL")),
    )
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
    """The time of day at which deadlines end, as ``20:00 Europe/Zurich``; empty if they end after
    ``deadline_hours``."""
    began_rules: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Version of the title's rules with which the game began; 0 in games from before it was recorded."""
    rules: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Version of the title's rules by which the game is played now."""
    fingerprint: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """Fingerprint of the rules under which the whole log was last found to lead to what was told; empty if never."""
    service: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """Owner of leases that last moved the game, and so probably has it in memory."""
    hold: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    """Where and how the past differs from what was told (``service.past.Departure``); None if it does not."""
    reason: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The game master's reason for pausing or ending the game."""
    facts: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """Digest of the file of corrected facts with which the game is played (``FactsRow``); empty if there is none."""
    timetable: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False, server_default="{}"))
    """The terms of the game's clocks besides ``deadline_hours`` and ``deadline_time`` (``domain.clocks.timetable``)."""
    masters: list[dict[str, Any]] = Field(
        default_factory=list, sa_column=Column(JSON, nullable=False, server_default="[]")
    )
    """The game masters (``service.table.game_master.Office``), first the one whom players write to; empty if the
    operator is the only one."""
    tournament: str = Field(default="", sa_column=Column(String, nullable=False, server_default="", index=True))
    """Name of the tournament to which the game belongs; empty if it belongs to none."""
    pause_from: datetime | None = moment(default=None)
    """When an announced pause begins; None if none is announced."""
    resume_at: datetime | None = moment(default=None)
    """When a pause, begun or announced, ends by itself; None if the game master ends it."""
    anonymous: bool = Field(default=False, sa_column=Column(Boolean, nullable=False, server_default=false()))
    """True if the players have names of the house (``domain.house_names``), and are told who they are in the end."""
    wishes: list[list[str]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False, server_default="[]"))
    """The places that players wished for when they joined, each a player and a place (``domain.seating``)."""

    @property
    def clocked(self) -> bool:
        """True if answers have a time."""
        return self.deadline_hours is not None or "bank" in self.timetable

    @property
    def waits(self) -> bool:
        """True while no order is carried out and no deadline ends."""
        return self.status in WAITING

    @property
    def over(self) -> bool:
        return self.status in OVER

    @property
    def wished(self) -> dict[str, str]:
        """Player -> the place that he wished for."""
        return {player: wish for player, wish in self.wishes}  # noqa: C416 - a row has lists, not pairs

    @property
    def veiled(self) -> bool:
        """True while nobody at the table may learn which person plays a seat."""
        return self.anonymous and not self.over


class FactsRow(SQLModel, table=True):
    """A file of corrected facts. It never changes: games are played with this copy, whatever becomes of the file."""

    __tablename__ = "facts"
    digest: str = Field(primary_key=True)
    """SHA-256 of ``text`` in UTF-8, in hexadecimal."""
    text: str = Field(sa_type=Text)
    created_at: datetime = moment()


class EntryRow(SQLModel, table=True):
    """An entry of a game's log, which never changes: an order, an undo to the position after ``orders`` orders, another
    version of the rules, a position that counts as it was told, or an act of the game master."""

    __tablename__ = "entry"
    __table_args__ = (UniqueConstraint("game", "at"),)
    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(foreign_key="game.id", index=True)
    at: int
    """The decision that it answered. Entries of other kinds use up a number as well."""
    kind: str
    """``order``, ``undo``, ``rules``, ``adopt``, or one of ``ACTS``."""
    orders: int
    """Number of the game's orders after it."""
    player: str = ""
    text: str = Field(default="", sa_type=Text)
    """Canonical notation of an order; reason for an undo; for ``rules`` the version from here on and its fingerprint;
    for ``adopt`` the differences of the replay; for acts the text that all players were told."""
    origin: str = "mail"
    """The origin of an order: ``mail``, ``held``, ``limit``, ``consent``, ``sealed``, ``silence``, ``default``,
    ``robot``, ``import`` in a game that was begun elsewhere, ``entered`` by a
    game master for the player, or ``kept`` if it was played again after an undo;
    ``master`` for acts of a game master, ``mail`` for the return of a player, ``player`` for an undo that a player has
    done himself, ``upgrade`` for other rules."""
    mail: int | None = Field(default=None, foreign_key="mail.id")
    created_at: datetime = moment()
    digest: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """``engine.core.description.told_digest`` of the position after it, as it was told; empty if it was not
    recorded."""
    events: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    """Events of an order (``engine.core.storage.snapshot``), so that no service decides it again."""
    position: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    """The whole position of an ``adopt`` (``domain.adopted``)."""


class SnapshotRow(SQLModel, table=True):
    """A game's position before decision ``at``. It follows from the log, and is kept so that the log need not be
    replayed."""

    __tablename__ = "snapshot"
    game: str = Field(foreign_key="game.id", primary_key=True)
    at: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    orders: int
    """Number of the game's orders before it."""
    form: str
    """Name of the format of ``data``, for messages. A reader that does not know it uses an earlier snapshot, or the
    log."""
    data: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    digest: str
    """The told digest of the position."""


class HeldRow(SQLModel, table=True):
    """Orders that a seat gave ahead: for a later turn, as consent, or as a standing bid."""

    __tablename__ = "held"
    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(foreign_key="game.id", index=True)
    player: str
    kind: str
    """``turn``, ``consent`` or ``limit``; ``again`` for an order that is kept ready since an undo."""
    occasion: str = ""
    """The occasion that it is for (``moderator.domain.ahead.occasion``); empty in rows from before it was recorded. For
    ``again`` its place in the game before the undo (``moderator.domain.again.Place``)."""
    actor: str
    text: str = Field(sa_type=Text)
    """Canonical notation, with the head of its section."""
    partial: bool = False
    status: str = "waiting"
    """``waiting``, ``used``, ``lapsed``, ``withdrawn``, ``replaced``, ``undone``; ``anew`` for ``again``, if it marks a
    turn that its author decides anew."""
    mail: int | None = Field(default=None, foreign_key="mail.id")
    created_at: datetime = moment()
    closed_at: datetime | None = moment(default=None)
    foretold: str = Field(default="", sa_column=Column(Text, nullable=False, server_default=""))
    """Keys of the reasons why it would be refused that its owner has been told, separated by spaces."""


class SealedRow(SQLModel, table=True):
    """The sealed order of a seat. The game gets the sealed orders of all seats together. Until then, an order is shown
    only to its owner."""

    __tablename__ = "sealed"
    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(foreign_key="game.id", index=True)
    player: str
    actor: str
    asked: str
    """The key of the question that it answers."""
    text: str = Field(sa_type=Text)
    """Canonical notation, with the head of its section."""
    salt: str
    digest: str
    """SHA-256 of the salt, a space and the text, in hexadecimal. All players have it."""
    status: str = "waiting"
    """``waiting``, or ``kept`` since an undo took back its opening; ``opened``, ``replaced``, ``withdrawn``,
    ``lapsed``."""
    orders: int = 0
    """Number of the game's orders after it, once it is opened."""
    mail: int | None = Field(default=None, foreign_key="mail.id")
    created_at: datetime = moment()
    closed_at: datetime | None = moment(default=None)


class PressRow(SQLModel, table=True):
    """A message that a player has had passed on. Press for all players belongs to the game."""

    __tablename__ = "press"
    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(foreign_key="game.id", index=True)
    orders: int
    """Number of the game's orders when it was passed on."""
    player: str
    to: list[str] = Field(sa_column=Column(JSON, nullable=False))
    """The players for whom it is; empty for all of them; ``master`` alone for the game master, whose answers have
    ``master`` as ``player``."""
    text: str = Field(sa_type=Text)
    mail: int | None = Field(default=None, foreign_key="mail.id")
    created_at: datetime = moment()
    emptied_at: datetime | None = moment(default=None)
    """When ``text`` was emptied."""


class DeadlineRow(SQLModel, table=True):
    """The moment when an answer is due. The scheduler sweeps these rows; there are no timers in memory."""

    __tablename__ = "deadline"
    __table_args__ = (
        Index("deadline_due", "state", "due_at"),
        Index("deadline_remind", "remind_at"),
        Index("deadline_act", "act_at"),
        Index("deadline_game", "game", "state"),
        Index("deadline_unnoted", "remind_at", **only("asked_at IS NULL")),
    )
    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(foreign_key="game.id", index=True)
    player: str
    at: int
    due_at: datetime = moment()
    wall: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The wall-clock time at which the answer is due, as ``2026-03-29T20:00 Europe/Zurich``, if it was given in this
    form."""
    state: str = "open"
    """``open``, ``met``, ``overdue``."""
    remind_at: datetime | None = moment(default=None)
    """When the player, if he has not answered, is reminded next, before the time ends or while he is late; None if he
    gets no more reminders."""
    missed: bool = Field(default=False, sa_column=Column(Boolean, nullable=False, server_default=false()))
    """True once everybody has been told that the answer is late."""
    asked_at: datetime | None = moment(default=None)
    """When the question was asked; None in rows from before it was recorded."""
    act_at: datetime | None = moment(default=None)
    """When what the table has agreed on for a late answer happens; None if nothing more does."""
    allowed: int | None = Field(default=None, sa_column=Column(Integer, nullable=True))
    """Seconds for the answer; None in rows from before it was recorded."""
    changes: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """How often its moment was changed: the ``SEQUENCE`` of its calendar entry (RFC 5545, 3.8.7.4)."""
    announced: int | None = Field(default=None, sa_column=Column(Integer, nullable=True))
    """The ``SEQUENCE`` of the calendar entry that the player has; None if he has none, or a cancelled one."""
