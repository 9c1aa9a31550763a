"""Outgoing mail through an SMTP server, in one transaction for each recipient.

Refusals are distinguished by their scope: one recipient or one mail (``Never``, ``NotNow``), or all mail that we might
send (``Away``). If it is in doubt whether a mail was sent, it is sent again with the same Message-ID.
"""

from __future__ import annotations

import asyncio
import re
import threading
from concurrent.futures import TimeoutError as TooSlow
from contextlib import suppress
from datetime import timedelta
from typing import Final

from aiosmtplib import SMTP
from aiosmtplib.errors import (
    SMTPAuthenticationError,
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
    SMTPTimeoutError,
)

from moderator.adapters.message import Form, build
from moderator.adapters.server import QUOTA, REFUSED, Backoff, Server
from moderator.domain.ports import Away, Never, NotNow, Outgoing

_IDLE: Final = 5.0
"""Seconds for which a connection is kept for the next mail."""
_SETTLE: Final = 0.02
"""Seconds for closed connections to be taken down."""
_PORTS: Final = {"tls": 465, "starttls": 587, "none": 25}
_CLOSING: Final = 421
_TOO_LARGE: Final = {"5.3.4", "5.2.3"}
_WAIT: Final = re.compile(r"\b(\d{1,5})\s*(s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b", re.IGNORECASE)
_GREYLISTED: Final = re.compile(r"gr[ea]ylist|try again later|come back later", re.IGNORECASE)
_GREYLIST_PAUSE: Final = timedelta(minutes=5)
_LONGEST_WAIT: Final = timedelta(hours=4)
_QUOTA: Final = re.compile(
    r"5\.4\.5\b|(daily|hourly)\b.{0,40}\b(quota|limit)|(quota|rate|sending|message) limit\b.{0,20}\bexceeded"
    r"|too many (messages|mails|emails) (sent|today|from your account)",
    re.IGNORECASE,
)
"""Replies that say that our account has sent as much as it may. No mail is at fault."""
_MAILBOX: Final = re.compile(r"\b[45]\.2\.[0-4]\b")
"""Replies about the recipient's own mailbox (RFC 3463 3.3), which may be over a quota, too."""
_OURSELVES: Final = re.compile(
    r"relay(ing)? (access )?(denied|not (permitted|allowed))|unable to relay|authentication (is )?(required|failed)"
    r"|not authenticated|must (be )?authenticated?|5\.7\.(30|8|57)\b|client (was )?not authenticated",
    re.IGNORECASE,
)
"""Refusals that name a recipient but mean our account: nobody would get any mail from it."""


class SmtpOutlet:
    """An account at an SMTP server. ``local_name`` is the name that we give in EHLO."""

    def __init__(
        self, server: Server, local_name: str, backoff: Backoff | None = None, form: Form = build
    ) -> None:  # fmt: skip
        self._server, self._local_name, self._form = server, local_name, form
        self._backoff = backoff or Backoff()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="railpost-smtp", daemon=True)
        self._thread.start()
        self._client: SMTP | None = None
        self._leaving: asyncio.TimerHandle | None = None
        self._one = asyncio.Lock()
        """Held while a mail or a probe uses the connection."""
        self.connections = 0
        """Number of connections made so far."""

    def send(self, mail: Outgoing) -> None:
        content = self._form(mail)
        work = asyncio.run_coroutine_threadsafe(self._send(mail, content), self._loop)
        try:
            work.result(self._server.timeout * 8)  # each step has its own time-out, too
        except TooSlow:
            work.cancel()
            raise self._backoff.failed(f"{self._server.host} is too slow") from None

    def probe(self) -> None:
        """Check that mail can be sent: connect, log in, and get a positive answer. Raises ``Away`` with the reason if
        it cannot."""
        work = asyncio.run_coroutine_threadsafe(self._probe(), self._loop)
        try:
            work.result(self._server.timeout * 4)
        except TooSlow:
            work.cancel()
            raise self._backoff.failed(f"{self._server.host} is too slow") from None

    async def _probe(self) -> None:
        async with self._one:
            try:
                await (await self._ready()).noop()
            except (SMTPException, OSError) as error:
                self._drop()
                raise self._backoff.failed(f"{self._server.host} broke off: {_said(error)}") from error

    def close(self) -> None:
        """Close the connection and end its thread."""
        with suppress(Exception):
            asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(self._server.timeout)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(self._server.timeout)
        self._loop.close()

    async def _send(self, mail: Outgoing, content: bytes) -> None:
        async with self._one:
            await self._try(mail, content)

    async def _try(self, mail: Outgoing, content: bytes) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
        used = self._client is not None and self._client.is_connected
        try:
            await self._transaction(await self._ready(), mail, content)
        except (SMTPServerDisconnected, SMTPTimeoutError, OSError) as error:
            self._drop()
            if used and isinstance(error, SMTPServerDisconnected):  # the connection ended between two mails
                await self._try(mail, content)
                return
            raise self._backoff.failed(f"{self._server.host} broke off: {_said(error)}") from error
        except Away:
            raise
        except (NotNow, Never):  # the server is there, though it refuses this mail
            self._backoff.worked()
            raise
        self._backoff.worked()
        self._leaving = self._loop.call_later(_IDLE, lambda: self._loop.create_task(self._leave()))

    # ---- the connection

    async def _ready(self) -> SMTP:
        if self._client is not None and self._client.is_connected:
            return self._client
        self._drop()
        self._backoff.check()
        server, where = self._server, f"{self._server.host}:{self._server.port or _PORTS[self._server.security]}"
        client = SMTP(
            hostname=server.host, port=server.port or _PORTS[server.security], local_hostname=self._local_name,
            timeout=server.timeout, use_tls=server.security == "tls", start_tls=server.security == "starttls",
            tls_context=server.tls(),
        )  # fmt: skip
        try:
            await client.connect()
            if server.user:
                await client.login(server.user, server.password())
        except Away:
            client.close()
            raise
        except SMTPAuthenticationError as error:
            client.close()
            raise self._backoff.failed(f"{where} refuses our login: {_said(error)}", REFUSED) from error
        except (SMTPException, OSError, ValueError) as error:
            client.close()
            raise self._backoff.failed(f"{where} cannot be reached: {_said(error)}") from error
        self.connections += 1
        self._client = client
        return client

    def _drop(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    async def _leave(self) -> None:
        client, self._client = self._client, None
        if client is not None and client.is_connected:
            with suppress(SMTPException, OSError):
                await client.quit()
            client.close()

    async def _end(self) -> None:
        """Leave like ``_leave``, and make sure that the connection is really closed, because the loop does not run
        after this."""
        if self._leaving is not None:
            self._leaving.cancel()
        transport = self._client.transport if self._client is not None else None
        await self._leave()
        if isinstance(transport, asyncio.WriteTransport):
            transport.abort()
        await asyncio.sleep(_SETTLE)

    # ---- one mail

    async def _transaction(self, client: SMTP, mail: Outgoing, content: bytes) -> None:
        options = []
        if not content.isascii():
            options.append("BODY=8BITMIME")
        if not (mail.recipient + mail.return_path).isascii():
            options.append("SMTPUTF8")
        for option in options:
            if not client.supports_extension(option.rpartition("=")[2].lower()):
                raise Never(f"{self._server.host} cannot carry this mail: it has no {option.rpartition('=')[2]}")
        try:
            await client.sendmail(mail.return_path, mail.recipient, content, mail_options=options)
        except SMTPRecipientsRefused as refused:
            raise self._refusal(refused.recipients[0]) from refused
        except SMTPResponseException as refused:
            raise self._refusal(refused) from refused
        except ValueError as error:  # the address would be more than an address on the wire
            raise Never(_said(error)) from error

    def _refusal(self, answer: SMTPResponseException) -> NotNow | Never:
        said = f"{answer.code} {_said(answer)}"
        if answer.code == _CLOSING:
            self._drop()
            return self._backoff.failed(f"{self._server.host} closes: {said}")
        if _QUOTA.search(said) and not _MAILBOX.search(said):
            self._drop()
            return self._backoff.failed(f"{self._server.host} takes no more from us today: {said}", QUOTA)
        if 400 <= answer.code < 500:
            return NotNow(said, _wait(said))
        if any(code in said for code in _TOO_LARGE) or (answer.code == 552 and not _OURSELVES.search(said)):
            return Never(said)
        if answer.code in {530, 535, 538} or isinstance(answer, SMTPSenderRefused) or _OURSELVES.search(said):
            self._drop()
            return self._backoff.failed(f"{self._server.host} takes nothing from us: {said}", REFUSED)
        return Never(said)


def _wait(said: str) -> timedelta | None:
    """The time to wait that the server gives; a few minutes for greylisting without one; otherwise None."""
    found = _WAIT.search(said)
    if found:
        unit = {"s": "seconds", "m": "minutes", "h": "hours"}[found[2][0].lower()]
        return max(timedelta(seconds=10), min(timedelta(**{unit: int(found[1])}), _LONGEST_WAIT))
    return _GREYLIST_PAUSE if _GREYLISTED.search(said) else None


def _said(error: BaseException) -> str:
    """The server's reply or the error's message, in one line of limited length."""
    text = error.message if isinstance(error, SMTPResponseException) else str(error) or type(error).__name__
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())[:300]
