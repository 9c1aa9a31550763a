"""Mails that came and mails of ours, and what became of them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)
from sqlmodel import JSON, Column, Field, Index, SQLModel

from moderator.adapters.tables.columns import moment, only


class MailRow(SQLModel, table=True):
    """A message as it came in, stored before any of it is read."""

    __tablename__ = "mail"
    __table_args__ = (
        Index("mail_lane", "lane", "outcome"),
        Index("mail_waiting", "turn", "rank", "id", **only("outcome IS NULL")),
        Index("mail_share", "share", "turn", **only("outcome IS NULL")),
        Index("mail_unfiled", "source", **only("filed_at IS NULL")),
        Index("mail_body", "outcome", "decided_at", "game", "size", **only("emptied_at IS NULL")),
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


class OutboxRow(SQLModel, table=True):
    """A mail to send, to one recipient. Its Message-ID stays the same however often it is tried."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index("outbox_due", "state", "next_attempt"),
        Index("outbox_order", "recipient", "state"),
        Index("outbox_return", "return_path"),
        Index("outbox_body", "game", "size", **only("emptied_at IS NULL")),
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
    pictures: list[dict[str, Any]] = Field(
        default_factory=list, sa_column=Column(JSON, nullable=False, server_default="[]")
    )
    """``domain.pictures.Picture``, which the HTML names; drawn when the mail is sent."""
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


class StrangerRow(SQLModel, table=True):
    """Fixed answers to people who are unknown or could not be identified, counted by day."""

    __tablename__ = "stranger"
    address: str = Field(primary_key=True)
    day: str = Field(primary_key=True)
    answers: int = 0
