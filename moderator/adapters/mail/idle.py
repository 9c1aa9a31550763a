"""Watches for new mail on the IMAP server (IDLE, RFC 2177). It only hints to look now; regular polling goes on."""

from __future__ import annotations

import logging
import select
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from imaplib import IMAP4

from imapclient import IMAPClient

from moderator.adapters.mail.imap_session import Broken, close, connect, said
from moderator.adapters.mail.server import Backoff, Server
from moderator.domain.ports import Away

log = logging.getLogger("railpost")

_LASTED = 60.0
"""Seconds after which a connection counts as a good one: the next is made without a long pause."""


class IdleWatcher:
    """Watches ``folder`` over its own connection, and calls ``wake`` when something happens there.

    Every ``renew`` seconds it ends IDLE and begins it again. If the server does not answer within its time-out, closes
    the connection or sends half a line, the watcher drops the connection and makes another. The pauses grow while that
    fails.
    """

    def __init__(self, server: Server, folder: str, renew: float, wake: Callable[[], None]) -> None:
        self._server, self._folder, self._renew, self._wake = server, folder, renew, wake
        self._backoff = Backoff()
        self._stopping = threading.Event()
        self._client: IMAPClient | None = None
        self._thread = threading.Thread(target=self._run, name="railpost-idle", daemon=True)
        self.watching = threading.Event()
        """Set while the server is in IDLE."""
        self.connections = 0
        """Number of connections made so far."""

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        client = self._client
        if client is not None:
            close(client)
        self._thread.join(self._server.timeout + 1)

    def _run(self) -> None:
        while not self._stopping.is_set():
            began = time.monotonic()
            try:
                self._connected()
            except Unable:
                log.warning("mailbox at %s: the server offers no IDLE; it is looked into from time to time only",
                            self._server.host)  # fmt: skip
                return
            except Away as reason:  # the backoff is set already
                log.info("new mail cannot be watched for: %s", reason)
            except (IMAP4.error, *Broken) as error:
                self._pause_after(began, said(error))
            except Exception as error:  # nobody would notice that the thread died
                if self._stopping.is_set():  # ``stop`` closed the connection while it was being read
                    return
                log.exception("the watch for new mail failed")
                self._pause_after(began, said(error))
            finally:
                self.watching.clear()
                client, self._client = self._client, None
                if client is not None:
                    close(client)
            self._stopping.wait(self._backoff.left())

    def _pause_after(self, began: float, why: str) -> None:
        if self._stopping.is_set():
            return
        log.info("the watch for new mail broke off: %s", why)
        if time.monotonic() - began > _LASTED:
            self._backoff.worked()
        self._backoff.failed(why)

    def _connected(self) -> None:
        self._client = client = connect(self._server, self._backoff)
        self.connections += 1
        if not client.has_capability("IDLE"):
            raise Unable
        client.select_folder(self._folder, readonly=True)
        while not self._stopping.is_set():
            self._idle(client)

    def _idle(self, client: IMAPClient) -> None:
        """Run one IDLE from its beginning to its renewal."""
        client.idle()
        self.watching.set()
        # The server does not announce mail from before IDLE, or the announcement may lie unread in a buffer here.
        self._wake()
        until = time.monotonic() + self._renew
        while (left := until - time.monotonic()) > 0 and not self._stopping.is_set():
            if not _readable(client, left):
                continue
            # If the line is not complete within the time-out of the socket, the connection is given up.
            line: bytes = client._imap.readline()
            if not line:
                raise EOFError("the server ended the connection")
            if line.upper().startswith(b"* BYE"):
                raise EOFError(line.decode("ascii", "replace").strip())
            if line.startswith(b"*"):  # any kind: the next line, already in a buffer, may announce mail
                self._wake()
        self.watching.clear()
        client.idle_done()


class Unable(Exception):
    """The server does not offer IDLE."""


def _readable(client: IMAPClient, seconds: float) -> bool:
    sock = client.socket()
    pending = getattr(sock, "pending", None)
    if pending is not None and pending():
        return True
    poller = select.poll()
    with suppress(ValueError):  # closed by ``stop``
        poller.register(sock.fileno(), select.POLLIN)
        return bool(poller.poll(seconds * 1000))
    raise EOFError("the connection was closed")
