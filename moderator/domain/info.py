"""The facts that a mail about a game needs besides the position, such as the game's name, its seats and the reply
address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final, Literal, TypeAlias

from moderator.domain.ahead.invitation import Invitation
from moderator.domain.clocks.timetable import Timetable
from moderator.domain.pictures import Wish
from moderator.domain.sealing import Seals
from moderator.domain.seating import Dealt
from moderator.domain.tenures import Figures
from moderator.domain.transcript import Notes

Notify: TypeAlias = Literal["turn", "round", "daily", "all"]
"""The mails that a seat gets while it is not asked anything: none, one for each new round, one a day, or all."""

REPLY_MARK: Final = "##- reply above this line -##"
"""The first line of the body of every mail that may be answered. The text below it in an answer is not read. The words
between ``##-`` and ``-##`` may be in another language; the intake looks only for these two marks."""
LONGEST_SUBJECT: Final = 78
"""The number of characters that a subject should not exceed; lists of mails show no more of it."""


@dataclass(frozen=True, slots=True)
class RulesNews:
    """A change of the rules since the reader was last told. ``version``: the present version. ``lines``: each change in
    force, worded to follow "From now on". ``back``: the game has gone back to an older version."""

    version: int
    lines: tuple[str, ...] = ()
    back: bool = False


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """The calendar entry of a deadline (RFC 5545). ``uid``: its unchanging name; ``sequence``: how often it was
    changed; ``due``: the moment, in UTC. ``cancelled``: the answer has come."""

    uid: str
    sequence: int
    due: datetime
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class Master:
    """The game master whom players ask. ``name`` is empty if it is the operator of the service."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game as one seat sees it. It is built anew for each mail and seat."""

    id: str
    """The name of the game, such as ``1861-7``."""
    title: str
    edition: str
    options: Mapping[str, str]
    seat: str
    """The player who reads the mail."""
    seats: Mapping[str, str | None]
    """Player -> address of record, in seating order. Only the address of ``seat`` is given; the others are None."""
    commitment: str
    """The SHA-256 of the seed of all lots, in hexadecimal, published before the first order."""
    at: int
    """The number of the open decision, which never repeats. ``BEGIN 1861-7 at 143`` refers to it."""
    reply_to: str = ""
    """The seat's secret address for this decision."""
    token: str = ""
    """The secret part of ``reply_to``. A fenced block sent to another address must contain it: ``BEGIN 1861-7 at 143
    token x``."""
    deadline: datetime | None = None
    """The time in UTC at which the seat's answer is due; None if nothing is asked of it or the game has no clock."""
    late: bool = False
    """True if that time is past."""
    reminder: bool = False
    """True for a mail that only asks again what an earlier one asked."""
    terms: Timetable = field(default_factory=Timetable)
    """The terms of the game's clocks."""
    zone: str = "UTC"
    """The IANA name of the reader's time zone."""
    notify: Notify = "turn"
    pictures: Wish = "on"
    draws: bool = True
    """True if the service puts pictures into mails."""
    seed: str | None = None
    """The seed itself, once the game is over; None before."""
    persons: Mapping[str, str] = field(default_factory=dict)
    """Player -> name of the person who plays for him since his seat was handed over."""
    ended: str | None = None
    """The reason why the game master has ended the game; None if the rules ended it or it is under way."""
    overdue: Mapping[str, datetime] = field(default_factory=dict)
    """Other players whose answers are late -> the time in UTC at which each was due."""
    away: Mapping[str, date] = field(default_factory=dict)
    """Players who are away now -> the last day of that."""
    kept_for: Mapping[str, str] = field(default_factory=dict)
    """Players who do not answer -> ``robot`` if a robot moves for them, ``open`` if their seat is offered."""
    asked: tuple[str, ...] = ()
    """Players who owe an answer now."""
    held: tuple[str, ...] = field(default=())
    """The canonical texts of the seat's held orders and standing bids."""
    sealed: Seals | None = None
    """The sealed orders for an open question; None if no such question is open."""
    ahead: Notes = ()
    """Notes about orders that the seat had given ahead."""
    invitation: Invitation | None = None
    """The invitation to give orders ahead; None if there is nothing to invite to."""
    rules: RulesNews | None = None
    """A change of the rules that the seat has not been told yet; None if there is none."""
    master: Master | None = None
    """The game master; None if nobody can be written to."""
    waits: Mapping[str, int] = field(default_factory=dict)
    """Players, in seating order -> how often the table has waited for a mail of theirs, for the end of a game."""
    desk_url: str = ""
    """The address of the page on which a turn is tried; "" if there is none."""
    desk_with_address: bool = False
    """True if links to that page have ``reply_to`` in them."""
    desk_with_facts: bool = False
    """True if that page has corrected facts."""
    anonymous: bool = False
    """True if the players have names of the house, and ``persons`` is empty until the game is over."""
    dealt: tuple[Dealt, ...] = ()
    """The places that players wished for, and whether they have them."""
    figures: Mapping[str, Figures] = field(default_factory=dict)
    """Players -> how they have played in all games, for a welcome; those of whom there is nothing to tell are left
    out."""
