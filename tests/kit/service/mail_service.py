"""A whole service for tests: a database and Maildirs in a temporary folder, a still clock, the real pipeline.

The database is SQLite in that folder; with the fixture ``each_database`` it is PostgreSQL the second time.
"""

from __future__ import annotations

import itertools
import os
import re
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage, Message
from email.parser import BytesHeaderParser
from email.policy import SMTP, default
from functools import cached_property, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlmodel import Session, col, select

from engine import Game, Setup
from moderator import render
from moderator.adapters.database import Database
from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet, deliver, folder_for
from moderator.adapters.tables import EntryRow, GameRow, HeldRow, MailRow, SeatRow
from moderator.domain.vocabulary import vocabulary
from moderator.service.desk import Desk
from moderator.service.games import Games, LoadTitle, MakeVocabulary, default_titles
from moderator.service.intake import take_in
from moderator.service.pipeline import work_off
from moderator.service.play.new_games import Person, Terms, new_game
from moderator.service.post.delivery import send_due
from moderator.settings import Settings

OPENED: list[Database] = []
"""Of all services; who minds that connections stay open closes them."""
START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


WRITTEN = "Sun, 01 Mar 2026 11:59:00 +0000"
"""When the players' mail programs say that a mail was written."""


class StillClock:
    """Goes on only when it is told to."""

    def __init__(self) -> None:
        self.moment = START

    def now(self) -> datetime:
        return self.moment

    def pass_by(self, **span: float) -> None:
        self.moment += timedelta(**span)


class CountedBytes:
    """Bytes that look random and are the same in every run. ``first``: where a second service goes on, for bytes that
    are random do not come again."""

    def __init__(self, first: int = 1) -> None:
        self._count = itertools.count(first)
        self.last = first - 1
        """Number of the bytes that were given last."""

    def __call__(self, size: int) -> bytes:
        import hashlib

        self.last = number = next(self._count)
        return hashlib.sha256(str(number).encode()).digest()[:size]

    def go_on(self, last: int) -> None:
        """Go on after the bytes with this number."""
        self.last, self._count = last, itertools.count(last + 1)


@lru_cache(maxsize=1)
def empty_file() -> bytes:
    """A file of SQLite with all tables and no row in them: a copy is made sooner than another one."""
    with TemporaryDirectory(prefix="railpost-") as folder:
        path = Path(folder) / "empty.db"
        database = Database(f"sqlite:///{path}")
        database.upgrade()
        database.close()
        return path.read_bytes()


@dataclass(frozen=True)
class _Begun:
    """A service in which a game has begun: all that lies in its folder, and how many random bytes were drawn."""

    game: str
    last: int
    files: tuple[tuple[Path, os.stat_result, bytes | None], ...]
    """Path in the folder, its times and rights, and the content; folders have none."""

    @staticmethod
    def of(service: Service, game: str, last: int) -> _Begun:
        service.desk.database.close()
        paths = sorted(service.root.rglob("*"))
        files = ((p.relative_to(service.root), p.stat(), None if p.is_dir() else p.read_bytes()) for p in paths)
        return _Begun(game, last, tuple(files))

    def put_into(self, root: Path) -> None:
        for path, known, content in self.files:
            if content is None:
                (root / path).mkdir(exist_ok=True)
            else:
                (root / path).write_bytes(content)
                os.utime(root / path, ns=(known.st_atime_ns, known.st_mtime_ns))
            (root / path).chmod(stat.S_IMODE(known.st_mode))


_BEGUN: dict[str, _Begun] = {}
_MADE: dict[Callable[[Service], object], tuple[_Begun, datetime]] = {}


@lru_cache(maxsize=8)
def _settings(pictures: bool, *_named: tuple[str, str]) -> Settings:
    """Settings but for the folder: working them out takes longer than all the rest that a new service needs."""
    return Settings(domain="example.org", operator="master@example.net", pictures=pictures)


def _environment() -> list[tuple[str, str]]:
    return sorted(pair for pair in os.environ.items() if pair[0].upper().startswith("RAILPOST_"))


@lru_cache(maxsize=2_000)
def _letter(path: Path, _written: int) -> Letter:
    """A mail that lies in a folder is read once: tests look through their mailboxes again and again."""
    return Letter.of(path.read_bytes())


@dataclass
class Service:
    """``complaints`` is what the operator was told."""

    root: Path
    desk: Desk
    clock: StillClock
    complaints: list[str] = field(default_factory=list)
    _read: dict[str, int] = field(default_factory=dict)

    @staticmethod
    def open(
        root: Path, load_title: LoadTitle = default_titles, make_vocabulary: MakeVocabulary = vocabulary,
        *, pictures: bool = False,
    ) -> Service:  # fmt: skip
        """A service of its own. ``pictures``: its mails have some; drawing them takes longer than all the rest."""
        clock = StillClock()
        settings = _settings(pictures, *_environment()).model_copy(update={"data": root})
        path = settings.database_path
        new = path is not None and not path.exists()
        if path is not None and new:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(0o600)  # as the service makes its own
            path.write_bytes(empty_file())
        database = Database(settings.database_url)
        OPENED.append(database)
        if not new:
            database.upgrade()
        with database.reading() as session:
            again = session.exec(select(GameRow.id)).first() is not None
        games = Games(load_title, make_vocabulary, 50)
        random_bytes = CountedBytes(1_000_000 if again else 1)
        desk = Desk(settings, database, games, render, clock, random_bytes, owner="test")
        return Service(root, desk, clock)

    @staticmethod
    def made(root: Path, make: Callable[[Service], object]) -> Service:
        """A service with which ``make``, a function of a module, has done something that many tests begin with. It does
        so once; every other service on SQLite is a copy, as if it had been started anew since."""
        service = Service.open(root)
        drawn = service.desk.random_bytes
        assert isinstance(drawn, CountedBytes)
        if make in _MADE and service._is_new():
            begun, service.clock.moment = _MADE[make]
            service.desk.database.close()
            begun.put_into(root)
            drawn.go_on(begun.last)
            return service
        copied = service._is_new()
        make(service)
        if copied:
            _MADE[make] = _Begun.of(service, "", drawn.last), service.clock.moment
        return service

    def again(self) -> Service:
        """The service as it starts anew on what is stored, at the same moment. It draws no bytes a second time."""
        self.desk.database.close()
        again = Service.open(self.root)
        again.clock.moment = self.clock.moment
        before, drawn = self.desk.random_bytes, again.desk.random_bytes
        assert isinstance(before, CountedBytes) and isinstance(drawn, CountedBytes)
        drawn.go_on(max(before.last, drawn.last))
        return again

    # ---- playing

    def game(
        self, title: str = "1861", players: Sequence[str] = ("Ann", "Bob", "Cat"), *, priority: str | None = None,
        options: Mapping[str, str] | None = None, deadline_hours: int | None = None,
        deadline_time: str = "", clock: Sequence[tuple[str, str]] = (),
    ) -> str:  # fmt: skip
        people = [Person(name, f"{name.lower()}@players.example") for name in players]
        setup = Setup(tuple(players), "a seed", priority or players[0])
        terms = Terms(
            title, None, options or {}, deadline_hours=deadline_hours, deadline_time=deadline_time, clock=clock
        )
        name = new_game(self.desk, terms, people, setup=setup)
        self.run()
        return name

    def ready_game(self, title: str = "1861", players: Sequence[str] = ("Ann", "Bob", "Cat"), **more: Any) -> str:
        """As ``game``, for tests of what happens later. Beginning a game takes longer than most of what follows, so a
        new service on SQLite becomes a copy of the first one that began such a game, as if it had been started anew
        since."""
        drawn = self.desk.random_bytes
        if not isinstance(drawn, CountedBytes) or not self._is_new():
            return self.game(title, players, **more)
        key = f"{title} {players} {sorted(more.items())} {self.desk.settings.model_dump_json(exclude={'data'})}"
        if key not in _BEGUN:
            game = self.game(title, players, **more)
            _BEGUN[key] = _Begun.of(self, game, drawn.last)
            return game
        begun = _BEGUN[key]
        self.desk.database.close()
        begun.put_into(self.root)
        drawn.go_on(begun.last)
        return begun.game

    def _is_new(self) -> bool:
        """True if nothing has been written yet, and the database is a file."""
        path, drawn = self.desk.settings.database_path, self.desk.random_bytes
        clocked = self.desk.clock is self.clock and self.clock.moment == START
        if path is None or self.desk.words is not render or not clocked:
            return False
        log = path.with_name(f"{path.name}-wal")
        return isinstance(drawn, CountedBytes) and drawn.last == 0 and not (log.exists() and log.stat().st_size)

    def take_in(self) -> None:
        """Store what lies in the service's mailbox, and decide nothing yet."""
        take_in(self.desk, MaildirIntake(folder_for(self.desk.settings.mail_folder, self.desk.settings.address)))

    def run(self) -> None:
        """All that the scheduler does, once."""
        self.take_in()
        work_off(self.desk, self.complaints.append)
        send_due(self.desk, MaildirOutlet(self.desk.settings.mail_folder), self.complaints.append)

    def send(
        self, content: bytes, to: str = "railpost@example.org", return_path: str = "someone@players.example"
    ) -> None:
        """Put a message into the service's mailbox as it is."""
        deliver(self.desk.settings.mail_folder, to, content, return_path)

    def say(
        self, player: str, text: str, *, to: str | None = None, message_id: str = "", date: str = WRITTEN
    ) -> Letter | None:
        """``player`` answers the latest mail he has got (or writes to ``to``); the first answer to him, after a run."""
        before = len(self.letters(player))
        recipient = to or self.address(player)
        sender = f"{player.lower()}@players.example"
        self.send(mail(text, sender=sender, to=recipient, message_id=message_id, date=date), recipient)
        self.run()
        new = self.letters(player)[before:]
        return new[0] if new else None

    def address(self, player: str, kind: str = "") -> str:
        """Where the latest mail to ``player`` (of a kind) wants its answer."""
        return next(m.reply_to for m in reversed(self.letters(player)) if kind in m.kind)

    def letters(self, player: str) -> list[Letter]:
        """All mails that a player has got, oldest first."""
        return self.mailbox(f"{player.lower()}@players.example")

    def mailbox(self, address: str) -> list[Letter]:
        folder = folder_for(self.desk.settings.mail_folder, address) / "new"
        files = [(path.stat().st_mtime_ns, path) for path in folder.glob("*")] if folder.is_dir() else []
        return [_letter(path, written) for written, path in sorted(files, key=lambda file: file[0])]

    # ---- looking

    def outcomes(self) -> list[str | None]:
        with self.desk.database.reading() as session:
            return [row.outcome for row in session.exec(select(MailRow).order_by(col(MailRow.id))).all()]

    def details(self) -> list[str]:
        with self.desk.database.reading() as session:
            return [row.detail for row in session.exec(select(MailRow).order_by(col(MailRow.id))).all()]

    def log(self, game: str) -> list[str]:
        """The game's log: orders, and where it was gone back."""
        with self.desk.database.reading() as session:
            rows = session.exec(select(EntryRow).where(EntryRow.game == game).order_by(col(EntryRow.at))).all()
            return [row.text if row.kind == "order" else f"{row.kind} {row.orders}" for row in rows]

    def held(self, game: str) -> list[tuple[str, str, str]]:
        """Player, text and state of everything that was ever held."""
        with self.desk.database.reading() as session:
            rows = session.exec(select(HeldRow).where(HeldRow.game == game).order_by(col(HeldRow.id))).all()
            return [(row.player, row.text, row.status) for row in rows]

    def at(self, game: str) -> int:
        with self.desk.database.reading() as session:
            row = session.get(GameRow, game)
            assert row is not None
            return row.at

    def position(self, game: str) -> Game:
        with self.desk.database.reading() as session:
            row = session.get(GameRow, game)
            assert row is not None
            return self.desk.games.get(session, row).game

    def seat(self, game: str, player: str) -> SeatRow:
        with self.desk.database.reading() as session:
            return session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == player)).one()

    def session(self) -> Session:
        return Session(self.desk.database.engine)


@dataclass(frozen=True)
class Letter:
    """A mail that somebody got."""

    head: Message
    """Its header alone: most mails in a mailbox are only counted, or answered."""
    content: bytes

    @staticmethod
    def of(content: bytes) -> Letter:
        return Letter(BytesHeaderParser(policy=default).parsebytes(content), content)

    @cached_property
    def message(self) -> Message:
        """All of it."""
        return message_from_bytes(self.content, policy=default)

    @property
    def subject(self) -> str:
        return str(self.head["Subject"])

    @property
    def reply_to(self) -> str:
        found = re.search(r"<([^>]+)>", str(self.head["Reply-To"]))
        return found.group(1) if found else str(self.head["Reply-To"])

    @property
    def kind(self) -> str:
        return str(self.head["X-Railpost"]).split()[-1]

    @property
    def text(self) -> str:
        assert isinstance(self.message, EmailMessage)
        body = self.message.get_body(("plain",))
        assert body is not None
        return str(body.get_content())

    @property
    def html(self) -> str:
        assert isinstance(self.message, EmailMessage)
        body = self.message.get_body(("html",))
        assert body is not None
        return str(body.get_content())


_NUMBERS = itertools.count(1)


def mail(
    text: str = "", *, sender: str = "ann@players.example", to: str = "railpost@example.org", cc: str = "",
    subject: str = "Re: your turn", message_id: str = "", html: str = "", headers: Mapping[str, str] | None = None,
    date: str = WRITTEN,
) -> bytes:  # fmt: skip
    """A message as a mail program makes it. A Message-ID of its own unless one is given."""
    message = EmailMessage(policy=SMTP.clone(max_line_length=998))
    message["From"] = sender
    message["To"] = to
    if cc:
        message["Cc"] = cc
    message["Subject"] = subject
    message["Date"] = date
    if message_id != "none":
        message["Message-ID"] = message_id or f"<{next(_NUMBERS)}@players.example>"
    for name, value in (headers or {}).items():
        message[name] = value
    if text or not html:
        message.set_content(text)
        if html:
            message.add_alternative(html, subtype="html")
    else:
        message.set_content(html, subtype="html")
    return message.as_bytes()
