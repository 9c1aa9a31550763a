"""Seats, persons and mails as commands list and show them: frozen values, independent of the database. All times are in
UTC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import Game
    from moderator.domain.clocks.timetable import Timetable
    from moderator.domain.game_rows import Due
    from moderator.domain.info import Master


@dataclass(frozen=True, slots=True)
class ListedForming:
    """A game that is forming. ``players``: the number wanted, as ``3-5``; ``count`` have joined; ``names``: who they
    are; ``missing``: those who have not agreed yet that it begins, while they are asked until ``due``. Of a game that
    is to be ``anonymous`` there are no names."""

    name: str
    title: str
    edition: str
    options: Mapping[str, str]
    players: str
    names: tuple[str, ...]
    terms: Timetable
    invited: bool
    confirming: bool
    due: datetime | None
    missing: tuple[str, ...]
    master: str
    count: int
    anonymous: bool


@dataclass(frozen=True, slots=True)
class ListedOpenSeat:
    """A seat that is offered to others."""

    game: str
    player: str
    title: str
    orders: int


@dataclass(frozen=True, slots=True)
class ListedGuest:
    """A person without a seat (``entrant``, ``waiting``, ``observer``), or a question to one, open until ``until``.
    ``wish``: the place that an entrant wishes for; empty for none."""

    kind: str
    game: str
    title: str
    name: str
    address: str
    wish: str
    since: datetime
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class GameAt:
    """A game as it was when decision ``at`` was open. ``latest``: the decision that is open now."""

    name: str
    at: int
    latest: int
    game: Game
    over: bool = False
    master: Master | None = None

    @property
    def is_now(self) -> bool:
        return self.at == self.latest


@dataclass(frozen=True, slots=True)
class ListedSeal:
    """A sealed order that waits, as everybody may see it. ``again``: it was opened before, and an undo sealed it
    again."""

    digest: str
    created_at: datetime
    again: bool


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """A seat, with the times of the last mails to and from it. ``person``: who plays for ``player``. ``silence``: the
    reason why it is sent only what it asks for; empty if there is none."""

    number: int
    player: str
    person: str
    address: str
    asked: bool
    due: Due | None
    told_at: datetime | None
    heard_at: datetime | None
    away_at: datetime | None
    bounces: int
    silence: str


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A seat as its game master may see it. ``person``: who plays for ``player``; empty if it is he. ``since``: the
    moment from which the person has the seat. ``heard_at``: the last mail of the person to the game. ``silence``: as in
    ``ListedSeat``."""

    player: str
    person: str
    since: datetime
    asked: bool
    due: Due | None
    away: date | None
    caretaker: str
    heard_at: datetime | None
    silence: str


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of a seat. ``used``: seconds that its present player has used in ``answers`` answers, ``late`` of which
    came late. ``bank``: seconds left in his bank of time; None without one."""

    player: str
    used: int
    answers: int
    late: int
    bank: int | None
    due: Due | None
    caretaker: str
    """``robot`` if a robot moves for him, ``open`` if the seat is offered; else empty."""
    away: date | None
    """The last day on which he is away; None if he is not."""


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """A person over all games. ``on_time``: per cent of the questions with a deadline that he answered in time; None
    before the first. ``finished``: games that he played to the end; ``left``: those in which somebody else has his
    seat."""

    address: str
    names: tuple[str, ...]
    zone: str
    moves: int
    on_time: int | None
    games: int
    finished: int
    left: int


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A person's part in a game. ``place`` and ``total`` are known if he played it to the end."""

    game: str
    player: str
    status: str
    began_at: datetime
    ended_at: datetime | None
    answers: int
    late: int
    missed: int
    place: int | None
    total: int | None


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry in the log of a game. ``mails``: the mails in which the player gave the order, which for an order given
    ahead or sealed is not the mail that carried it out. ``gone``: the order was undone."""

    at: int
    kind: str
    """``order``, ``undo``, ``rules``, ``adopt``, an act of the game master, or ``given`` for a seat that somebody else
    has from then on."""
    orders: int
    player: str
    origin: str
    text: str
    created_at: datetime
    mails: tuple[int, ...]
    gone: bool


@dataclass(frozen=True, slots=True)
class ListedMail:
    """An incoming mail. ``outcome`` is None until it is decided. ``sender`` is empty if the mail names none."""

    number: int
    received_at: datetime
    sender: str
    envelope_from: str
    game: str | None
    player: str | None
    outcome: str | None
    detail: str


@dataclass(frozen=True, slots=True)
class Claimed:
    """The decision that a secret address of ``player`` was made for. ``due_at``: its deadline, if there was one."""

    game: str
    player: str
    at: int
    created_at: datetime
    due_at: datetime | None


@dataclass(frozen=True, slots=True)
class Questioned:
    """A question to the address of record: did this mail come from the player? ``by``: the number of the mail that
    answered yes."""

    created_at: datetime
    state: str
    by: int | None


@dataclass(frozen=True, slots=True)
class Carried:
    """An order that a mail gave or triggered."""

    game: str
    orders: int
    origin: str
    text: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """Orders that a mail gave ahead or sealed, and their status. ``text``: the orders or, if sealed, their digest."""

    text: str
    status: str


@dataclass(frozen=True, slots=True)
class FullMail:
    """An incoming mail and everything that followed from it. Once ``emptied_at`` is set, ``content`` is empty and
    ``digest`` is its SHA-256. ``about``: the game that its secret address seemed to be for."""

    mail: ListedMail
    size: int
    content: bytes
    emptied_at: datetime | None
    digest: str
    decided_at: datetime | None
    verdict: str
    about: str
    questions: tuple[Questioned, ...]
    orders: tuple[Carried, ...]
    ahead: tuple[Waiting, ...]
    sealed: tuple[Waiting, ...]
    answers: tuple[OwnMail, ...]


@dataclass(frozen=True, slots=True)
class OwnMail:
    """An outgoing mail. ``text`` is empty once ``emptied_at`` is set. ``error``: the reason why the mail is not sent or
    is held back."""

    number: int
    kind: str
    game: str | None
    player: str | None
    recipient: str
    subject: str
    text: str
    state: str
    attempts: int
    error: str
    answers: int | None
    """The number of the incoming mail that it answers; None if it answers none."""
    created_at: datetime
    next_attempt: datetime
    sent_at: datetime | None
    emptied_at: datetime | None


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of incoming mails by outcome (None: undecided), of outgoing mails by state, and of games by status.
    ``undecided_since``, ``unsent_since``: the times since which the oldest undecided and the oldest unsent mail have
    waited; None if there are none."""

    mails: Mapping[str | None, int]
    outbox: Mapping[str, int]
    games: Mapping[str, int]
    undecided_since: datetime | None
    unsent_since: datetime | None

    @property
    def decided(self) -> int:
        return sum(count for outcome, count in self.mails.items() if outcome is not None)


@dataclass(frozen=True, slots=True)
class ListedMotion:
    """Words of a game master that wait for consent, or did. ``by``: the player or the address of the game master who
    wants them; ``needs`` and ``state`` as in ``MotionRow``; ``due``: when it lapses."""

    number: int
    by: str
    words: tuple[str, ...]
    reason: str
    needs: str
    yes: int
    no: int
    state: str
    due: datetime
