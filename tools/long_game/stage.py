"""The service and the post office of the long game. Tests put real mail servers in their place."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import partial
from pathlib import Path
from typing import Protocol
from unittest.mock import patch

from typer.testing import CliRunner

from moderator import render
from moderator.adapters.database import Database
from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet, deliver, folder_for
from moderator.domain.ports import Incoming, Lying, Mailbox
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints import cli
from moderator.entrypoints.processes import assembly
from moderator.entrypoints.processes.worker import Worker
from moderator.service.desk import Desk
from moderator.service.games import Games, default_titles
from moderator.settings import Settings

BEGAN = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
"""A Monday."""
OUTAGE_MINUTES = 180
"""More than a step of the clock, so that none is taken for an outage."""


class SetClock:
    """A clock that somebody sets. It is the meter of the service too, which would take a jump for a fault."""

    boot = ""

    def __init__(self) -> None:
        self.moment = BEGAN

    def now(self) -> datetime:
        return self.moment

    def seconds(self) -> float:
        return self.moment.timestamp()


class Counted:
    """Bytes that look random and are the same in every run."""

    def __init__(self) -> None:
        self._count = itertools.count(1)

    def __call__(self, size: int) -> bytes:
        return hashlib.sha256(f"long game {next(self._count)}".encode()).digest()[:size]


class Punctual:
    """A mailbox whose mails arrive by the set clock, not by that of the machine."""

    def __init__(self, inner: Mailbox, clock: SetClock) -> None:
        self.inner, self.clock = inner, clock

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def skipped(self) -> Mapping[str, str]:
        return self.inner.skipped

    @property
    def begun(self) -> bool:
        return self.inner.begun

    def waiting(self, largest: int, known: Container[str] = ()) -> Iterator[Incoming]:
        return (replace(mail, received_at=self.clock.now()) for mail in self.inner.waiting(largest, known))

    def file(self, reference: str, outcome: str) -> None:
        self.inner.file(reference, outcome)

    def count(self) -> Lying:
        return self.inner.count()

    def probe(self) -> None:
        self.inner.probe()

    def close(self) -> None:
        self.inner.close()


class Stage(Protocol):
    """A service, and the mailboxes of all who write to it."""

    desk: Desk
    clock: SetClock
    worker: Worker
    config: Path
    """The file with the service's settings."""

    def address(self, name: str) -> str:
        """The mail address of somebody."""
        ...

    def send(self, content: bytes, sender: str, to: str) -> None:
        """Send a mail. When this returns, it is decided, and all that was written because of it has arrived."""
        ...

    def settle(self) -> None:
        """Wait until all that the service has written has arrived."""
        ...

    def letters(self, address: str) -> list[EmailMessage]:
        """All mails that lie in a mailbox, oldest first."""
        ...


def command(stage: Stage, *words: str) -> str:
    """Run ``railpost`` as somebody at a shell does, with the clock and the chance of the stage; what it prints."""
    chance = partial(Desk, random_bytes=stage.desk.random_bytes)
    with patch.object(assembly, "Desk", chance), patch.object(assembly, "SystemClock", lambda: stage.clock):
        result = CliRunner().invoke(cli.app, ["--config", str(stage.config), *words])
    if result.exit_code:
        raise RuntimeError(f"railpost {' '.join(words)}: {result.output}")
    return result.output


def pass_by(stage: Stage, hours: int) -> None:
    """Let time pass, with a sweep every hour as the scheduler has it."""
    for _ in range(hours):
        stage.clock.moment += timedelta(hours=1)
        stage.worker.sweep()
    stage.settle()


class Folders:
    """A service of its own whose mails are files in folders."""

    def __init__(self, root: Path) -> None:
        settings = Settings(data=root, domain="example.net", pictures=False, outage_minutes=OUTAGE_MINUTES)
        root.mkdir(parents=True, exist_ok=True)
        self.config = root / "railpost.toml"
        self.config.write_text(f'data = "{root}"\ndomain = "example.net"\npictures = false\n', encoding="utf-8")
        database = Database(settings.database_url)
        database.upgrade()
        games = Games(default_titles, vocabulary, 2)
        self.clock = SetClock()
        self.desk = Desk(settings, database, games, render, self.clock, Counted(), owner="tour")
        self.complaints: list[str] = []
        self.root = settings.mail_folder
        intake = Punctual(MaildirIntake(folder_for(self.root, settings.address)), self.clock)
        outlet = MaildirOutlet(self.root)
        self.worker = Worker(self.desk, intake, outlet, self.complaints.append, self.clock)
        self._read: dict[str, list[EmailMessage]] = {}
        self._seen: set[Path] = set()

    def address(self, name: str) -> str:
        return f"{name.lower()}@example.org"

    def send(self, content: bytes, sender: str, to: str) -> None:
        deliver(self.root, to, content, sender)
        self.settle()

    def settle(self) -> None:
        self.worker.mail()

    def letters(self, address: str) -> list[EmailMessage]:
        known, folder = self._read.setdefault(address, []), folder_for(self.root, address) / "new"
        new = [path for path in folder.glob("*") if path not in self._seen] if folder.is_dir() else []
        for path in sorted(new, key=lambda path: path.stat().st_mtime_ns):
            self._seen.add(path)
            message = message_from_bytes(path.read_bytes(), policy=default)
            known.append(message)
        return known

    def close(self) -> None:
        self.worker.close()
        self.desk.database.close()
