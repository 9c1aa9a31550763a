"""The parts that IMAP and SMTP share: the server's address, the login, and the pause before an absent server is tried
again."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from moderator.domain.ports import Away, Barred
from moderator.input_limits import LARGEST_SECRET, UnusableError, read_text


@dataclass(frozen=True, slots=True)
class Server:
    """A server and our account there. The password is not kept. It is read from its file at each login, so that it can
    change while the service runs and is in no dump of the process."""

    host: str
    port: int
    security: Literal["tls", "starttls", "none"]
    user: str = ""
    password_file: Path | None = None
    ca_file: Path | None = None
    timeout: float = 30.0
    """Seconds for each answer."""

    def password(self) -> str:
        """The first line of the password file; empty without one."""
        if self.password_file is None:
            return ""
        try:
            return read_text(self.password_file, LARGEST_SECRET).partition("\n")[0]
        except (OSError, UnusableError) as error:
            raise Away(f"the password for {self.host} cannot be read: {error}") from error

    def tls(self) -> ssl.SSLContext | None:
        """The TLS context for the connection; None without encryption."""
        if self.security == "none":
            return None
        try:
            return ssl.create_default_context(cafile=self.ca_file)
        except (OSError, ssl.SSLError) as error:
            raise Away(f"the certificates in {self.ca_file} cannot be read: {error}") from error


@dataclass(slots=True)
class Backoff:
    """Growing pauses before a server that is away is tried again: ``first`` seconds, then twice as long each time."""

    first: float = 0.5
    now: Callable[[], float] = time.monotonic
    _failures: int = 0
    _until: float = 0.0
    _why: str = field(default="")
    _kind: type[Away] = Away

    def check(self) -> None:
        """Raise ``Away`` while it is too early to try again."""
        if (left := self.left()) > 0:
            raise self._kind(f"{self._why} (not tried again for {left:.0f} s)")

    def left(self) -> float:
        """Seconds until the server may be tried again."""
        return max(0.0, self._until - self.now())

    def failed(self, why: str, longest: float = 30.0) -> Away:
        """Note that the server failed again, and return the error to raise. ``longest`` is the longest pause in
        seconds. With ``REFUSED`` or more, the server is there and refuses us."""
        pause = min(self.first * 2**self._failures, longest)
        self._failures = min(self._failures + 1, 30)
        self._until, self._why = self.now() + pause, why
        self._kind = Barred if longest >= REFUSED else Away
        return self._kind(why)

    def worked(self) -> None:
        """Note that the server works."""
        self._failures, self._until, self._why = 0, 0.0, ""


REFUSED: float = 300.0
"""Longest pause in seconds after a refused login: servers lock out whoever tries more often."""
QUOTA: float = 1800.0
"""Longest pause in seconds after the server said that we have sent enough for today."""
