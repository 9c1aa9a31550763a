"""The memory of Python that a visit to the desk leaves for the next one, taken from one browser and put into others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page

_PLACE: Final = "kept"
"""The folder beside the page that offers the memory."""
_PAGE: Final = '<!doctype html><html lang="en"><title>Memory</title><link rel="icon" href="data:,"></html>'
_PARTS: Final = ("memory", "files")
_KEEP: Final = """() => new Promise((done, broken) => {
  const keeper = new Worker("../worker.js", {type: "module", name: "keeper"});
  keeper.onerror = (event) => broken(new Error(event.message));
  keeper.onmessage = async ({data}) => {
    if (data.stage !== "kept") return;
    keeper.terminate();
    done((await caches.keys()).find((name) => name.startsWith("railpost-memory-")));
  };
})"""
"""Let the page's own thread keep the memory; the name under which it lies."""
_SAVE: Final = """async ([name, part]) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await (await (await caches.open(name)).match(`/${part}`)).blob());
  link.download = part;
  link.click();
}"""
_PUT: Final = """async ([name, parts]) => {
  const cache = await caches.open(name);
  await Promise.all(parts.map(async (part) => cache.put(`/${part}`, await fetch(part))));
}"""


def leave(browser: Browser, url: str, site: Path, folder: Path) -> None:
    """Write the memory that the page, hosted at ``url`` from ``site``, keeps in a browser into ``folder``."""
    (folder / "index.html").write_text(_PAGE)
    offered = site / _PLACE
    offered.symlink_to(folder)
    page = browser.new_page()
    try:
        page.goto(f"{url}{_PLACE}/index.html")
        name = page.evaluate(_KEEP)
        assert name, "no memory was kept"
        for part in _PARTS:
            with page.expect_download() as found:
                page.evaluate(_SAVE, [name, part])
            found.value.save_as(folder / part)
        (folder / "name").write_text(name)
    finally:
        page.context.close()
        offered.unlink()


@dataclass(frozen=True)
class Memory:
    """A memory in a folder that the page's host offers. ``name``: the name under which the page looks for it."""

    url: str
    name: str

    @classmethod
    def of(cls, url: str, site: Path, folder: Path) -> Memory:
        """The memory in ``folder``, for the page hosted at ``url`` from ``site``."""
        (site / _PLACE).symlink_to(folder)
        return cls(f"{url}{_PLACE}/index.html", (folder / "name").read_text())

    def put(self, page: Page) -> None:
        """Put it where the page of the desk would have left it."""
        page.goto(self.url)
        page.evaluate(_PUT, [self.name, list(_PARTS)])
