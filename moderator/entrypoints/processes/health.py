"""The checks of ``railpost health``: the service, its servers and its files."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError

import engine
from moderator import render
from moderator.adapters.database import Database
from moderator.adapters.files import is_open_to_others
from moderator.adapters.mail.maildir import folder_for
from moderator.domain.ports import Away, NotNow, SystemClock
from moderator.domain.redaction import redact
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.processes.assembly import outlet_of, probe_mailbox
from moderator.service.desk import Desk
from moderator.service.games import Games, default_titles
from moderator.service.operation.health import Finding, State, findings, written
from moderator.service.people.journal import path_of
from moderator.settings import Settings

_WAIT_MS = 2_000
"""Milliseconds to wait for a locked database."""


def look(settings: Settings) -> list[Finding]:
    """All findings. The servers are asked and a row is written, but nothing that is missing is made."""
    found = [_room(settings)]
    desk = _desk(settings)
    if isinstance(desk, Finding):
        return [*found, _files(settings, ""), desk, *_servers(settings, None)]
    try:
        found += [written(desk), *findings(desk, engine.__version__)]
        copy = next((str(one.facts["file"]) for one in found if one.key == "backup"), "")
        found += [_files(settings, copy), *_servers(settings, desk)]
    finally:
        desk.database.close()
    return _once(found)


def _desk(settings: Settings) -> Desk | Finding:
    """The desk on an existing database, or the finding that says why it cannot be used. It does not wait long for
    locks, and it does not upgrade the database."""
    path = settings.database_path
    if path is not None and not path.is_file():
        return Finding("database", "red", {"why": _missing(settings, path)})
    database = Database(settings.database_url)
    event.listen(database.engine, "connect", _impatient)
    why = ""
    try:
        if not database.up_to_date():
            why = "its tables are of another version (`railpost run` upgrades it)"
    except (SQLAlchemyError, OSError) as error:
        why = str(getattr(error, "orig", None) or error)
    if why:
        database.close()
        return Finding("database", "red", {"why": why})
    return Desk(settings, database, Games(default_titles, vocabulary, 1), render, SystemClock())


def _missing(settings: Settings, path: Path) -> str:
    """The words for a database file that is not there. If a service has run here, a new file would be without its
    games."""
    if not path_of(settings).exists() and not path.with_name(f"{path.name}-wal").exists():
        return f"{path}: no such file (`railpost run` makes it)"
    return (
        f"{path}: the file is gone, but a service has run here. Do not start it: it would begin an empty database. "
        "Bring the file back, or restore the newest copy (`railpost restore`)"
    )


def _impatient(link: Any, _record: object) -> None:
    waits = "PRAGMA busy_timeout" if isinstance(link, sqlite3.Connection) else "SET lock_timeout"
    link.execute(f"{waits}={_WAIT_MS}")
    link.commit()


def _servers(settings: Settings, desk: Desk | None) -> list[Finding]:
    """Findings about the mailbox and outgoing mail, which are probed now."""
    return [
        _server("imap", settings.imap_host, lambda: _mailbox(settings, desk)),
        _server("smtp", settings.smtp_host, lambda: _way_out(settings)),
    ]


def _server(key: str, server: str, ask: Callable[[], str]) -> Finding:
    try:
        return Finding(key, "green", {"where": ask()})
    except (Away, NotNow, OSError, ValueError) as error:
        return Finding(key, "red", {"why": redact(str(error)), "server": server})


def _mailbox(settings: Settings, desk: Desk | None) -> str:
    if not settings.imap_host:
        return _folder(folder_for(settings.mail_folder, settings.address) / "new")
    probe_mailbox(settings)
    return settings.imap_host


def _way_out(settings: Settings) -> str:
    if not settings.smtp_host:
        return _folder(settings.mail_folder)
    outlet = outlet_of(settings)
    try:
        outlet.probe()
    finally:
        outlet.close()
    return settings.smtp_host


def _folder(folder: Path) -> str:
    if not folder.is_dir():
        raise OSError(f"{folder}: no such folder (`railpost run` makes it)")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OSError(f"{folder}: cannot be written")
    return str(folder)


def _room(settings: Settings) -> Finding:
    """Free disk space where the database is, or would be."""
    folder = settings.data
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    free = shutil.disk_usage(folder).free // 1_000_000
    state: State = "red" if free < settings.disk_free_mb else "green"
    return Finding("disk", state, {"free": free, "least": settings.disk_free_mb, "folder": str(settings.data)})


def _files(settings: Settings, copy: str) -> Finding:
    """The finding about files with secrets: ``look`` if anybody but the service's user can read one. ``copy`` is the
    path of the newest backup."""
    secret = [path_of(settings), *([Path(copy)] if copy else []), *sorted(settings.data.glob("before-restore-*.db"))]
    if (path := settings.database_path) is not None:
        secret = [path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"), *secret]
    lax = tuple(str(path) for path in secret if is_open_to_others(path))
    return Finding("files", "look" if lax else "green", {"files": lax})


def _once(found: list[Finding]) -> list[Finding]:
    """Report a server that does not answer now only once: leave out the running service's finding that it is away."""
    asked = {one.key for one in found if one.state == "red"}
    return [one for one in found if not (one.key.endswith("_away") and one.key.removesuffix("_away") in asked)]


def words_of(one: Finding) -> str:
    """The finding in one line, with what to do."""
    state = "green" if one.state == "green" else "red"
    return redact(render.health_words(f"{one.key}.{state}", one.facts))
