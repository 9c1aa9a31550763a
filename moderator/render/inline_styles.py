"""Inline the styles of HTML mails, so that mail programs apply them."""

from __future__ import annotations

from functools import cache
from typing import Any

from css_inline import CSSInliner

from moderator.words.texts import Words


def mail_html(own: Words, name: str, /, **context: Any) -> str:
    """The HTML of the template ``name`` for a mail: facts are escaped, styles are inlined."""
    return styled(own.page(name, **context)).strip() + "\n"


def styled(html: str) -> str:
    """``html`` with the rules of its ``<style>`` inlined into each element, because many mail programs ignore
    ``<style>``. At-rules, such as those for dark mode, cannot be inlined and stay. Nothing is loaded from elsewhere."""
    return _inliner().inline(html)


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
