"""Games that are forming, the people who have no seat, and the questions that they are asked."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Integer, String
from sqlmodel import JSON, Column, Field, Index, SQLModel, Text

from moderator.adapters.tables.columns import moment


class FormingRow(SQLModel, table=True):
    """A game that waits for players. Its name is kept for it, whatever becomes of it."""

    __tablename__ = "forming"
    __table_args__ = (Index("forming_state", "state"),)
    name: str = Field(primary_key=True)
    title: str
    edition: str
    terms: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    """The terms with which the game begins (``service.entry.terms``)."""
    least: int
    most: int
    """The numbers of players with which it may begin, and at which it is full."""
    invitation: str = ""
    """The word that an entrant must know; empty if everybody may join."""
    state: str = "open"
    """``open``; ``confirming`` while the entrants are asked whether the game may begin; ``begun``; ``gone``."""
    called: bool = False
    """True if it is to begin with fewer players than make it full."""
    created_at: datetime = moment()
    due_at: datetime | None = moment(default=None)
    """The moment until which the entrants must answer."""


class GuestRow(SQLModel, table=True):
    """A person without a seat: an entrant of a forming game, somebody who waits for an open seat, or an observer."""

    __tablename__ = "guest"
    __table_args__ = (Index("guest_place", "kind", "game", "state"),)
    id: int | None = Field(default=None, primary_key=True)
    kind: str
    """``entrant``, ``waiting`` or ``observer``."""
    game: str = ""
    """The forming game, or the game that is observed; empty on the waiting list."""
    title: str = ""
    """The title that somebody waits for; empty for any."""
    name: str
    address: str = Field(index=True)
    """In lower case."""
    state: str = "in"
    """``in`` or ``gone``."""
    agreed_at: datetime | None = moment(default=None)
    """When an entrant last agreed that the game may begin."""
    wish: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The place that an entrant wishes for (``domain.seating``); empty if he wishes for none."""
    told: int = 0
    """The number of orders that an observer has been told about."""
    seen: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    """The decision that was open when the game was last looked at for an observer; 0 if it must be looked at."""
    told_at: datetime | None = moment(default=None)
    """The moment of the latest press that he has been told."""
    created_at: datetime = moment()


class InquiryRow(SQLModel, table=True):
    """A question to a person who has no seat. His answer comes to an address with ``token`` in it."""

    __tablename__ = "inquiry"
    __table_args__ = (Index("inquiry_due", "state", "due_at"),)
    token: str = Field(primary_key=True)
    kind: str
    """``join``, ``wait``, ``observe``, ``leave``, ``begin``: whether a mail in his name was his. ``confirm``: whether a
    full game may begin. ``place``: whether he wants a place in a forming game. ``offer``: whether he takes an open
    seat."""
    game: str = Field(default="", index=True)
    title: str = ""
    seat: int | None = Field(default=None, foreign_key="seat.id", index=True)
    name: str = ""
    address: str = Field(index=True)
    """In lower case."""
    mail: int | None = Field(default=None, foreign_key="mail.id")
    words: str = Field(default="", sa_type=Text)
    """The word of the mail, in its canonical form."""
    wish: str = Field(default="", sa_column=Column(String, nullable=False, server_default=""))
    """The place that somebody who joins wishes for; empty if he wishes for none."""
    state: str = "open"
    """``open``, ``confirmed``, ``refused``, or ``lapsed``."""
    created_at: datetime = moment()
    due_at: datetime = moment()
