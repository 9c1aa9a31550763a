"""A connection to an IMAP server: logged in, with time-outs on every operation, and with the folders it needs."""

from __future__ import annotations

import logging
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from imaplib import IMAP4
from typing import Any, Final

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, ProtocolError

from moderator.adapters.mail.server import REFUSED, Backoff, Server
from moderator.domain.ports import Away, NotNow

Broken: Final = (IMAPClientAbortError, ProtocolError, OSError, EOFError)
"""Errors that make a connection useless: it ended, it was silent too long, or the other end does not speak IMAP."""
_KEEPALIVE_SECONDS = 60
logging.getLogger("imapclient").setLevel(logging.WARNING)  # lower levels log what goes over the wire


def connect(server: Server, backoff: Backoff) -> IMAPClient:
    """Connect, encrypt as configured, and log in. Raises ``Away`` with the step that failed, and tells ``backoff``."""
    try:
        context, password = server.tls(), server.password()
    except Away as reason:
        raise backoff.failed(str(reason)) from reason
    try:
        client = _greeted(server, context)
    except (IMAP4.error, *Broken) as error:
        raise backoff.failed(f"{_where(server)} cannot be reached: {said(error)}") from error
    try:
        if server.user:
            login(client, server.user, password)
    except Broken as error:
        close(client)
        raise backoff.failed(f"{_where(server)} broke off at login: {said(error)}") from error
    except IMAP4.error as error:
        close(client)
        if isinstance(error.__context__, Broken):  # IMAPClient reports every failure as a refusal
            raise backoff.failed(f"{_where(server)} broke off at login: {said(error)}") from error
        raise backoff.failed(f"{server.host} refuses our login: {said(error)}", REFUSED) from error
    except BaseException:
        close(client)
        raise
    return client


def _port(server: Server) -> int:
    return server.port or (993 if server.security == "tls" else 143)


def _where(server: Server) -> str:
    return f"{server.host}:{_port(server)}"


def _greeted(server: Server, context: ssl.SSLContext | None) -> IMAPClient:
    client = IMAPClient(
        server.host, _port(server), ssl=server.security == "tls",
        ssl_context=context, timeout=SocketTimeout(connect=server.timeout, read=server.timeout),
    )  # fmt: skip
    client.normalise_times = False  # keep the zones of moments
    try:
        _keep_alive(client.socket())
        if server.security == "starttls":
            client.starttls(context)
    except BaseException:
        close(client)
        raise
    return client


def _keep_alive(sock: socket.socket) -> None:
    """Turn on TCP keepalive, so that a connection that a router has forgotten is noticed even if nothing is sent."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option in ("TCP_KEEPIDLE", "TCP_KEEPINTVL"):
        if hasattr(socket, option):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), _KEEPALIVE_SECONDS)


def login(client: IMAPClient, user: str, password: str) -> None:
    """Log in with SASL PLAIN if the server offers it, because it can carry every character; otherwise with LOGIN."""
    if client.has_capability("AUTH=PLAIN"):
        client.plain_login(user, password)
    else:
        client.login(user, password)


def close(client: IMAPClient) -> None:
    """Close the connection without a logout, because the other end may no longer answer."""
    with suppress(Exception):
        client.socket().shutdown(socket.SHUT_RDWR)
    with suppress(Exception):
        client.shutdown()


def said(error: BaseException) -> str:
    """The error's message in one line, without control characters and of limited length."""
    text = str(error) or type(error).__name__
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:300]


@contextmanager
def refusals() -> Iterator[None]:
    """Turn the server's NO and BAD answers into ``NotNow``. Errors of a broken connection pass unchanged."""
    try:
        yield
    except Broken:
        raise
    except IMAP4.error as error:
        raise NotNow(said(error)) from error


class Folders:
    """The folders of a connection, created when they are missing. A name is given as its parts."""

    def __init__(self, client: IMAPClient) -> None:
        self._client = client
        self._there: set[str] = set()
        self._prefix, self._separator = _personal(client)

    def name(self, *parts: str) -> str:
        """The server's name of a folder below our own namespace."""
        return self._prefix + self._separator.join(parts)

    def ensure(self, *parts: str) -> str:
        """The name of the folder, created if it is missing. Raises ``NotNow`` if the server refuses."""
        name = self.name(*parts)
        if name not in self._there:
            with refusals():
                if not self._client.folder_exists(name):
                    self._create(name)
            self._there.add(name)
        return name

    def _create(self, name: str) -> None:
        try:
            self._client.create_folder(name)
        except Broken:
            raise
        except IMAP4.error:
            if not self._client.folder_exists(name):  # otherwise another service was quicker
                raise
        with suppress(IMAPClientError):
            self._client.subscribe_folder(name)

    def forget(self) -> None:
        """Forget which folders exist, because somebody may have removed one."""
        self._there.clear()


def _personal(client: IMAPClient) -> tuple[str, str]:
    """Prefix and separator of our own folders, for example ``INBOX.`` and ``.``"""
    with suppress(IMAPClientError, IndexError, TypeError):
        if client.has_capability("NAMESPACE"):
            prefix, separator = client.namespace().personal[0][:2]
            return _text(prefix), _text(separator) or "/"
    with suppress(IMAPClientError, IndexError, TypeError):
        return "", _text(client.list_folders("", "")[0][1]) or "/"
    return "", "/"


def _text(value: Any) -> str:
    return value.decode("ascii", "replace") if isinstance(value, bytes) else str(value or "")
