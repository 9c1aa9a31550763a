"""A slow telephone on a slow network: all threads of the pages get a part of the processor, and the host answers late.

Chromium's own means reach the page alone: neither the thread in which Python runs nor what it loads.
"""

from __future__ import annotations

import gzip
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser

LATENCY: Final = 0.17
"""Seconds until an answer begins, on the network that tests of pages call 4G."""
RATE: Final = 9_000_000 / 8
"""Bytes in a second, for all that is loaded together."""
_SLICE: Final = 0.01
"""Seconds for which a process runs before it stands still."""
_PACKED: Final = (".mjs", ".wasm", ".js", ".css", ".html", ".json", ".txt")
"""Endings of the files that a host compresses."""


class Far(SimpleHTTPRequestHandler):
    """A host at the other end of such a network, which compresses what is worth it."""

    protocol_version = "HTTP/1.1"
    _line = threading.Lock()

    def do_GET(self) -> None:
        time.sleep(LATENCY)
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        if not path.is_file():
            self.send_error(404)
            return
        packed = path.suffix in _PACKED
        content = _packed(path) if packed else path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(content)))
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        step = 16_384
        with suppress(ConnectionError):
            for at in range(0, len(content), step):
                with self._line:
                    time.sleep(len(content[at : at + step]) / RATE)
                self.wfile.write(content[at : at + step])

    def log_message(self, format: str, *args: Any) -> None:
        pass


@cache
def _packed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes())


@contextmanager
def slowed(browser: Browser, times: int) -> Iterator[None]:
    """Let the pages of ``browser`` run for one part in ``times`` of the time. Its own process is left alone."""
    over = threading.Event()
    session = browser.new_browser_cdp_session()
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    program = next(int(one["id"]) for one in found if one["type"] == "browser")

    def slow() -> None:
        while not over.is_set():
            pages = _pages_of(program)
            begun = time.perf_counter()
            time.sleep(_SLICE)
            _signal(pages, signal.SIGSTOP)
            time.sleep((time.perf_counter() - begun) * (times - 1))
            _signal(pages, signal.SIGCONT)

    thread = threading.Thread(target=slow, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _pages_of(program: int) -> list[int]:
    """The processes with pages among the descendants of the browser's process."""
    parents: dict[int, int] = {}
    pages: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            number = int(folder.name)
            parents[number] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if b"--type=renderer" in (folder / "cmdline").read_bytes():
                pages.append(number)
    return [page for page in pages if program in _ancestors(page, parents)]


def _ancestors(process: int, parents: dict[int, int]) -> Iterator[int]:
    while process in parents:
        process = parents[process]
        yield process


def _signal(processes: list[int], sign: signal.Signals) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, sign)
