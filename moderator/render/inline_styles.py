"""Inline the styles of HTML mails, so that mail programs apply them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from css_inline import CSSInliner

from engine.core.title import Title
from moderator.words.texts import Words

_SAID: Final = re.compile(r">[^<>]+(?=<)")
"""The text between two tags."""


def mail_html(own: Words, name: str, /, **context: Any) -> str:
    """The HTML of the template ``name`` for a mail: facts are escaped, styles are inlined."""
    html, title = own.page(name, **context), context.get("title")
    if isinstance(title, Title):
        html = unbroken(html, tuple(name for name in map(str, title.companies) if "-" in name))
    return styled(html).strip() + "\n"


def unbroken(html: str, names: tuple[str, ...]) -> str:
    """``html`` in whose body no line ends within one of ``names``, which have hyphens."""
    if not names:
        return html
    head, body, rest = html.partition("<body")
    return head + body + _SAID.sub(lambda said: _names(names).sub(r'<span class="whole">\1</span>', said[0]), rest)


@cache
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?![\w-])")


def styled(html: str) -> str:
    """``html`` with the rules of its ``<style>`` inlined into each element, because many mail programs ignore
    ``<style>``. At-rules, such as those for dark mode, cannot be inlined and stay. Nothing is loaded from elsewhere."""
    return _inliner().inline(html)


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
