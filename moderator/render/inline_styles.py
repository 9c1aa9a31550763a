"""Inline the styles of HTML mails, so that mail programs apply them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from css_inline import CSSInliner


def styled(html: str) -> str:
    """``html`` with the rules of its ``<style>`` inlined into each element, because many mail programs ignore
    ``<style>``. At-rules, such as those for dark mode, cannot be inlined and stay. Nothing is loaded from elsewhere."""
    return _inliner().inline(html)


@cache
def _inliner() -> CSSInliner:
    from css_inline import CSSInliner  # here, because the words are also used in a browser, where there is none

    return CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
