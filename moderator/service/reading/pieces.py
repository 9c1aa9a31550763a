"""Joins the texts of a mail's parts into one, so that no text is read twice and none is left out.

Of the parts of an alternative (RFC 2046 5.1.4), each a form of the same text, one is read. All other parts follow each
other: mail programs cut a text in pieces around a picture, and lists add a footer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import Final

from grammar import CUT
from moderator.service.reading.html_text import html_to_text

_BREAK: Final = "<br>"
_LONGEST: Final = 400_000
"""The most characters of all pieces together, in both forms."""


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of a mail's text, in one form or in both; None in place of a form that it does not have."""

    plain: str | None = None
    html: str | None = None

    @property
    def blank(self) -> bool:
        return not (self.plain or "").strip() and not (self.html or "").strip()


_MORE: Final = f"{CUT} and more than is read]"
_CUT: Final = Text(_MORE, _MORE)
"""Stands for the pieces that are not read. It is not an order, so the mail is refused."""


def one_of(forms: Sequence[Sequence[Text]]) -> list[Text]:
    """The text whose forms are the parts of an alternative, each given as the pieces in it. The last form of a kind
    counts, because a program puts the best one last; one that has no text does not count if another has."""
    plain = [form for form in forms if form and all(text.plain is not None for text in form)]
    html = [form for form in forms if any(text.html is not None for text in form)]
    chosen = Text(_best(plain, _as_plain), _best(html, _as_html))
    return [] if chosen == Text() else [chosen]


def whole(texts: Sequence[Text]) -> Text:
    """The pieces as one text: in both forms if it was sent in both. ``Malformed`` if a piece that is only HTML has to
    be read with plain ones, and cannot be."""
    kept = _once(_within([text for text in texts if not text.blank])) or list(texts[:1])
    if len(kept) < 2:
        return kept[0] if kept else Text()
    if all(text.html is None for text in kept):
        return Text(_as_plain(kept))
    if all(not (text.plain or "").strip() for text in kept):
        return Text(html=_as_html(kept))
    return Text(_as_plain(kept), _as_html(kept))


def _within(texts: Sequence[Text]) -> list[Text]:
    """As many of ``texts`` as are read, and a mark in place of the others."""
    sizes = accumulate(len(text.plain or "") + len(text.html or "") for text in texts)
    count = sum(1 for size in sizes if size <= _LONGEST)
    return [*texts[: max(count, 1)], *([_CUT] if count < len(texts) and len(texts) > 1 else [])]


def unlike(texts: Sequence[str]) -> list[str]:
    """``texts`` without those that say the same as an earlier one."""
    found: dict[str, str] = {}
    for text in texts:
        found.setdefault(_said(text) or text, text)
    return list(found.values())


def _once(texts: Sequence[Text]) -> list[Text]:
    """``texts`` without copies of earlier ones. A piece of HTML that says the same as a plain one is another form of
    it, although the mail does not say so; if one of them says more, only that one counts."""
    if len(texts) < 2:
        return list(texts)
    kept: list[Text] = []
    known: list[tuple[str, str]] = []
    for text in texts:
        said = _said(text.plain or ""), _said(html_to_text(text.html or ""))
        if said in known and any(said):
            continue
        twin = next((n for n, other in enumerate(known) if _two_forms(said, other)), len(kept))
        merged = [text] if twin == len(kept) else [_fuller(text, said, kept[twin], known[twin])]
        kept[twin : twin + 1] = merged
        known[twin : twin + 1] = [(_said(merged[0].plain or ""), _said(html_to_text(merged[0].html or "")))]
    return kept


def _two_forms(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """True if of two pieces, each given as the words of its forms, one is all plain and the other all HTML, and one
    says all that the other says."""
    for (plain, no_html), (no_plain, html) in ((one, other), (other, one)):
        if plain and html and not no_html and not no_plain:
            return f" {plain} " in f" {html} " or f" {html} " in f" {plain} "
    return False


def _fuller(one: Text, said: tuple[str, str], other: Text, known: tuple[str, str]) -> Text:
    """Of two forms of a text the one that says more; both if they say the same."""
    mine, theirs = "".join(said), "".join(known)
    if mine == theirs:
        return Text(one.plain or other.plain, one.html or other.html)
    return one if len(mine) > len(theirs) else other


def _said(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _best(forms: Sequence[Sequence[Text]], joined: Callable[[Sequence[Text]], str]) -> str | None:
    written = [joined(form) for form in forms]
    return next((text for text in reversed(written) if text.strip()), written[-1] if written else None)


def _as_plain(texts: Sequence[Text]) -> str:
    read = [text.plain if (text.plain or "").strip() else html_to_text(text.html or "") for text in texts]
    return "\n".join(one or "" for one in read)


def _as_html(texts: Sequence[Text]) -> str:
    return _BREAK.join(text.html if text.html is not None else _paged(text.plain or "") for text in texts)


def _paged(plain: str) -> str:
    return f'<div style="white-space: pre">{escape(plain)}</div>'
