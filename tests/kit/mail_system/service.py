"""The service among real servers: settings for it, and one that runs in this process."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any, Self

from sqlmodel import col, select

from engine import Game
from moderator import render
from moderator.adapters.database import Database
from moderator.adapters.mail.idle import IdleWatcher
from moderator.adapters.tables import GameRow, MailRow, OutboxRow
from moderator.domain.ports import SystemClock
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.processes.assembly import Worker, mailbox_of, outlet_of, watcher_of
from moderator.entrypoints.processes.run import Runner
from moderator.service.desk import Desk
from moderator.service.games import Games, default_titles
from moderator.service.play.new_games import Person, Terms, new_game
from moderator.settings import Settings
from tests.kit.mail_system.system import PASSWORD, MailSystem
from tests.kit.patience import PATIENCE

_NUMBERS = itertools.count(1)


def server_settings(system: MailSystem, root: Path, mailbox: str = "railpost") -> dict[str, Any]:
    """Settings of a service whose mail goes through ``system``, with TLS and passwords in files. Its mails have no
    pictures: drawing them takes longer than all the rest."""
    root.mkdir(parents=True, exist_ok=True)
    password = root / "password"
    password.write_text(PASSWORD + "\n")
    password.chmod(0o600)
    address = f"{mailbox}@example.org"
    return {
        "data": root, "domain": "example.org", "mailbox": mailbox, "tls_ca_file": system.ca_file,
        "imap_host": "localhost", "imap_port": system.imaps, "imap_user": address, "imap_password_file": password,
        "smtp_host": "localhost", "smtp_port": system.submission, "smtp_user": address,
        "smtp_password_file": password, "poll_seconds": 5.0, "server_timeout": 10.0,
        "pictures": False,
    }  # fmt: skip


def configuration(values: dict[str, Any]) -> str:
    """Settings as a TOML file."""
    lines = []
    for name, value in values.items():
        shown = str(value).lower() if isinstance(value, bool) else repr(value)
        lines.append(f"{name} = {shown if isinstance(value, bool | int | float) else _quoted(str(value))}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class RealService:
    """A service with a mailbox of its own in ``system``, so that services of several tests do not meet. ``with`` ends
    its connections; nothing runs by itself until ``run`` or ``go_on``."""

    def __init__(self, system: MailSystem, root: Path, **changed: Any) -> None:
        self.system = system
        mailbox = changed.pop("mailbox", f"r{next(_NUMBERS)}")
        self.settings = Settings(**{**server_settings(system, root, mailbox), **changed})
        database = Database(self.settings.database_url)
        database.upgrade()
        self.desk = Desk(self.settings, database, Games(default_titles, vocabulary, 50), render, SystemClock())
        self.complaints: list[str] = []
        self.intake, self.outlet = mailbox_of(self.desk), outlet_of(self.settings)
        self.round = Worker(self.desk, self.intake, self.outlet, self.complaints.append)
        self.runner: Runner | None = None
        self.watcher: IdleWatcher | None = None

    def __enter__(self) -> Self:
        self.round.mail()  # a mailbox begins with the first look into it
        return self

    def __exit__(self, *_: object) -> None:
        if self.watcher is not None:
            self.watcher.stop()
        if self.runner is not None:
            self.runner.stop()
        self.round.close()
        self.desk.database.close()

    def run(self) -> None:
        """All that the scheduler does, once."""
        self.round.mail()

    def go_on(self) -> None:
        """From now on as ``railpost run`` does it: the scheduler in its thread, woken by the mailbox."""
        self.runner = Runner(self.round, self.settings.poll_seconds)
        self.watcher = watcher_of(self.settings, self.runner.wake)
        self.runner.start()
        if self.watcher is not None:
            self.watcher.start()
            assert self.watcher.watching.wait(20)

    def position(self, game: str) -> Game:
        """The game as it stands."""
        with self.desk.database.reading() as session:
            row = session.get(GameRow, game)
            assert row is not None
            return self.desk.games.get(session, row).game

    def mails(self) -> list[MailRow]:
        """What was taken in."""
        with self.desk.database.reading() as session:
            return list(session.exec(select(MailRow).order_by(col(MailRow.id))).all())

    def outbox(self) -> list[OutboxRow]:
        with self.desk.database.reading() as session:
            return list(session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all())

    def until_decided(self, number: int, seconds: float = PATIENCE) -> list[MailRow]:
        """Go round until so many mails are taken in and decided."""
        until = time.monotonic() + seconds
        while True:
            self.run()
            rows = self.mails()
            if len(rows) >= number and all(row.outcome for row in rows):
                return rows
            if time.monotonic() > until:
                raise TimeoutError(f"{[row.outcome for row in rows]} {self.complaints}")
            time.sleep(0.02)

    def game(self, *addresses: str) -> str:
        """A game of 1861; players are named after their addresses."""
        people = [Person(address.partition("@")[0].title(), address) for address in addresses]
        return new_game(self.desk, Terms("1861"), people)
