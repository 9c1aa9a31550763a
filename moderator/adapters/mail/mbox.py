"""Mails in one file of the form ``mbox`` (RFC 4155), with lines that look like its separator quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

_SEPARATOR: Final = re.compile(rb"^(?=>*From )", re.MULTILINE)
_ADDRESS: Final = re.compile(r"[!-~]+@[!-~]+")
_NOBODY: Final = "MAILER-DAEMON@localhost"


@dataclass(frozen=True, slots=True)
class Kept:
    """A mail, the moment at which it came or was sent, and its sender."""

    at: datetime
    sender: str
    content: bytes


def write_mbox(mails: Iterable[Kept]) -> bytes:
    """The mails as a file, oldest first. Lines end with LF, and an empty line ends each mail. A line that begins with
    ``From ``, or with that already quoted, gets one more ``>``, so that the mails can be told apart and restored."""
    return b"".join(_entry(mail) for mail in sorted(mails, key=lambda mail: mail.at))


def _entry(mail: Kept) -> bytes:
    sender = mail.sender if _ADDRESS.fullmatch(mail.sender) else _NOBODY
    moment = mail.at.astimezone(UTC).strftime("%a %b %e %H:%M:%S %Y")
    lines = mail.content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").rstrip(b"\n")
    return f"From {sender} {moment}\n".encode("ascii") + _SEPARATOR.sub(b">", lines) + b"\n\n"
