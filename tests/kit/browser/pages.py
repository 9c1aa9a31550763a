"""Pages in files as people open them: on a telephone or a desk, with a finger or keys, with and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.sync_api import Browser, Page

from tests.kit.browser import AXE, BROKEN_RULES, RULES

PHONE: Final = (390, 844)
DESK: Final = (1200, 900)


@dataclass(frozen=True)
class Seen:
    """A page that is open, and everything that the browser said of it: errors, warnings, files that it did not get."""

    page: Page
    said: list[str] = field(default_factory=list)

    def violations(self) -> list[str]:
        """Each rule of accessibility that the page breaks as it is now, with the elements. The page's own policy lets
        no script in, so axe is not put into it."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate(BROKEN_RULES, {**RULES, "preload": False})
        return [f"{rule}: {elements}" for rule, elements in found]

    def width(self) -> int:
        """Pixels that the whole page is wide."""
        return int(self.page.evaluate("document.documentElement.scrollWidth"))

    def value(self, script: str, *given: Any) -> Any:
        return self.page.evaluate(script, *given)

    def stroke(self, begin: int, end: int, over: str) -> None:
        """A finger drawn to the side over the element ``over``; ``begin`` and ``end`` are pixels from the left."""
        box = self.page.locator(over).bounding_box()
        assert box is not None
        at = box["y"] + 20
        finger = self.page.context.new_cdp_session(self.page)
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": begin, "y": at}]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": end, "y": at + 5}]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@contextmanager
def visited(
    browser: Browser, url: str, size: tuple[int, int] = DESK, *, dark: bool = False, touch: bool = False,
    scripts: bool = True,
) -> Iterator[Seen]:  # fmt: skip
    """``url`` in a window of its own, without a network. ``touch``: as on a telephone. ``scripts``: its own may run."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        has_touch=touch,
        is_mobile=touch,
        java_script_enabled=scripts,
        offline=True,
    )
    try:
        page = context.new_page()
        seen = Seen(page)
        page.on("console", lambda message: seen.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: seen.said.append(str(error)))
        page.on("requestfailed", lambda request: seen.said.append(f"not got: {request.url}"))
        page.goto(url)
        yield seen
    finally:
        context.close()
