"""Mail in folders on this machine, the embedded default. Each address has a Maildir, which mail programs can read."""

from __future__ import annotations

import mailbox
import os
import re
from collections.abc import Container, Iterator
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import compat32
from pathlib import Path

from moderator.adapters.files import make_private_folder
from moderator.adapters.message import Form, build
from moderator.domain.ports import Incoming, Lying, Never, NotNow, Outgoing

_NEW, _CUR = "new", "cur"
_HEAD = 65_536
"""Bytes that are kept of a message that is too large; they include its header."""
_LONGEST_PATH = 254
"""Longest return path (RFC 5321 4.5.3.1.3), without the angle brackets."""


def folder_for(root: Path, address: str) -> Path:
    """The Maildir of an address. ``NAME+anything@domain`` has that of ``NAME@domain``, as on mail servers. Raises
    ``Never`` if no folder can be named after the address."""
    local, _, domain = address.rpartition("@")
    plain = f"{local.split('+')[0]}@{domain}".lower()
    if not local or not domain or re.search(r"[^a-z0-9.@_-]|\.\.|^\.", plain):
        raise Never(f"no folder can be named after {address!r}")
    return root / plain


def open_folder(folder: Path) -> mailbox.Maildir:
    """The Maildir in ``folder``, created if there is none."""
    make_private_folder(folder.parent)
    return mailbox.Maildir(str(folder), create=True)


def deliver(root: Path, recipient: str, content: bytes, return_path: str = "") -> Path:
    """Put a message into the Maildir of ``recipient`` as a mail server would, with return path and recipient on top.
    Returns the path of its file. Raises ``NotNow`` if it cannot be written."""
    folder = open_folder(folder_for(root, recipient))
    head = f"Return-Path: <{return_path}>\r\nDelivered-To: {recipient}\r\n".encode()
    try:
        key = folder.add(head + content)
    except OSError as error:
        raise NotNow(str(error)) from error
    return root / folder_for(root, recipient).name / _NEW / key


class MaildirIntake:
    """Reads mail from ``new`` of a Maildir. A filed message moves to ``cur``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        open_folder(folder)

    @property
    def name(self) -> str:
        return f"maildir:{self._folder.name}"

    def waiting(self, largest: int, known: Container[str] = ()) -> Iterator[Incoming]:
        found = sorted(os.scandir(self._folder / _NEW), key=lambda e: (e.stat().st_mtime_ns, e.name))
        for entry in found:
            if entry.name.startswith(".") or entry.name in known or not entry.is_file():
                continue
            about = entry.stat()
            with Path(entry.path).open("rb") as file:
                content = file.read(largest if about.st_size <= largest else _HEAD)
            yield Incoming(
                reference=entry.name,
                received_at=datetime.fromtimestamp(about.st_mtime, UTC),
                size=about.st_size,
                content=content,
                envelope_from=return_path(content),
            )

    def count(self) -> Lying:
        messages = sum(1 for _ in self.waiting(1))
        return Lying(messages, messages)

    def probe(self) -> None:
        """Do nothing: the folder is on this machine."""

    def close(self) -> None:
        """Do nothing: there is no connection."""

    def file(self, reference: str, outcome: str) -> None:
        try:
            (self._folder / _NEW / reference).rename(self._folder / _CUR / f"{reference}:2,S")
        except FileNotFoundError:
            return


def return_path(content: bytes) -> str | None:
    """The return path that the delivering server wrote into the header; None if there is none. It is on top (RFC 5321
    4.4), but large providers put some kilobytes of seals and results above it."""
    top = content[:_HEAD].split(b"\n\n")[0].split(b"\r\n\r\n")[0]
    written = message_from_bytes(top, policy=compat32).get("Return-Path")
    found = None if written is None else str(written).strip().strip("<>").strip()
    return found if found is None or len(found) <= _LONGEST_PATH else None


class MaildirOutlet:
    """Sends a mail by putting it into the recipient's Maildir below ``root``."""

    def __init__(self, root: Path, form: Form = build) -> None:
        self._root, self._form = root, form

    def send(self, mail: Outgoing) -> None:
        deliver(self._root, mail.recipient, self._form(mail), mail.return_path)

    def probe(self) -> None:
        """Do nothing: the folder is on this machine."""

    def close(self) -> None:
        """Do nothing: there is no connection."""
