"""The desk in Chromium: built once, hosted on loopback, and looked at in windows that note all they ask for. Most have
the memory of Python that an earlier visit has left, as most visits do: without it, Python takes longer to begin."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request, expect

from moderator.desk.build import PYODIDE, build
from tests.kit.browser.desk_memory import Memory
from tests.kit.browser.pages import DESK, Seen
from tests.kit.needs import lacking

PATIENCE: Final = 60_000
"""Milliseconds that a page may take to load Python, on a machine that does much else."""
expect.set_options(timeout=PATIENCE)


_KEPT: Final = """(async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("railpost-memory-"));
  return Boolean(names.length && await (await caches.open(names[0])).match("memory"));
})()"""
"""True if the page has kept the memory of Python: it is written last."""


def pyodide_package() -> Path:
    """Pyodide's package. The test is skipped where there is none, and fails in CI."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    package = cache / "railpost" / f"pyodide-{PYODIDE}.tgz"
    if not package.is_file():
        lacking(f"Pyodide {PYODIDE} is not in {package.parent}: make test-deps")
    return package


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


def built(folder: Path) -> None:
    """Build the page into ``folder``."""
    build(folder, pyodide_package())


@contextmanager
def hosted(folder: Path, host: type[SimpleHTTPRequestHandler] = _Quiet) -> Iterator[str]:
    """The page in ``folder``, hosted on loopback: its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(host, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class OpenDesk:
    """The page in a window. ``said``: errors and warnings; ``asked``: every address that was asked for."""

    page: Page
    context: BrowserContext
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def open(self, link: str, status: str = "Ready.") -> None:
        self.page.goto(link)
        self.stands(status)

    def follow(self, fragment: str) -> None:
        """Open another link in the same window. The page says the same when it has opened as it did before, so its
        status is emptied first."""
        self.page.evaluate(
            "(to) => { document.getElementById('status').textContent = ''; location.hash = to; }", fragment
        )
        self.stands("Ready.")

    def stands(self, text: str) -> None:
        """Wait until the line on what has happened last says ``text``."""
        expect(self.page.locator("#status")).to_have_text(text, timeout=PATIENCE)

    def find(self, path: str) -> Locator:
        return self.page.locator(path)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def mail(self) -> tuple[str, str, str]:
        """Address, subject and text of the mail that the link opens."""
        link = self.find("#write").get_attribute("href") or ""
        to, _, fields = link.removeprefix("mailto:").partition("?subject=")
        subject, _, body = fields.partition("&body=")
        return unquote(to), unquote(subject), unquote(body).replace("\r\n", "\n")

    def remembers(self) -> None:
        """Wait until the memory of Python is kept for the next visit."""
        for _ in range(PATIENCE // 250):
            if self.page.evaluate(_KEPT):
                return
            self.page.wait_for_timeout(250)
        raise AssertionError("no memory was kept")

    def violations(self) -> list[str]:
        return Seen(self.page).violations()


@contextmanager
def desk_in(
    browser: Browser, size: tuple[int, int] = DESK, *, dark: bool = False, script: str = "", errors: bool = False,
    memory: Memory | None = None,
) -> Iterator[OpenDesk]:  # fmt: skip
    """A window for the desk, as on a telephone if it is narrow. ``script`` runs before those of the page; ``memory``:
    an earlier visit has left it. At the end nothing may have been asked of another server, and nothing said in the
    console unless ``errors`` are expected."""
    touch = size[0] < 600
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light", has_touch=touch,
        is_mobile=touch,
    )  # fmt: skip
    try:
        page = context.new_page()
        if memory is not None:
            memory.put(page)
        if script:
            context.add_init_script(script)
        desk = OpenDesk(page, context)
        page.on("console", lambda message: desk.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: desk.said.append(str(error)))
        context.on("request", lambda request: _note(desk, request))
        yield desk
        assert errors or desk.said == []
        own = page.url.split("/")[2]
        assert {url.split("/")[2] for url in desk.asked} <= {own}, "another server was asked"
    finally:
        context.close()


def _note(desk: OpenDesk, request: Request) -> None:
    if not request.url.startswith(("data:", "blob:")):
        desk.asked.append(request.url)
