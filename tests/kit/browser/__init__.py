"""Chromium for tests of what people see: Debian's own, without a network, with axe at hand (axe-core, MPL 2.0)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, Route, sync_playwright

from tests.kit.needs import lacking

AXE = Path(__file__).with_name("axe.min.js")
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
"""Standards that axe holds a page to."""
BROKEN_RULES = """async (options) => {
  const found = await axe.run(document, {...options, resultTypes: ["violations"]});
  return found.violations.map((rule) => [rule.id, rule.nodes.map((node) => node.html.slice(0, 200))]);
}"""
"""Each rule that the page breaks, with the elements. Much more is found of rules that it keeps; that stays where it
is."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser for as long as it is needed. The test is skipped where there is none, and fails in CI."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        lacking("Chromium is not installed: make test-deps")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Window:
    """A window that shows one document after the other and loads nothing from anywhere. A window for each would take
    four times as long: the browser starts a process for it and reads axe again."""

    def __init__(self, browser: Browser) -> None:
        self._page = browser.new_page()
        self._page.route("**/*", _refuse)

    def show(self, html: str, *, width: int, dark: bool = False, height: int = 844) -> Page:
        """The page with this content. Nothing of the one before is left in it but axe."""
        self._page.set_viewport_size({"width": width, "height": height})
        self._page.emulate_media(color_scheme="dark" if dark else "light")
        self._page.set_content(html)
        return self._page


def _refuse(route: Route) -> None:
    raise AssertionError(f"the page asks for {route.request.url}")


def violations(page: Page) -> list[str]:
    """Each rule of accessibility that the page breaks, with the first element that does."""
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=AXE)
    return [f"{rule}: {elements[0]}" for rule, elements in page.evaluate(BROKEN_RULES, RULES)]


def too_wide(page: Page) -> int:
    """Pixels by which the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
