"""Incoming and outgoing mails, and what became of them."""

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

from moderator.adapters.tables.columns import moment, only

QUEUED: Final = "state = 'queued'"
"""Mails of ours that wait, as an index has them."""


class MailRow(SQLModel, table=True):
    """An incoming message, stored before any of it is read."""

    __tablename__ = "mail"
    __table_args__ = (
        Index("mail_lane", "lane", "outcome"),
        Index("mail_waiting", "turn", "rank", "id", **only("outcome IS NULL")),
        Index("mail_share", "share", "turn", **only("outcome IS NULL")),
        Index("mail_unfiled", "source", **only("filed_at IS NULL")),
        Index("mail_body", "outcome", "decided_at", "game", "size", **only("emptied_at IS NULL")),
        Index("mail_apart", "outcome", "received_at", **only("outcome IN ('error', 'quarantine')")),
        UniqueConstraint("source", "reference"),
    )
    id: int | None = Field(default=None, primary_key=True)
    received_at: datetime = moment()
    source: str
    """The mailbox. ``reference`` names the message in it, so that a message is stored only once."""
    reference: str
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    size: int
    envelope_from: str | None = None
    """The return path; empty for a message that wants no answer, None if the mailbox does not know it."""
    lane: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """Mails of one lane are decided in the order in which they came. It is used for nothing else."""
    share: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The group whose mails take turns with those of other groups while they wait (``service.fairness``)."""
    rank: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Order within a turn: 0 players, 1 others who write to a seat, 2 strangers."""
    turn: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    about: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The game to which its secret address seemed to belong when it came. A service prefers games that it has in
    memory; nothing else depends on this."""
    outcome: str | None = None
    """One of ``domain.transcript.Outcome``; None until it is decided."""
    detail: str = Field(default="", sa_type=Text)
    game: str | None = None
    player: str | None = None
    decided_at: datetime | None = moment(default=None)
    filed_at: datetime | None = moment(default=None)
    """When it was moved to the folder of its outcome in the mailbox."""
    sender: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The one address that it claims to be from, in lower case; empty if there are none or several."""
    verdict: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The verdict of our receiving server on the sender: ``pass``, ``fail`` or ``none``; empty before it is read."""
    attempts: int = 0
    lease_owner: str | None = None
    lease_until: datetime | None = moment(default=None)
    emptied_at: datetime | None = moment(default=None)
    """When ``content`` was emptied; ``digest`` and ``dated`` remain."""
    digest: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """SHA-256 of the deleted content, in hexadecimal."""
    dated: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The ``Date`` of the deleted content."""


class ContentKey(SQLModel, table=True):
    """A digest of the Message-ID, seat and text of a mail that was answered already."""

    __tablename__ = "content_key"
    key: str = Field(primary_key=True)
    mail: int = Field(foreign_key="mail.id")
    message_id: str | None = Field(default=None, index=True)


class OutboxRow(SQLModel, table=True):
    """A mail to send to one recipient. Its Message-ID is the same in every attempt."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index("outbox_due", "state", "next_attempt"),
        Index("outbox_order", "recipient", "state"),
        Index("outbox_return", "return_path"),
        Index("outbox_sent", "sent_at"),
        Index("outbox_queued", "game", **only(QUEUED)),
        Index("outbox_body", "game", "size", **only("emptied_at IS NULL")),
    )
    id: int | None = Field(default=None, primary_key=True)
    message_id: str = Field(unique=True)
    game: str | None = Field(default=None, index=True)
    player: str | None = None
    kind: str
    """``welcome``, ``turn``, ``transcript``, ``news``, ``over``, ``help``, ``stranger``, ``reminder``,
    ``operator``, ``master`` (to or from the game master), ``digest`` (of several games), ``catchup`` (for a successor),
    ``guest``, ``observer``."""
    recipient: str
    return_path: str
    """The return path. It is different for each mail and known only to the servers on its way: whoever reports to it
    has had the mail."""
    reply_to: str
    subject: str
    text: str = Field(sa_type=Text)
    html: str = Field(default="", sa_type=Text)
    pictures: list[dict[str, Any]] = Field(
        default_factory=list, sa_column=Column(JSON, nullable=False, server_default="[]")
    )
    """Pictures that the HTML names (``domain.pictures.Picture``). They are drawn when the mail is sent."""
    calendar: str = Field(default="", sa_column=Column(Text, nullable=False, server_default=""))
    """Calendar entry of a deadline that the mail tells (RFC 5545); empty if there is none."""
    headers: dict[str, str] = Field(sa_column=Column(JSON, nullable=False))
    answers: int | None = Field(default=None, foreign_key="mail.id")
    state: str = "queued"
    """``queued``, ``sent``, ``failed``, or ``kept`` until the operator releases it."""
    priority: int = Field(default=1, sa_column=Column(Integer, nullable=False, server_default="1"))
    """0 for mail that a game waits for, 1 for mail that players are owed, 2 for news that can wait for tomorrow's
    quota."""
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
    """A mail of ours that was returned or that somebody complained about."""

    __tablename__ = "bounce"
    id: int | None = Field(default=None, primary_key=True)
    outbox: int | None = Field(default=None, foreign_key="outbox.id", index=True)
    mail: int | None = Field(default=None, foreign_key="mail.id")
    address: str = Field(index=True)
    kind: str
    """``hard``, ``soft``, ``delayed`` or ``complaint``; ``hard?`` or ``complaint?`` from a sender who cannot prove
    it."""
    status: str = ""
    """RFC 3463 code, if one was given."""
    at: datetime = moment()


class StrangerRow(SQLModel, table=True):
    """Fixed answers to people who are unknown or could not be identified, counted by day."""

    __tablename__ = "stranger"
    __table_args__ = (Index("stranger_day", "day"),)
    address: str = Field(primary_key=True)
    day: str = Field(primary_key=True)
    answers: int = 0
