"""Protocols of the service for the outside world. Adapters implement them: folders, IMAP and SMTP, the clock."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol

from engine import Game
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.orders import Route
from moderator.domain.info import CalendarEntry, GameInfo, Master
from moderator.domain.list_rows import SeatClock, ShownSeat
from moderator.domain.master_report import MasterReport
from moderator.domain.pictures import Picture
from moderator.domain.transcript import Facts, Transcript


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message in the mailbox. ``reference`` identifies it as long as it is there. ``received_at``: the time at which
    our side received it, never the sender's ``Date``. If ``size`` is over the limit, ``content`` is only the beginning
    of the message."""

    reference: str
    received_at: datetime
    size: int
    content: bytes
    envelope_from: str | None = None
    """The return path of the envelope: empty if the sender wants no answer, None if the mailbox does not tell it."""


class Intake(Protocol):
    """A mailbox for incoming mail. Its methods raise ``Away`` if the mailbox cannot be reached and ``NotNow`` if it
    refuses one operation."""

    @property
    def name(self) -> str:
        """The name of the mailbox. Together with ``Incoming.reference`` it identifies a message."""
        ...

    def waiting(self, largest: int, known: Container[str] = ()) -> Iterator[Incoming]:
        """The messages that have not been filed, oldest first, except those whose references are ``known``. Of a
        message over ``largest`` bytes only the beginning is fetched."""
        ...

    def file(self, reference: str, outcome: str) -> None:
        """File a message that has been decided: in the folder for its ``outcome`` if the mailbox has such folders. To
        file a message again, or one that is gone, is no error."""
        ...


@dataclass(frozen=True, slots=True)
class Attached:
    """A PNG file inside a mail. ``content_id``: its Content-ID without angle brackets, as it stands after ``cid:``."""

    content_id: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mail to one recipient, complete but not yet encoded as a message."""

    message_id: str
    recipient: str
    return_path: str
    sender: str
    reply_to: str
    subject: str
    text: str
    html: str
    created_at: datetime
    headers: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[Attached, ...] = ()
    """The pictures that the HTML refers to by Content-ID."""
    calendar: str = ""
    """A calendar (RFC 5545) that the mail has beside its text; empty if there is none."""


class NotNow(Exception):
    """An operation failed and may work later. ``after``: the time to wait, if the server gave one. ``begun``: the text
    of a mail was being transmitted, so that the attempt counts against the mail in any case."""

    def __init__(self, reason: str, after: timedelta | None = None) -> None:
        super().__init__(reason)
        self.after = after
        self.begun = False


class Away(NotNow):
    """The server cannot be used for now: it cannot be reached, or it refuses the login."""


class Doubtful(NotNow):
    """The mail was not sent, and the reason may lie in this mail or in the server. If the next mail, to somebody else,
    fails in the same way, ``send`` raises ``Away`` for it."""


class Barred(Away):
    """The server can be reached but refuses us: an expired password, a closed account, a used-up quota. Waiting alone
    does not help."""


class Never(Exception):
    """Sending failed permanently: the recipient is refused."""


class Outlet(Protocol):
    """Sends mail. ``send`` raises ``Away``, ``Doubtful``, ``NotNow`` or ``Never`` if a mail was not sent."""

    def send(self, mail: Outgoing) -> None: ...


class Connected(Protocol):
    """An adapter that may hold a connection to a server."""

    def probe(self) -> None:
        """Check the server without taking or sending anything. Raises ``Away`` if it cannot be used."""
        ...

    def close(self) -> None:
        """Close the connection, if there is one. It is opened again when it is needed."""
        ...


@dataclass(frozen=True, slots=True)
class Lying:
    """Counts of messages in a mailbox: of all, and of those that would be taken in (``wanted``)."""

    messages: int
    wanted: int


class Mailbox(Intake, Connected, Protocol):
    """The mailbox of the service."""

    @property
    def skipped(self) -> Mapping[str, str]:
        """Things in the mailbox that cannot be read, by printable name, with the reason. Each is left where it is,
        and looked at again."""
        ...

    @property
    def begun(self) -> bool:
        """False until it is certain which mail is the first to be taken. An answer that came earlier would be left."""
        ...

    def count(self) -> Lying:
        """Count the messages without taking any in. Raises the same errors as ``waiting``."""
        ...


class WayOut(Outlet, Connected, Protocol):
    """The outgoing mail server of the service."""


class Clock(Protocol):
    def now(self) -> datetime:
        """The current time, in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class Rendered(Protocol):
    """A mail as it will be read."""

    @property
    def subject(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def html(self) -> str: ...
    @property
    def pictures(self) -> tuple[Picture, ...]: ...


@dataclass(frozen=True, slots=True)
class Section:
    """The part of a digest about one seat, in a mail's two forms. ``waits``: the seat has a question."""

    waits: bool
    text: str
    html: str


class Words(Protocol):
    """Renders mails and texts for people. The module ``moderator.render`` implements it."""

    def welcome_mail(self, game: Game, info: GameInfo, seat: PlayerId) -> Rendered: ...
    def turn_mail(self, game: Game, info: GameInfo, seat: PlayerId, since: int) -> Rendered: ...
    def news_mail(self, game: Game, info: GameInfo, seat: PlayerId, since: int) -> Rendered: ...
    def transcript_mail(self, game: Game, info: GameInfo, transcript: Transcript) -> Rendered: ...
    def held_mail(self, game: Game, info: GameInfo, transcript: Transcript) -> Rendered: ...
    def invitation_mail(self, game: Game, info: GameInfo, seat: PlayerId) -> Rendered: ...
    def help_mail(self, game: Game, info: GameInfo, seat: PlayerId) -> Rendered: ...
    def game_over_mail(self, game: Game, info: GameInfo, seat: PlayerId, *, since: int | None = None) -> Rendered: ...
    def press_mail(self, info: GameInfo, writer: str, to: Sequence[str], lines: Sequence[str]) -> Rendered: ...
    def to_master_mail(self, game: Game, info: GameInfo, lines: Sequence[str], status: str) -> Rendered: ...
    def from_master_mail(
        self, info: GameInfo, master: Master, lines: Sequence[str], question: Sequence[str], asked_at: datetime
    ) -> Rendered: ...
    def master_answer_mail(self, game: Game, info: GameInfo, report: MasterReport) -> Rendered: ...
    def digest_section(self, game: Game, info: GameInfo, seat: PlayerId, since: int) -> Section: ...
    def digest_mail(self, sections: Sequence[Section]) -> Rendered: ...
    def stranger_mail(self, *, known: bool = False) -> Rendered: ...
    def catch_up_mail(self, game: Game, info: GameInfo, seat: PlayerId) -> Rendered: ...
    def observer_mail(self, game: Game, info: GameInfo, since: int) -> Rendered: ...
    def guest_mail(self, key: str, facts: Facts, reply_to: str = "") -> Rendered: ...
    def operator_mail(self, problem: str) -> Rendered: ...
    def notice_mail(self, info: GameInfo, key: str, facts: Facts) -> Rendered: ...
    def calendar(self, info: GameInfo, entries: Sequence[CalendarEntry], now: datetime) -> str: ...
    def operator_words(self, key: str, facts: Facts) -> str: ...
    def text_position(self, game: Game, seat: PlayerId) -> str: ...
    def text_map(self, game: Game, hexes: Sequence[str] = ()) -> str: ...
    def text_board(self, game: Game) -> str: ...
    def text_hex(self, game: Game, hex: str) -> str: ...
    def text_company(self, game: Game, company: str) -> str: ...
    def text_private(self, game: Game, private: str) -> str: ...
    def text_words(self, game: Game) -> str: ...
    def text_word(self, game: Game, word: str) -> str: ...
    def text_rules(self, game: Game) -> str: ...
    def text_phase(self, game: Game) -> str: ...
    def text_run(self, game: Game, company: CompanyId, routes: Sequence[Route], after: Sequence[str] = ()) -> str: ...
    def text_trains(self, game: Game) -> str: ...
    def text_history(self, game: Game, what: str = "") -> str: ...
    def text_tiles(self, game: Game) -> str: ...
    def text_lays(self, game: Game, actor: Actor, after: Sequence[str] = ()) -> str: ...
    def text_clock(self, info: GameInfo, clocks: Sequence[SeatClock]) -> str: ...
    def text_seats(self, info: GameInfo, seats: Sequence[ShownSeat]) -> str: ...
