"""Mail in folders on this machine, the embedded default. Each address has a Maildir, which mail programs can read."""

from __future__ import annotations

import errno
import mailbox
import os
import re
import stat
from collections.abc import Container, Iterator, Mapping
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import compat32
from pathlib import Path
from typing import Final

from moderator.adapters.files import make_private_folder
from moderator.adapters.mail.message import Form, build
from moderator.domain.ports import Away, Incoming, Lying, Never, NotNow, Outgoing

_NEW, _CUR = "new", "cur"
_HEAD = 65_536
"""Bytes that are kept of a message that is too large; they include its header."""
_LONGEST_PATH = 254
"""Longest return path (RFC 5321 4.5.3.1.3), without the angle brackets."""
_OUR_OWN: Final = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""Errors that say nothing about the file that was to be opened: this process or the machine has no more to give."""


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
    """Reads mail from ``new`` of a Maildir. A filed message moves to ``cur``. An entry that is no file, has no name
    in UTF-8, or cannot be opened is skipped; a link is never followed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._skipped: dict[str, str] = {}
        """Why each entry cannot be read, by its name."""
        open_folder(folder)

    @property
    def name(self) -> str:
        return f"maildir:{self._folder.name}"

    @property
    def begun(self) -> bool:
        return True

    def waiting(self, largest: int, known: Container[str] = ()) -> Iterator[Incoming]:
        for name, about in self._files():
            if name in known:
                continue
            try:
                content = _beginning(self._folder / _NEW / name, largest if about.st_size <= largest else _HEAD)
            except FileNotFoundError:
                continue  # it was moved meanwhile
            except OSError as error:
                if error.errno in _OUR_OWN:
                    raise NotNow(str(error)) from error
                self._skipped[name] = _reason(error)
                continue
            self._skipped.pop(name, None)
            yield Incoming(
                reference=name,
                received_at=datetime.fromtimestamp(about.st_mtime, UTC),
                size=about.st_size,
                content=content,
                envelope_from=return_path(content),
            )

    def _files(self) -> list[tuple[str, os.stat_result]]:
        """The files in ``new`` by age, oldest first. Notes the entries that are none. Raises ``Away`` if the folder
        cannot be read."""
        found, skipped = [], dict[str, str]()
        try:
            with os.scandir(self._folder / _NEW) as entries:
                names = [entry.name for entry in entries if not entry.name.startswith(".")]
        except OSError as error:
            raise Away(f"{self._folder / _NEW}: {_reason(error)}") from error
        for name in names:
            try:
                about = (self._folder / _NEW / name).lstat()
            except FileNotFoundError:
                continue
            except OSError as error:
                skipped[name] = _reason(error)
                continue
            why = _unfit(name, about.st_mode)
            if why:
                skipped[name] = why
            else:
                found.append((name, about))
        there = {name for name, _ in found}
        self._skipped = skipped | {name: why for name, why in self._skipped.items() if name in there}
        return sorted(found, key=lambda one: (one[1].st_mtime_ns, one[0]))

    @property
    def skipped(self) -> Mapping[str, str]:
        return {_printable(name): why for name, why in self._skipped.items()}

    def count(self) -> Lying:
        messages = len(self._files())
        return Lying(messages, messages)

    def probe(self) -> None:
        """Check that the folder can be read."""
        self._files()

    def close(self) -> None:
        """Do nothing: there is no connection."""

    def file(self, reference: str, outcome: str) -> None:
        try:
            (self._folder / _NEW / reference).rename(self._folder / _CUR / f"{reference}:2,S")
        except FileNotFoundError:
            return
        except OSError as error:
            raise NotNow(str(error)) from error


def _unfit(name: str, mode: int) -> str:
    """Why an entry of that name and mode is no message; empty if it may be one."""
    if not stat.S_ISREG(mode):
        kinds = {stat.S_IFLNK: "a link, which is not followed", stat.S_IFDIR: "a folder"}
        return kinds.get(stat.S_IFMT(mode), "not a file")
    return "its name is not in UTF-8" if any("\ud800" <= c <= "\udfff" for c in name) else ""


def _printable(name: str) -> str:
    """The name with all bytes and characters that cannot be shown written as escapes."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _beginning(path: Path, size: int) -> bytes:
    """The first ``size`` bytes of a file that is no link. Raises ``OSError``. Does not wait, whatever the path has
    become."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        return file.read(size)


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


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
