"""Puts the service together from its settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

import engine
from moderator import render
from moderator.adapters.database import PROGRAM, Database
from moderator.adapters.files import make_private_folder
from moderator.adapters.mail.dkim_sign import SignedForm
from moderator.adapters.mail.idle import IdleWatcher
from moderator.adapters.mail.imap import ImapIntake
from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet, folder_for
from moderator.adapters.mail.message import Form, build
from moderator.adapters.mail.server import Server
from moderator.adapters.mail.smtp import SmtpOutlet
from moderator.adapters.memory import KeptMemory
from moderator.adapters.rehearsal import Rehearsal
from moderator.adapters.shared_clock import DatabaseClock
from moderator.domain.ports import Mailbox, SystemClock, WayOut
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.processes.worker import Worker
from moderator.service.desk import Desk
from moderator.service.games import Games, default_titles
from moderator.service.service_facts import recall, remember
from moderator.settings import Settings

REHEARSED: Final = 0.4
"""Share of a lease for one rehearsal of a mail: two of them end before another service may take the mail."""


def open_desk(settings: Settings) -> Desk:
    """The desk on the database of ``settings``, which is created or upgraded first."""
    if (path := settings.database_path) is not None:
        make_private_folder(path.parent)
    database = Database(settings.database_url)
    database.upgrade()
    desk = desk_on(settings, database)
    with desk.sitting() as sitting:
        if recall(sitting.session, PROGRAM) != (program := {"version": engine.__version__}):
            remember(sitting, PROGRAM, program)
    return desk


def desk_on(settings: Settings, database: Database) -> Desk:
    """The desk on a database whose tables are up to date."""
    games = Games(default_titles, vocabulary, settings.games_in_memory)
    shared = None if database.engine.dialect.name == "sqlite" else DatabaseClock(database)  # SQLite: one machine
    return Desk(settings, database, games, render, SystemClock(), rehearse=rehearsal_of(settings), shared_clock=shared)


def rehearsal_of(settings: Settings) -> Callable[[int], str]:
    """The function by which a service of these settings tries the mail of a number in another process."""
    given = settings.model_dump(mode="json")
    run = Rehearsal("moderator.entrypoints.processes.rehearsal", settings.lease_seconds * REHEARSED)
    return lambda number: run(json.dumps({"settings": given, "mail": number}))


def mailbox_of(desk: Desk) -> Mailbox:
    """The mailbox for the service's incoming mail: its IMAP server, or the embedded Maildir."""
    settings = desk.settings
    if not settings.imap_host:
        return MaildirIntake(folder_for(settings.mail_folder, settings.address))
    memory = KeptMemory(desk.database, "mailbox ")
    return ImapIntake(_imap_server(settings), settings.imap_folder, settings.imap_filed, settings.mail_since, memory)


def outlet_of(settings: Settings) -> WayOut:
    """The outlet for the service's outgoing mail: its SMTP server, or the Maildirs on this machine."""
    if not settings.smtp_host:
        return MaildirOutlet(settings.mail_folder, form_of(settings))
    server = Server(
        settings.smtp_host, settings.smtp_port, settings.smtp_security, settings.smtp_user,
        settings.smtp_password_file, settings.tls_ca_file, settings.server_timeout,
    )  # fmt: skip
    return SmtpOutlet(server, settings.domain, form=form_of(settings))


def form_of(settings: Settings) -> Form:
    """The function that makes the bytes of a mail; it signs the mail if there is a key."""
    if not settings.dkim_selector or settings.dkim_key is None:
        return build
    return SignedForm(settings.dkim_selector, settings.dkim_domain or settings.domain, settings.dkim_key)


def watcher_of(settings: Settings, wake: Callable[[], None]) -> IdleWatcher | None:
    """A watcher that calls ``wake`` when mail comes; None if the service only polls."""
    if not settings.imap_host or not settings.imap_idle:
        return None
    return IdleWatcher(_imap_server(settings), settings.imap_folder, settings.idle_seconds, wake)


def _imap_server(settings: Settings) -> Server:
    return Server(
        settings.imap_host, settings.imap_port, settings.imap_security, settings.imap_user,
        settings.imap_password_file, settings.tls_ca_file, settings.server_timeout,
    )  # fmt: skip


class _NoMemory:
    def recall(self, key: str) -> None:
        return None

    def remember(self, key: str, value: object) -> None:
        return None


def probe_mailbox(settings: Settings) -> None:
    """Check that the IMAP mailbox can be read, and leave it unchanged. Raises ``Away`` or ``NotNow`` if it cannot be
    read."""
    intake = ImapIntake(
        _imap_server(settings), settings.imap_folder, settings.imap_filed, settings.mail_since, _NoMemory()
    )
    try:
        intake.probe()
    finally:
        intake.close()


__all__ = [
    "Worker", "desk_on", "form_of", "mailbox_of", "open_desk", "outlet_of", "probe_mailbox", "rehearsal_of",
    "watcher_of",
]  # fmt: skip
