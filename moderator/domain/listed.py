"""Games, seats and mails as commands list and show them: frozen values, which need no database any more. Moments are
UTC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from engine import Game


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a list. ``asked`` are those who owe an answer, in seating order."""

    name: str
    edition: str
    status: str
    orders: int
    players: tuple[str, ...]
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameAt:
    """A game when decision ``at`` was open. ``latest`` is the one that is open now."""

    name: str
    at: int
    latest: int
    game: Game
    over: bool = False

    @property
    def is_now(self) -> bool:
        return self.at == self.latest


@dataclass(frozen=True, slots=True)
class Due:
    """Until when somebody is to answer; ``late`` once that is past."""

    at: datetime
    late: bool


@dataclass(frozen=True, slots=True)
class ListedSeal:
    """A sealed order that waits, as all may see it. ``again``: it was opened before, and an undo took that back."""

    digest: str
    created_at: datetime
    again: bool


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """A seat with what was told to it and heard of it. ``silence`` is the reason why it is sent only what it asks for;
    empty if there is none."""

    number: int
    player: str
    address: str
    asked: bool
    due: Due | None
    told_at: datetime | None
    heard_at: datetime | None
    away_at: datetime | None
    bounces: int
    silence: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry of a game's log. ``mails`` are those in which the player gave the order: what was given ahead or sealed
    is carried out by somebody else's mail. ``gone``: the order was taken back."""

    at: int
    kind: str
    """``order``, ``undo``, ``rules``, ``adopt``; ``pause``, ``resume``, ``end``, ``deadline`` or ``say``."""
    orders: int
    player: str
    origin: str
    text: str
    created_at: datetime
    mails: tuple[int, ...]
    gone: bool


@dataclass(frozen=True, slots=True)
class ListedMail:
    """A mail that came. ``outcome`` is None until it is decided; ``sender`` is empty where it names none."""

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
    """The decision for which a secret address of ``player`` was made, and until when it was to be answered."""

    game: str
    player: str
    at: int
    created_at: datetime
    due_at: datetime | None


@dataclass(frozen=True, slots=True)
class Questioned:
    """A question to the address of record about a mail: is it the player's? ``by`` is the mail that said yes."""

    created_at: datetime
    state: str
    by: int | None


@dataclass(frozen=True, slots=True)
class Carried:
    """An order that a mail gave or set off."""

    game: str
    orders: int
    origin: str
    text: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """Orders that a mail gave ahead (``text``), or sealed (``text`` is their digest), and what became of them."""

    text: str
    status: str


@dataclass(frozen=True, slots=True)
class FullMail:
    """A mail that came, and everything that followed from it. ``content`` is empty once ``emptied_at`` is set; then
    ``digest`` is its SHA-256. ``about`` is the game that its secret address seemed to be for."""

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
    """An outgoing mail. ``text`` is empty once ``emptied_at`` is set; ``error`` says why it is not sent, or is kept."""

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
    """The number of the mail that it answers."""
    created_at: datetime
    next_attempt: datetime
    sent_at: datetime | None
    emptied_at: datetime | None


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of incoming mails by outcome (None: to be decided), outgoing mails by state and games by state; and
    since when the oldest mail has waited to be decided, and the oldest outgoing mail to be sent."""

    mails: Mapping[str | None, int]
    outbox: Mapping[str, int]
    games: Mapping[str, int]
    undecided_since: datetime | None
    unsent_since: datetime | None

    @property
    def decided(self) -> int:
        return sum(count for outcome, count in self.mails.items() if outcome is not None)
