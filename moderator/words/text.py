"""Format plain text for phones: break long lines, and remove control characters from text that others wrote."""

from __future__ import annotations

import re
import textwrap
import unicodedata

WIDTH = 72
VERBATIM = "\0"
"""Prefix of a line that ``fold`` does not break; ``fold`` removes it. ``clean`` removes it from text of others."""
MARK = "| "
"""Prefix of every line that shows an order, so that an order in a quoted mail is never read as one."""

_GAPS = re.compile(r"\n{3,}")
_WORDS = re.compile(r"`[^`]{,36}`")
"""Words to write, short enough to stand on one line."""
_GLUE = "\1"
"""Stands for a space at which no line is broken."""


def clean(text: str) -> str:
    """``text``, which somebody else wrote, as one line without control and direction characters."""
    kept = (" " if c in "\t\n\r\u2028\u2029" else c for c in text)
    return "".join(c for c in kept if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn")).strip()


def fold(text: str, width: int = WIDTH) -> str:
    """``text`` with every line over ``width`` broken at spaces. Continuations of an indented line, or of one that
    begins with ``Name:``, are indented by two more spaces. Words such as addresses stay whole, and so do short words to
    write, in backticks. Several blank lines become one."""
    lines = [piece for line in text.splitlines() for piece in _fold_line(line, width)]
    return _GAPS.sub("\n\n", "\n".join(line.rstrip(" \t") for line in lines)).strip("\n") + "\n"


def verbatim(text: str) -> str:
    """``text`` marked so that ``fold`` does not break its lines: a record copied out of a mail can then be replayed."""
    return "\n".join(VERBATIM + line for line in text.splitlines())


def _fold_line(line: str, width: int) -> list[str]:
    if line.startswith(VERBATIM):
        return [line.removeprefix(VERBATIM)]
    if len(line) <= width:
        return [line]
    if line.startswith(MARK):
        order, slashes, note = line.partition(" // ")
        if not slashes:
            return [line]
        return [order.rstrip(), *_wrap(note, f"{MARK}    // ", f"{MARK}    // ", width)]
    body = line.lstrip(" ")
    indent = line[: len(line) - len(body)]
    listed = indent or ": " in body[:30]
    return _wrap(body, indent, indent + "  " if listed else "", width)


def _wrap(body: str, first: str, later: str, width: int) -> list[str]:
    glued = _WORDS.sub(lambda found: found[0].replace(" ", _GLUE), body)
    lines = textwrap.wrap(
        glued, width, initial_indent=first, subsequent_indent=later, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(_GLUE, " ") for line in lines] or [first.rstrip()]
