"""A small HTTP server for one thing that mail cannot do: stopping mail with one click (RFC 8058). It also serves health
and figures to monitoring programs.

It speaks plain HTTP to a proxy in front of it, which has TLS and a public address. A GET changes nothing.

One thread reads all connections, so that a slow or silent client costs a few kilobytes and no thread. A request must be
complete within seconds; if too many are incomplete, the oldest is dropped for the newest. Only complete requests are
answered. A few threads do that, because answers come from the database.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus
from typing import Final

log = logging.getLogger("railpost")

_READ_SECONDS: Final = 5.0
"""Seconds for a request to arrive, header and body."""
_ANSWER_SECONDS: Final = 10.0
"""Seconds for an answer to be made."""
_WRITE_SECONDS: Final = 5.0
"""Seconds for the client to take an answer."""
_MOST_OPEN: Final = 256
"""Most open connections. A service of systemd may have 1,024 open files (deploy/railpost.service)."""
_LARGEST: Final = 16_384
"""Most bytes of a request's header, and of its body."""
_WORKERS: Final = 4
_MOST_WAITING: Final = 128
"""Most requests that are being answered or wait for it."""
_STOP_SECONDS: Final = 10.0
_PATH: Final = re.compile(r"/unsubscribe/([0-9a-z.]{1,64})", re.IGNORECASE)
_REQUEST: Final = re.compile(rb"([A-Z]{1,20}) (?:http://[^/ ]+)?(/[!-~]{0,2000}|\*) HTTP/1\.[01]")
"""The request line (RFC 9112 3): method, target, version."""
_FIELD: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*")
_END: Final = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer; ``body`` is sent in UTF-8."""

    status: int
    kind: str
    body: str


@dataclass(frozen=True, slots=True)
class Site:
    """The functions that answer requests. ``ask`` makes the page for a GET of an unsubscribe address; ``stop`` carries
    out a POST to it."""

    ask: Callable[[str], Answer]
    stop: Callable[[str], Answer]
    health: Callable[[], Answer]
    metrics: Callable[[], Answer]


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    path: str
    """The path without the query."""


class _Refused(Exception):
    """A request that cannot be served; ``answer`` says why."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.answer = Answer(status.value, "text/plain", f"{status.phrase.lower()}\n")


class HttpServer:
    """Serves ``site`` at ``address`` in threads of its own, from ``start`` to ``stop``. Raises ``OSError`` if it cannot
    listen there."""

    def __init__(self, address: str, site: Site) -> None:
        host, _, port = address.rpartition(":")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listening = socket.create_server((host.strip("[]"), int(port)), family=family, backlog=128)
        self.port: int = self._listening.getsockname()[1]
        self._site = site
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="railpost-http", daemon=True)
        self._workers = ThreadPoolExecutor(_WORKERS, "railpost-http")
        self._places = threading.BoundedSemaphore(_MOST_WAITING)
        self._open: dict[asyncio.StreamWriter, bool] = {}
        """Open connections, oldest first -> True while the request is incomplete."""
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None

    def start(self) -> None:
        self._thread.start()
        self._ready.wait(_STOP_SECONDS)

    def stop(self) -> None:
        if self._loop is not None and self._stopping is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join(_STOP_SECONDS)
        self._listening.close()
        self._workers.shutdown(wait=False, cancel_futures=True)

    async def _serve(self) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connected, sock=self._listening, limit=_LARGEST)
        self._ready.set()
        await self._stopping.wait()
        server.close()
        for writer in tuple(self._open):
            writer.transport.abort()

    # ---- a connection

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        began = time.monotonic()
        self._make_room()
        self._open[writer] = True
        try:
            request = await self._take(reader, writer)
            log.debug("http: %s %.3f s", request, time.monotonic() - began)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            log.debug("http: a request broke off")
        finally:
            writer.transport.abort()
            self._open.pop(writer, None)
            with suppress(OSError):
                await writer.wait_closed()

    def _make_room(self) -> None:
        """If there are too many connections, drop the oldest whose request is incomplete; if all are being answered,
        the oldest of all."""
        if len(self._open) >= _MOST_OPEN:
            oldest = next((writer for writer, reading in self._open.items() if reading), next(iter(self._open)))
            self._open.pop(oldest)
            oldest.transport.abort()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
        """Read a request and answer it. Returns only its method: paths of requests are secrets of seats and are not
        logged."""
        method = "?"
        try:
            async with asyncio.timeout(_READ_SECONDS):
                request = await _read(reader)
            method = request.method
            if writer in self._open:
                self._open[writer] = False
            answer = await self._answer(request)
        except _Refused as refused:
            answer = refused.answer
        async with asyncio.timeout(_WRITE_SECONDS):
            writer.write(_written(answer, with_body=method != "HEAD"))
            await writer.drain()
            writer.close()
            await writer.wait_closed()
        return method

    async def _answer(self, request: _Request) -> Answer:
        """The answer, made in one of the few threads reserved for answers."""
        make = _made(self._site, request)
        if not self._places.acquire(blocking=False):
            return _NOT_NOW

        def done(_: Future[Answer]) -> None:
            self._places.release()

        work = self._workers.submit(make)
        work.add_done_callback(done)
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                return await asyncio.wrap_future(work)
        except TimeoutError:
            log.warning("http: an answer took longer than %g s", _ANSWER_SECONDS)
        except Exception:  # for example the database is away: the client may ask again
            log.exception("a request could not be answered")
        return _NOT_NOW


_NOT_NOW: Final = Answer(503, "text/plain", "not now\n")


def _made(site: Site, request: _Request) -> Callable[[], Answer]:
    """The function that answers a request. Raises ``_Refused`` if there is none."""
    found = _PATH.fullmatch(request.path)
    if request.method not in _METHODS:
        raise _Refused(HTTPStatus.METHOD_NOT_ALLOWED)
    if found:
        token = found[1].lower()
        return lambda: site.stop(token) if request.method == "POST" else site.ask(token)
    if request.method != "POST" and request.path == "/health":
        return site.health
    if request.method != "POST" and request.path == "/metrics":
        return site.metrics
    raise _Refused(HTTPStatus.NOT_FOUND)


# ---- HTTP


async def _read(reader: asyncio.StreamReader) -> _Request:
    """Read a whole request. Its body is read and ignored, because a POST needs no further data. Raises ``_Refused`` if
    it is too large or not a request."""
    try:
        first, *lines = (await reader.readuntil(_END)).removesuffix(_END).split(b"\r\n")
    except asyncio.LimitOverrunError as error:
        raise _Refused(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE) from error
    request, fields = _REQUEST.fullmatch(first), [_FIELD.fullmatch(line) for line in lines]
    if request is None or None in fields:
        raise _Refused(HTTPStatus.BAD_REQUEST)
    values = {(field[1].lower(), field[2]) for field in fields if field is not None}
    if any(name == b"transfer-encoding" for name, _ in values):
        raise _Refused(HTTPStatus.LENGTH_REQUIRED)
    sizes = [value for name, value in values if name == b"content-length"]
    if len(sizes) > 1 or not all(re.fullmatch(rb"[0-9]+", size) for size in sizes):
        raise _Refused(HTTPStatus.BAD_REQUEST)
    if any(len(size) > 9 or int(size) > _LARGEST for size in sizes):
        raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    await reader.readexactly(int(sizes[0]) if sizes else 0)
    return _Request(request[1].decode("ascii"), request[2].decode("ascii").partition("?")[0])


def _written(answer: Answer, *, with_body: bool) -> bytes:
    body = answer.body.encode("utf-8", "replace")
    fields = {
        "Date": formatdate(usegmt=True),
        "Server": "Railpost",
        "Content-Type": f"{answer.kind}; charset=utf-8",
        "Content-Length": str(len(body)),
        **({"Allow": ", ".join(_METHODS)} if answer.status == HTTPStatus.METHOD_NOT_ALLOWED else {}),
        **_SAFE,
    }
    head = f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return head.encode("ascii") + b"\r\n" + (body if with_body else b"")


_METHODS: Final = ("GET", "HEAD", "POST")
_SAFE: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
    "Connection": "close",
}
