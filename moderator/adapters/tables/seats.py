"""Seats and the people in them: secret addresses, other addresses, open questions."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import (
    Boolean,
    Integer,
    String,
    UniqueConstraint,
    false,
    true,
)
from sqlmodel import Column, Field, Index, SQLModel

from moderator.adapters.tables.columns import moment, only

ASKED: Final = "seat.question <> ''"
"""Seats with an open question, as an index has it. A query that uses the index says the same in the same words."""
DAILY: Final = "seat.question = '' AND (seat.notify = 'daily' OR seat.caretaker = 'robot')"
"""Seats without a question that are told what is new once a day."""
CARED: Final = "seat.caretaker <> ''"
"""Seats that a robot moves for, or that are offered."""


class SeatRow(SQLModel, table=True):
    """A player's place in a game and the person in it."""

    __tablename__ = "seat"
    __table_args__ = (
        UniqueConstraint("game", "number"),
        UniqueConstraint("game", "player"),
        Index("seat_asked", "told_at", **only(ASKED.replace("seat.", ""))),
        Index("seat_daily", "told_at", **only(DAILY.replace("seat.", ""))),
        Index("seat_caretaker", "caretaker", **only(CARED.replace("seat.", ""))),
    )
    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(foreign_key="game.id", index=True)
    number: int
    player: str
    address: str = Field(index=True)
    """The address of record: all answers go there."""
    notify: str = "turn"
    pictures: str = Field(default="on", sa_column=Column(String, nullable=False, server_default="on"))
    """The pictures that the player wants (``domain.pictures.Wish``)."""
    question: str = ""
    """The current question to the seat, in one line; empty if there is none."""
    since: int = 0
    """The decision since which this question is asked. Orders for an earlier decision are stale."""
    told: int = 0
    """Number of the game's orders that the seat has been told about."""
    told_at: datetime | None = moment(default=None)
    heard_at: datetime | None = moment(default=None)
    """When the seat last gave a sign of life."""
    away_at: datetime | None = moment(default=None)
    """When an automatic answer last said that the player is away; None since he was heard again."""
    bounces: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Number of mails that came back for good since the last one that arrived."""
    unreachable_at: datetime | None = moment(default=None)
    """When mail to the address of record was given up."""
    stopped_at: datetime | None = moment(default=None)
    """The moment since which the player wants no more mail."""
    rules: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Version of the title's rules that the seat was last told about."""
    person: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """Name of the person to whom the seat was last given; empty if the player whose name it has plays it."""
    given_at: datetime | None = moment(default=None)
    """When the seat was last given to another person; None if the first one has it."""
    changes: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Number of lines about the seat in the journal of seats, which is the number of the last one."""
    caretaker: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """``robot`` while a robot moves for the player, ``open`` while the seat is offered; else empty."""


class TenureRow(SQLModel, table=True):
    """The time that one person spends in a seat, and what he did in it. A seat has one open tenure."""

    __tablename__ = "tenure"
    id: int | None = Field(default=None, primary_key=True)
    seat: int = Field(foreign_key="seat.id", index=True)
    person: str = ""
    """Name of the person."""
    address: str = Field(index=True)
    """The address of record, in lower case."""
    began_at: datetime = moment()
    ended_at: datetime | None = moment(default=None)
    answers: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Questions with a deadline that he has answered."""
    late: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Questions whose deadline passed before he answered."""
    missed: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Questions whose deadline passed, and which he did not answer."""
    waits: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Mails of his for which the table waited: they answered a question that was open before they came."""
    used: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """Seconds on his clock while his answers were awaited; time that does not count is left out."""
    bank: int | None = Field(default=None, sa_column=Column(Integer, nullable=True))
    """Seconds left in his bank of time; None without one."""
    reason: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """Why the seat was given to somebody else, as the players were told; empty if they were not."""


class AbsenceRow(SQLModel, table=True):
    """Days on which a player is away, the first and the last included. The clocks of his seat stand still."""

    __tablename__ = "absence"
    id: int | None = Field(default=None, primary_key=True)
    seat: int = Field(foreign_key="seat.id", index=True)
    first: str
    """ISO date, in ``zone``."""
    last: str
    zone: str
    created_at: datetime = moment()
    ended_at: datetime | None = moment(default=None)
    """When the player took it back or came back early."""


class PersonRow(SQLModel, table=True):
    """A person, known by an address of record, and what he wishes in all his games."""

    __tablename__ = "person"
    address: str = Field(primary_key=True)
    """The address of record, in lower case."""
    zone: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """IANA name of the zone in which he is told times; empty for that of each game."""
    calendar: bool = Field(default=True, sa_column=Column(Boolean, nullable=False, server_default=true()))
    """True if mails that name a deadline carry it as a calendar entry."""
    digest_at: datetime | None = moment(default=None)
    """When he last got a digest of several games; None if never."""


class SeatToken(SQLModel, table=True):
    """A secret answer address of a seat, made for decision ``at``. A newer address that was sent to the seat supersedes
    it: then it still identifies the seat, but changes nothing."""

    __tablename__ = "seat_token"
    token: str = Field(primary_key=True)
    seat: int = Field(foreign_key="seat.id", index=True)
    at: int
    created_at: datetime = moment()
    sent_at: datetime | None = moment(default=None)
    """When the first mail with it was sent."""
    revoked: bool = False
    """True if it is void: mail to it is not the seat's."""
    replaced: bool = Field(default=False, sa_column=Column(Boolean, nullable=False, server_default=false()))
    """True if it was given out before a restore: mail to it is answered at the address of record, and changes
    nothing."""


class AliasRow(SQLModel, table=True):
    """Another address of a person who is known by an address of record. It counts once ``confirmed_at`` is set."""

    __tablename__ = "alias"
    address: str = Field(primary_key=True)
    record: str = Field(primary_key=True)
    created_at: datetime = moment()
    confirmed_at: datetime | None = moment(default=None)


class PendingRow(SQLModel, table=True):
    """Something that the address of record, or time, must still confirm. The answer names ``token``."""

    __tablename__ = "pending"
    __table_args__ = (Index("pending_due", "state", "due_at"),)
    token: str = Field(primary_key=True)
    kind: str
    """``orders``: those of a mail from elsewhere; ``alias``: the address of record is asked about another address;
    ``alias.other``: that address is asked itself; ``resign``: the player gives up his seat; ``address``: a new address
    of record; ``master``: a line to the game master at ``address``, who may answer it as long as it is open."""
    seat: int = Field(foreign_key="seat.id", index=True)
    mail: int | None = Field(default=None, foreign_key="mail.id")
    address: str = ""
    created_at: datetime = moment()
    due_at: datetime = moment()
    """When it lapses or, for a new address of record, takes effect."""
    state: str = "open"
    """``open``, ``confirmed``, ``done``, ``refused``, ``lapsed``."""
