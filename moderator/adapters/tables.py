"""The tables. Rows of ``mail``, ``entry`` and ``outbox`` are never deleted: they are the memory of the service. The
contents of mails are emptied after a time (``operation/retention.py``). Rows of ``snapshot`` can all be deleted: they
only save time, and follow from those of ``entry``.

Moments are UTC. A worker claims work by writing a lease into its row, so that two services on one database share it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    DateTime,
    Dialect,
    Integer,
    LargeBinary,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
)
from sqlmodel import JSON, Column, Field, Index, SQLModel


class Moment(TypeDecorator[datetime]):
    """A moment in UTC, also where the database forgets zones. Rejects moments without a zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is not None and value.tzinfo is None:
            raise ValueError(f"a moment without a zone: {value}")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def moment(**options: Any) -> Any:
    """A column for a moment."""
    return Field(sa_type=Moment, **options)


def _only(rows: str) -> dict[str, Any]:
    """Options of a partial index, which stays small however many rows there are."""
    return {"sqlite_where": text(rows), "postgresql_where": text(rows)}


class MailRow(SQLModel, table=True):
    """A message as it came in, stored before any of it is read."""

    __tablename__ = "mail"
    __table_args__ = (
        Index("mail_lane", "lane", "outcome"),
        Index("mail_waiting", "turn", "rank", "id", **_only("outcome IS NULL")),
        Index("mail_share", "share", "turn", **_only("outcome IS NULL")),
        Index("mail_unfiled", "source", **_only("filed_at IS NULL")),
        Index("mail_body", "outcome", "decided_at", "game", "size", **_only("emptied_at IS NULL")),
        UniqueConstraint("source", "reference"),
    )
    id: int | None = Field(default=None, primary_key=True)
    received_at: datetime = moment()
    source: str
    """The mailbox, and the name of the message in it: the same one is stored once."""
    reference: str
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    size: int
    envelope_from: str | None = None
    """The return path; empty for a message that wants no answer, None where the mailbox does not know it."""
    lane: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """Whose mail it is, for the order alone: mails of one lane are decided in the order in which they came."""
    share: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """With whose mails it takes turns while it waits (``service.fairness``)."""
    rank: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """The order at the same turn: 0 players, 1 others who write to a seat, 2 strangers."""
    turn: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    about: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The game that its secret address seemed to be for when it came, so that a service prefers games that it has in
    memory. Nothing else hangs on it."""
    outcome: str | None = None
    """One of ``domain.transcript.Outcome``; None until it is decided."""
    detail: str = Field(default="", sa_type=Text)
    game: str | None = None
    player: str | None = None
    decided_at: datetime | None = moment(default=None)
    filed_at: datetime | None = moment(default=None)
    """When it was moved, in the mailbox, to the folder of its outcome."""
    sender: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The one address that it says it is from, in small letters; empty where it has none or several."""
    verdict: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The finding of our receiving server about the sender: ``pass``, ``fail`` or ``none``; empty before it is read."""
    attempts: int = 0
    lease_owner: str | None = None
    lease_until: datetime | None = moment(default=None)
    emptied_at: datetime | None = moment(default=None)
    """When ``content`` was emptied; ``digest`` and ``dated`` are what is left of it."""
    digest: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """SHA-256 of the content that is gone, in hexadecimal."""
    dated: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The ``Date`` in the content that is gone."""


class ContentKey(SQLModel, table=True):
    """A digest of the Message-ID, seat and text of a mail that was answered already."""

    __tablename__ = "content_key"
    key: str = Field(primary_key=True)
    mail: int = Field(foreign_key="mail.id")
    message_id: str | None = Field(default=None, index=True)


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

    @property
    def waits(self) -> bool:
        """True while no order is carried out and no deadline ends."""
        return self.status in WAITING

    @property
    def over(self) -> bool:
        return self.status in OVER


class SeatRow(SQLModel, table=True):
    """A player's place in a game and the person in it."""

    __tablename__ = "seat"
    __table_args__ = (UniqueConstraint("game", "number"), UniqueConstraint("game", "player"))
    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(foreign_key="game.id", index=True)
    number: int
    player: str
    address: str = Field(index=True)
    """The address of record: all answers go there."""
    notify: str = "turn"
    zone: str = "UTC"
    question: str = ""
    """The question to the seat now, in one line; empty when nothing is."""
    since: int = 0
    """The decision from which on this is being asked: orders for an earlier one are stale."""
    told: int = 0
    """Orders of the game that the seat has been told about."""
    told_at: datetime | None = moment(default=None)
    heard_at: datetime | None = moment(default=None)
    """When the seat last gave a sign of life."""
    away_at: datetime | None = moment(default=None)
    """When a robot of the player last said that he is away; None since he was heard again."""
    bounces: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Mails that came back for good since the last one that arrived."""
    unreachable_at: datetime | None = moment(default=None)
    """Since when mail to the address of record is given up."""
    stopped_at: datetime | None = moment(default=None)
    """Since when the player wants no more mail."""
    rules: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Version of the title's rules that the seat was last told about."""
    given_at: datetime | None = moment(default=None)
    """When the seat was last given to another person; None while the first one has it."""
    changes: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Lines about the seat in the journal of seats: the last one has this number."""


class SeatToken(SQLModel, table=True):
    """A secret answer address of a seat, made for decision ``at``. A newer address that was sent to the seat supersedes
    it: then it still identifies the seat, but changes nothing."""

    __tablename__ = "seat_token"
    token: str = Field(primary_key=True)
    seat: int = Field(foreign_key="seat.id", index=True)
    at: int
    created_at: datetime = moment()
    sent_at: datetime | None = moment(default=None)
    """When the first mail with it went out."""
    revoked: bool = False
    """Void: what comes to it is not the seat's."""
    replaced: bool = Field(default=False, sa_column=Column(Boolean, nullable=False, server_default=false()))
    """Given out before a restore: what comes to it is answered at the address of record, and changes nothing."""


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


class OutboxRow(SQLModel, table=True):
    """A mail to send, to one recipient. Its Message-ID stays the same however often it is tried."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index("outbox_due", "state", "next_attempt"),
        Index("outbox_order", "recipient", "state"),
        Index("outbox_return", "return_path"),
        Index("outbox_body", "game", "size", **_only("emptied_at IS NULL")),
    )
    id: int | None = Field(default=None, primary_key=True)
    message_id: str = Field(unique=True)
    game: str | None = Field(default=None, index=True)
    player: str | None = None
    kind: str
    """``welcome``, ``turn``, ``transcript``, ``news``, ``over``, ``help``, ``stranger``, ``reminder``,
    ``operator``."""
    recipient: str
    return_path: str
    """Another one for each mail, and known to nobody but the servers on its way: who reports to it has had the mail."""
    reply_to: str
    subject: str
    text: str = Field(sa_type=Text)
    html: str = Field(default="", sa_type=Text)
    headers: dict[str, str] = Field(sa_column=Column(JSON, nullable=False))
    answers: int | None = Field(default=None, foreign_key="mail.id")
    state: str = "queued"
    """``queued``, ``sent``, ``failed``, or ``kept`` until the operator lets it go."""
    priority: int = Field(default=1, sa_column=Column(Integer, nullable=False, server_default="1"))
    """0 what a game waits for, 1 what players are owed, 2 news that can wait for tomorrow's quota."""
    attempts: int = 0
    created_at: datetime = moment()
    next_attempt: datetime = moment()
    sent_at: datetime | None = moment(default=None)
    error: str = Field(default="", sa_type=Text)
    lease_owner: str | None = None
    lease_until: datetime | None = moment(default=None)
    size: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Bytes of ``text`` and ``html`` as they were written."""
    emptied_at: datetime | None = moment(default=None)
    """When ``text`` and ``html`` were emptied."""


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


class AliasRow(SQLModel, table=True):
    """Another address of a person, who is known by an address of record. It counts once ``confirmed_at`` is set."""

    __tablename__ = "alias"
    address: str = Field(primary_key=True)
    record: str = Field(primary_key=True)
    created_at: datetime = moment()
    confirmed_at: datetime | None = moment(default=None)


class PendingRow(SQLModel, table=True):
    """Something that the address of record, or time, must still confirm; the answer names ``token``."""

    __tablename__ = "pending"
    __table_args__ = (Index("pending_due", "state", "due_at"),)
    token: str = Field(primary_key=True)
    kind: str
    """``orders`` of a mail from elsewhere; ``alias``: the address of record is asked about another one;
    ``alias.other``: that one itself; a new ``address`` of record."""
    seat: int = Field(foreign_key="seat.id", index=True)
    mail: int | None = Field(default=None, foreign_key="mail.id")
    address: str = ""
    created_at: datetime = moment()
    due_at: datetime = moment()
    """When it lapses, or, for a new address of record, when it takes effect."""
    state: str = "open"
    """``open``, ``confirmed``, ``done``, ``refused``, ``lapsed``."""


class BounceRow(SQLModel, table=True):
    """A mail of ours that was returned, or that somebody complained about."""

    __tablename__ = "bounce"
    id: int | None = Field(default=None, primary_key=True)
    outbox: int | None = Field(default=None, foreign_key="outbox.id", index=True)
    mail: int | None = Field(default=None, foreign_key="mail.id")
    address: str = Field(index=True)
    kind: str
    """``hard``, ``soft``, ``delayed`` or ``complaint``; ``hard?`` or ``complaint?`` from who cannot prove it."""
    status: str = ""
    """RFC 3463 code, where it was told."""
    at: datetime = moment()


class BudgetRow(SQLModel, table=True):
    """Answers counted by day: to an address, in a game, or of a whole service."""

    __tablename__ = "budget"
    scope: str = Field(primary_key=True)
    day: str = Field(primary_key=True)
    count: int = 0


class KeptRow(SQLModel, table=True):
    """Facts that the service remembers about itself: its clock, its breaker, whether the outbox is kept back."""

    __tablename__ = "kept"
    key: str = Field(primary_key=True)
    value: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    changed_at: datetime = moment()


class StrangerRow(SQLModel, table=True):
    """Fixed answers to people who are unknown or could not be identified, counted by day."""

    __tablename__ = "stranger"
    address: str = Field(primary_key=True)
    day: str = Field(primary_key=True)
    answers: int = 0
