"""A small HTTP server for one thing that mail cannot do: to stop mail with one click (RFC 8058). Health and figures
besides, for whoever watches the service.

It speaks plain HTTP to a proxy before it, which has TLS and an address in the world. Requests are bounded: few at once,
few bytes, few seconds; nothing follows from a GET.
"""

from __future__ import annotations

import logging
import re
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

log = logging.getLogger("railpost")

_SECONDS: Final = 10.0
"""For a whole request and its answer."""
_AT_ONCE: Final = 16
_LARGEST: Final = 16_384
"""Bytes of a request's header, and of its body."""
_PATH: Final = re.compile(r"/unsubscribe/([0-9a-z.]{1,64})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """``body`` in UTF-8."""

    status: int
    kind: str
    body: str


@dataclass(frozen=True, slots=True)
class Site:
    """What is served. ``ask`` makes the page for a GET of an unsubscribe address, and ``stop`` does what a POST to it
    asks for."""

    ask: Callable[[str], Answer]
    stop: Callable[[str], Answer]
    health: Callable[[], Answer]
    metrics: Callable[[], Answer]


class HttpServer:
    """Serves ``site`` at ``address`` in threads of its own, from ``start`` to ``stop``. ``OSError`` if it cannot."""

    def __init__(self, address: str, site: Site) -> None:
        host, _, port = address.rpartition(":")

        class Handler(_Handler):
            served = site

        class Server(_Server):
            address_family = socket.AF_INET6 if ":" in host else socket.AF_INET

        self._server = Server((host.strip("[]"), int(port)), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, name="railpost-http", daemon=True)
        self.port: int = self._server.server_address[1]

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(_SECONDS)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 32

    def __init__(self, *args: Any) -> None:
        self._places = threading.BoundedSemaphore(_AT_ONCE)
        super().__init__(*args)

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._places.acquire(blocking=False):  # nobody waits: the proxy may come again
            self.shutdown_request(request)
            return
        # However slowly a request comes or its answer is taken: the time of the whole is bounded.
        timer = threading.Timer(_SECONDS, _cut, (request,))
        timer.daemon = True
        timer.start()
        request.settimeout(_SECONDS)
        thread = threading.Thread(target=self._serve, args=(request, client_address, timer), daemon=True)
        thread.start()

    def _serve(self, request: Any, client_address: Any, timer: threading.Timer) -> None:
        try:
            self.process_request_thread(request, client_address)
        finally:
            timer.cancel()
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        log.debug("a request broke off")


def _cut(request: socket.socket) -> None:
    try:
        request.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


class _Bounded:
    """The beginning of what a client sends, and nothing after it."""

    def __init__(self, inner: Any, most: int) -> None:
        self._inner, self._left = inner, most

    def readline(self, size: int = -1) -> bytes:
        line: bytes = self._inner.readline(min(size if size >= 0 else self._left, self._left))
        self._left -= len(line)
        return line

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class _Handler(BaseHTTPRequestHandler):
    served: Site
    server_version = "Railpost"
    sys_version = ""
    protocol_version = "HTTP/1.0"  # one request a connection
    timeout = _SECONDS

    def setup(self) -> None:
        super().setup()
        self._began = time.monotonic()
        self.rfile = _Bounded(self.rfile, _LARGEST)  # type: ignore[assignment]

    def do_GET(self) -> None:
        path, site = self.path.partition("?")[0], self.served
        found = _PATH.fullmatch(path)
        if found:
            self._answer(lambda: site.ask(found[1].lower()))
        elif path == "/health":
            self._answer(site.health)
        elif path == "/metrics":
            self._answer(site.metrics)
        else:
            self._answer(lambda: Answer(404, "text/plain", "not found\n"))

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        found = _PATH.fullmatch(self.path.partition("?")[0])
        if not found:
            self._answer(lambda: Answer(404, "text/plain", "not found\n"))
            return
        try:
            size = int(self.headers.get("Content-Length") or 0)
        except ValueError:
            size = -1
        if not 0 <= size <= _LARGEST:
            self._answer(lambda: Answer(413, "text/plain", "too large\n"))
            return
        self.rfile.read(size)  # that it is a POST says everything
        self._answer(lambda: self.served.stop(found[1].lower()))

    def _answer(self, make: Callable[[], Answer]) -> None:
        try:
            answer = make()
        except Exception:  # the database is away: whoever asked may ask again
            log.exception("a request could not be answered")
            answer = Answer(503, "text/plain", "not now\n")
        body = answer.body.encode("utf-8", "replace")
        self.send_response(answer.status)
        self.send_header("Content-Type", f"{answer.kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in _SAFE.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Addresses of requests are secrets of seats: they are in no log."""
        spent = time.monotonic() - self._began
        log.debug("http: %s %.3f s", self.command, spent)


_SAFE: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
    "Connection": "close",
}
