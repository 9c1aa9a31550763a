"""Tells systemd that the service has started, and that it still works: sd_notify(3), by datagrams to a Unix socket."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Mapping

log = logging.getLogger("railpost")

_APART = 1.0
"""Least seconds between two signs of life."""


class Supervisor:
    """The supervisor that ``environment`` names. Without one, nothing is sent. A datagram that cannot be sent is
    dropped, because the next one says the same; the first failure is logged."""

    def __init__(
        self, environment: Mapping[str, str] = os.environ, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        name = environment.get("NOTIFY_SOCKET", "")
        self._address = f"\0{name[1:]}" if name.startswith("@") else name
        whom = environment.get("WATCHDOG_PID")
        self._watches = bool(environment.get("WATCHDOG_USEC")) and (not whom or whom == str(os.getpid()))
        self._seconds, self._latest = seconds, float("-inf")
        self._failed = False

    def ready(self) -> None:
        """Say that the service has started."""
        self._tell("READY=1")

    def stopping(self) -> None:
        """Say that the service finishes its work and then ends."""
        self._tell("STOPPING=1")

    def alive(self) -> None:
        """Give a sign of life if the supervisor waits for signs, at most once a second. Call this only when work has
        really been done: a sign from a timer says nothing about the work."""
        now = self._seconds()
        if self._watches and now - self._latest >= _APART:
            self._latest = now
            self._tell("WATCHDOG=1")

    def _tell(self, state: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
                link.setblocking(False)
                link.sendto(state.encode(), self._address)
        except OSError as error:
            if not self._failed:
                log.warning("systemd cannot be told %s: %s", state, error)
            self._failed = True
