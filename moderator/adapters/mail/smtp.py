"""Outgoing mail through an SMTP server, in one transaction for each recipient.

Refusals are distinguished by their scope: one recipient or one mail (``Never``, ``NotNow``), or all mail that we might
send (``Away``). Only the server's own words count, not what it quotes from another server. A failure in the middle of a
mail is no proof that the server is away: it is ``Doubtful`` until a mail to another recipient fails, too. If it is in
doubt whether a mail was sent, it is sent again with the same Message-ID.
"""

from __future__ import annotations

import asyncio
import re
import threading
from concurrent.futures import TimeoutError as TooSlow
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

from aiosmtplib import SMTP, SMTPResponse
from aiosmtplib.errors import (
    SMTPAuthenticationError,
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
    SMTPTimeoutError,
)

from moderator.adapters.mail.message import Form, build
from moderator.adapters.mail.server import QUOTA, REFUSED, Backoff, Server
from moderator.domain.ports import Away, Doubtful, Never, NotNow, Outgoing

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
_OWN_STATUS: Final = re.compile(r"\d{3} ([245])\.(\d{1,3})\.\d{1,3}\b")
"""The server's own enhanced status code (RFC 3463). It stands at the beginning of the reply."""
_ADDRESSEE: Final = {"1", "2"}
"""Subjects of status codes that concern the recipient's address or mailbox."""
_QUOTED: Final = re.compile(
    r"[\"\u201c\u00ab]|\b(said|says|responded|replied|answered|reported|returned)\b|\bin reply to\b"
    r"|\b(remote|other|next|destination|upstream) (server|host|mta)\b|(?<=[\s(:])[245]\d\d[ -](?=[245]\.\d)",
    re.IGNORECASE,
)
"""The point of a reply from which the server may quote another server."""
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
        self._client: _Client | None = None
        self._leaving: asyncio.TimerHandle | None = None
        self._one = asyncio.Lock()
        """Held while a mail or a probe uses the connection."""
        self._failed_for = ""
        """The recipient for whom the server failed last, if it has not served anybody since."""
        self.connections = 0
        """Number of connections made so far."""

    def send(self, mail: Outgoing) -> None:
        content = self._form(mail)
        work = asyncio.run_coroutine_threadsafe(self._send(mail, content), self._loop)
        try:
            work.result(self._server.timeout * 8)  # each step has its own time-out, too
        except TooSlow:
            work.cancel()
            raise self._failed(mail, f"{self._server.host} is too slow") from None

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
            begun = self._client is not None and self._client.text_begun
            self._drop()
            if used and not begun and isinstance(error, SMTPServerDisconnected):  # it ended between two mails
                await self._try(mail, content)
                return
            failure = self._failed(mail, f"{self._server.host} broke off: {_said(error)}")
            failure.begun = begun
            raise failure from error
        except (Away, Doubtful):
            raise
        except (NotNow, Never):  # the server is there, though it refuses this mail
            self._served()
            raise
        self._served()
        self._leaving = self._loop.call_later(_IDLE, lambda: self._loop.create_task(self._leave()))

    def _served(self) -> None:
        self._backoff.worked()
        self._failed_for = ""

    def _failed(self, mail: Outgoing, why: str, longest: float | None = None) -> Doubtful | Away:
        """The error after a failure in the middle of a mail. One recipient or one text may be the reason, so the server
        counts as away only once two different recipients have met the failure in a row."""
        first, self._failed_for = self._failed_for, mail.recipient
        if first in ("", mail.recipient):
            return Doubtful(why)
        self._failed_for = ""
        return self._backoff.failed(why) if longest is None else self._backoff.failed(why, longest)

    # ---- the connection

    async def _ready(self) -> _Client:
        if self._client is not None and self._client.is_connected:
            return self._client
        self._drop()
        self._backoff.check()
        server, where = self._server, f"{self._server.host}:{self._server.port or _PORTS[self._server.security]}"
        client = _Client(
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

    async def _transaction(self, client: _Client, mail: Outgoing, content: bytes) -> None:
        options = []
        if not content.isascii():
            options.append("BODY=8BITMIME")
        if not (mail.recipient + mail.return_path).isascii():
            options.append("SMTPUTF8")
        for option in options:
            if not client.supports_extension(option.rpartition("=")[2].lower()):
                raise Never(f"{self._server.host} cannot carry this mail: it has no {option.rpartition('=')[2]}")
        client.text_begun = False
        try:
            await client.sendmail(mail.return_path, mail.recipient, content, mail_options=options)
        except SMTPRecipientsRefused as refused:
            raise self._refusal(mail, refused.recipients[0]) from refused
        except SMTPResponseException as refused:
            raise self._refusal(mail, refused) from refused
        except ValueError as error:  # the address would be more than an address on the wire
            raise Never(_said(error)) from error

    def _refusal(self, mail: Outgoing, answer: SMTPResponseException) -> NotNow | Never:
        said, host = f"{answer.code} {_said(answer)}", self._server.host
        own = _own_words(said)
        if answer.code == _CLOSING:
            self._drop()
            return self._failed(mail, f"{host} closes: {said}")
        if _QUOTA.search(own) and not _MAILBOX.search(own):
            self._drop()
            return self._failed(mail, f"{host} takes no more from us today: {said}", QUOTA)
        if 400 <= answer.code < 500:
            return NotNow(said, _wait(said))
        if any(code in said for code in _TOO_LARGE) or (answer.code == 552 and not _OURSELVES.search(own)):
            return Never(said)
        if answer.code in {530, 535, 538} or isinstance(answer, SMTPSenderRefused) or _OURSELVES.search(own):
            self._drop()
            return self._failed(mail, f"{host} takes nothing from us: {said}", REFUSED)
        return Never(said)


class _Client(SMTP):
    """A connection that knows whether it has begun to transmit the text of the present mail."""

    text_begun = False

    async def data(self, *args: Any, **kwargs: Any) -> SMTPResponse:
        self.text_begun = True
        return await super().data(*args, **kwargs)


def _own_words(said: str) -> str:
    """The part of a reply that the server says itself: what stands before a quotation. If its own status code concerns
    the recipient's address or mailbox, that code is all that counts."""
    status = _OWN_STATUS.match(said)
    if status is not None and status[2] in _ADDRESSEE:
        return status[0]
    quoted = _QUOTED.search(said, 4)
    return said if quoted is None else said[: quoted.start()]


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
