"""Styles of HTML mails: written once, and put where mail programs obey them."""

from __future__ import annotations

from functools import cache

from css_inline import CSSInliner


def styled(html: str) -> str:
    """``html`` with the styles of its ``<style>`` at each element, because many programs leave that part out; rules for
    dark mode cannot stand at an element, and stay. Nothing is loaded from anywhere."""
    return _inliner().inline(html)


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
