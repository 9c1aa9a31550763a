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


def opened(browser: Browser, html: str, *, width: int, dark: bool = False, height: int = 844) -> Page:
    """A page with this content, in a window so wide, which loads nothing from anywhere."""
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light")

    def refuse(route: Route) -> None:
        raise AssertionError(f"the page asks for {route.request.url}")

    page.route("**/*", refuse)
    page.set_content(html)
    return page


def violations(page: Page) -> list[str]:
    """Each rule of accessibility that the page breaks, with the first element that does."""
    page.add_script_tag(path=AXE)
    found = page.evaluate("rules => axe.run(document, rules)", RULES)
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]


def too_wide(page: Page) -> int:
    """Pixels by which the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
