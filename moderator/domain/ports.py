"""The protocols that the service needs from outside. Adapters implement them: folders, IMAP and SMTP, the clock."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol

from engine import Game
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.orders import Route
from moderator.domain.info import GameInfo
from moderator.domain.pictures import Picture
from moderator.domain.transcript import Facts, Transcript


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message in the mailbox. ``reference`` names it as long as it is there; ``received_at`` is the moment when our
    side took it in, never the sender's ``Date``. If ``size`` is over the limit, ``content`` is only the beginning of
    the message."""

    reference: str
    received_at: datetime
    size: int
    content: bytes
    envelope_from: str | None = None
    """The return path: empty where the sender wants no answer, None where the mailbox does not tell."""


class Intake(Protocol):
    """A mailbox for incoming mail. ``Away`` means that the mailbox is out of reach, ``NotNow`` that it refused one
    operation."""

    @property
    def name(self) -> str:
        """Names the mailbox; with ``Incoming.reference`` it names a message."""
        ...

    def waiting(self, largest: int, known: Container[str] = ()) -> Iterator[Incoming]:
        """Messages that have not been filed, oldest first, without those whose references are ``known``. Of a message
        over ``largest`` bytes only the head is fetched."""
        ...

    def file(self, reference: str, outcome: str) -> None:
        """File a message that has been decided, in the folder of its ``outcome`` if the mailbox keeps outcomes apart.
        Filing it again, or filing a message that is gone, is not an error."""
        ...


@dataclass(frozen=True, slots=True)
class Attached:
    """A PNG file inside a mail. ``content_id`` without angle brackets, as it stands after ``cid:``."""

    content_id: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mail to one recipient, complete except for its form on the wire."""

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
    """Pictures that the HTML shows, by their Content-ID."""


class NotNow(Exception):
    """It failed, and may work later. ``after`` is the time to wait, if the server gave one."""

    def __init__(self, reason: str, after: timedelta | None = None) -> None:
        super().__init__(reason)
        self.after = after


class Away(NotNow):
    """The server is away or refuses the login: for now it cannot be used."""


class Barred(Away):
    """The server is there and refuses us: a password expired, an account closed, a quota used up. Waiting alone does
    not help."""


class Never(Exception):
    """Sending failed for good: the recipient is refused."""


class Outlet(Protocol):
    """A way out for mail. ``Away``, ``NotNow`` or ``Never`` says why a mail was not sent."""

    def send(self, mail: Outgoing) -> None: ...


class Connected(Protocol):
    """Anything that may hold a connection to a server."""

    def probe(self) -> None:
        """Check the server, and take or send nothing. ``Away`` says why it cannot be used."""
        ...

    def close(self) -> None:
        """End the connection, if there is one. It is made anew when it is needed."""
        ...


@dataclass(frozen=True, slots=True)
class Lying:
    """The messages in a mailbox: the number of all, and of those that would be taken in."""

    messages: int
    wanted: int


class Mailbox(Intake, Connected, Protocol):
    """The mailbox of the service."""

    def count(self) -> Lying:
        """Count the messages. Takes nothing and remembers nothing; raises as ``waiting`` does."""
        ...


class WayOut(Outlet, Connected, Protocol):
    """The way out of the service."""


class Clock(Protocol):
    def now(self) -> datetime:
        """The moment, in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class Rendered(Protocol):
    """A mail in words."""

    @property
    def subject(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def html(self) -> str: ...
    @property
    def pictures(self) -> tuple[Picture, ...]: ...


class Words(Protocol):
    """Says things to people. The module ``moderator.render`` is one."""

    def welcome_mail(self, game: Game, info: GameInfo, seat: PlayerId) -> Rendered: ...
    def turn_mail(self, game: Game, info: GameInfo, seat: PlayerId, since: int) -> Rendered: ...
    def news_mail(self, game: Game, info: GameInfo, seat: PlayerId, since: int) -> Rendered: ...
    def transcript_mail(self, game: Game, info: GameInfo, transcript: Transcript) -> Rendered: ...
    def held_mail(self, game: Game, info: GameInfo, transcript: Transcript) -> Rendered: ...
    def help_mail(self, game: Game, info: GameInfo, seat: PlayerId) -> Rendered: ...
    def game_over_mail(self, game: Game, info: GameInfo, seat: PlayerId, *, since: int | None = None) -> Rendered: ...
    def press_mail(self, info: GameInfo, writer: str, to: Sequence[str], lines: Sequence[str]) -> Rendered: ...
    def stranger_mail(self) -> Rendered: ...
    def operator_mail(self, problem: str) -> Rendered: ...
    def notice_mail(self, info: GameInfo, key: str, facts: Facts) -> Rendered: ...
    def operator_words(self, key: str, facts: Facts) -> str: ...
    def text_position(self, game: Game, seat: PlayerId) -> str: ...
    def text_map(self, game: Game, hexes: Sequence[str] = ()) -> str: ...
    def text_board(self, game: Game) -> str: ...
    def text_hex(self, game: Game, hex: str) -> str: ...
    def text_company(self, game: Game, company: str) -> str: ...
    def text_phase(self, game: Game) -> str: ...
    def text_run(self, game: Game, company: CompanyId, routes: Sequence[Route]) -> str: ...
    def text_trains(self, game: Game) -> str: ...
    def text_tiles(self, game: Game) -> str: ...
    def text_lays(self, game: Game, actor: Actor) -> str: ...
