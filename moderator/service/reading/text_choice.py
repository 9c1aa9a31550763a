"""Chooses the text to read in a mail, and notes what its writer should know about the choice."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from grammar import may_order
from moderator.domain.transcript import Note
from moderator.service.reading.extract import Extracted, extract
from moderator.service.reading.html_text import html_to_text
from moderator.service.reading.message import Malformed
from moderator.service.reading.parse import Kind, Parsed

_EXCUSE: Final = 600
"""The most characters of a plain text that only says that there is HTML."""
_NAMES_HTML: Final = re.compile(r"\bx?html\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Written:
    """The text of a mail. ``text`` is all of the part that was read; ``notes`` are about the mail. ``unread``:
    something in the mail cannot be read here, whatever else there is."""

    text: str
    extracted: Extracted
    notes: tuple[Note, ...] = ()
    unread: bool = False


def written(parsed: Parsed) -> Written:
    """The text that the mail's writer wrote. ``Malformed`` says why it cannot be known."""
    if parsed.fault is not None:
        raise parsed.fault
    kind, text, notes = _text(parsed)
    extracted = extract(text)
    if parsed.encrypted or extracted.encrypted:
        return Written(text, extracted, (("encrypted", {}),), unread=True)
    if parsed.reaction:
        return Written(text, extract(""), (("reaction", {}),))
    if parsed.charset_wrong:
        notes.append(("charset", {}))
    silent = not extracted.fences and not may_order(extracted.text)
    if parsed.rich and silent:  # the other text is a footer, or nothing
        kind, text, extracted = "plain", parsed.rich, _below(extracted, extract(parsed.rich))
        silent = not extracted.fences and not may_order(extracted.text)
    if parsed.attached and silent:
        kind, text, extracted = "attached", parsed.attached, _below(extracted, extract(parsed.attached))
        notes.append(("attached.read", {}))
    elif parsed.attached:
        notes.append(("attached.left", {}))
    if extracted.stray_press:
        notes.append(("press.outside", {}))
    if silent and kind != "attached":
        notes.extend(_why_empty(parsed))
    return Written(text, replace(extracted, damaged=kind in parsed.damaged), tuple(notes))


def _below(above: Extracted, below: Extracted) -> Extracted:
    """``below``, which is read in place of ``above``: words there that forbid or ask still count."""
    return replace(below, above=above.text)


def _text(parsed: Parsed) -> tuple[Kind, str, list[Note]]:
    """The text to read, with its kind and notes: the plain text, unless it is empty or only says that there is HTML."""
    plain, html = parsed.plain or "", parsed.html or ""
    if not plain.strip():
        return ("html", html_to_text(html), [("html_only", {})]) if html.strip() else ("plain", "", [])
    if not html.strip():
        return "plain", plain, []
    try:
        page = html_to_text(html)
    except Malformed:
        return "plain", plain, [("parts_differ", {})]
    said = _words(plain)
    if said == (shown := _words(page)):
        return "plain", plain, []
    if len(plain) < _EXCUSE and _NAMES_HTML.search(plain) and not set(said) <= set(shown):
        return "html", page, [("html_only", {})]
    quotes = any(line.lstrip().startswith(">") for line in plain.split("\n"))
    return "plain", plain, [] if quotes else [("parts_differ", {})]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _why_empty(parsed: Parsed) -> list[Note]:
    found: list[Note] = []
    if parsed.winmail:
        found.append(("winmail", {}))
    if parsed.forwarded:
        found.append(("forwarded", {}))
    if parsed.unread:
        found.append(("unread_parts", {"kinds": parsed.unread}))
    return found
