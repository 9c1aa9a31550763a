"""DKIM signatures (RFC 6376) that the service makes itself if no mail server makes them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import dkim

from moderator.adapters.mail.message import build
from moderator.domain.ports import Outgoing
from moderator.input_limits import LARGEST_SECRET, UnusableError, read_bytes

_SIGNED: Final = (
    b"From", b"To", b"Reply-To", b"Subject", b"Date", b"Message-ID", b"In-Reply-To", b"References", b"Auto-Submitted",
    b"List-Id", b"List-Unsubscribe", b"List-Unsubscribe-Post", b"MIME-Version", b"Content-Type",
    b"Content-Transfer-Encoding",
)  # fmt: skip
"""Headers that are signed if they are present. RFC 8058 4: a one-click address counts only if both of its headers are
signed."""
_ONCE: Final = frozenset(
    {b"From", b"To", b"Reply-To", b"Subject", b"Date", b"Message-ID", b"List-Unsubscribe", b"Content-Type"}
)
"""Headers that are signed once more than they are present (RFC 6376 8.15). So nobody who has a mail can add another
such header and send it on under our signature."""


class BadKey(OSError):
    """The key file holds no key that can sign."""


class SignedForm:
    """Makes the bytes of a mail with a signature on top. Raises ``BadKey`` or another ``OSError`` if the key cannot be
    used."""

    def __init__(self, selector: str, domain: str, key_file: Path) -> None:
        self._selector, self._domain = selector.encode(), domain.encode()
        try:
            self._key = read_bytes(key_file, LARGEST_SECRET)
        except UnusableError as error:
            raise BadKey(f"{key_file}: {error}") from error
        try:
            self._sign(b"From: a@b.example\r\n\r\n")
        except Exception as error:  # the library raises many kinds of errors
            raise BadKey(f"{key_file}: {type(error).__name__}: {error}") from error

    def __call__(self, mail: Outgoing) -> bytes:
        content = build(mail)
        return self._sign(content) + content

    def _sign(self, content: bytes) -> bytes:
        there = {line.split(b":")[0].lower() for line in content.split(b"\r\n\r\n")[0].split(b"\r\n")}
        signature: bytes = dkim.sign(
            content, self._selector, self._domain, self._key, canonicalize=(b"relaxed", b"relaxed"),
            include_headers=[name for name in _SIGNED if name.lower() in there] + sorted(_ONCE),
        )  # fmt: skip
        return signature
