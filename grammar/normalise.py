"""Reduce the text of a mail to plain characters before it is read.

Quotation marks, dashes, spaces and digits of every kind become plain ones, and invisible characters are dropped.
Columns in error messages count characters of the normalised text, which answers also show.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_BREAKS: Final = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")

MOST_GROWTH: Final = 4
"""The maximum length of a normalised text, as a multiple of the original length."""
_PHRASES: Final = re.compile(
    "([\u3307\u3315-\u3317\u3319\u331a\u3320\u332b\u332e\u3332\u3334\u3336\u3347\u334a\u3356\u33ae\u33af\ufdfa\ufdfb])"
)
"""Characters that NFKC expands to more than four (U+FDFA to 18). No order needs one."""
_ACCENTS: Final = 30
"""The maximum number of accents kept in a row."""
_ACCENTS_LATER: Final = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")
"""Characters that become accents only under NFKC."""

_OWN: Final = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d", "-"),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u02b9\u02bb\u02bc\u00b4\u0060", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2044\u2215", "/"),
    "\u0131": "i",  # Turkish dotless i
    "\u0130": "I",  # and its dotted capital
}


def normalise(text: str) -> str:
    """``text`` in Unicode's NFKC form, with plain dashes, quotation marks, digits, spaces and line breaks, and without
    invisible marks (zero width, direction, soft hyphen). The function is idempotent.

    The result is at most ``MOST_GROWTH`` times as long, and the time is linear in the length: characters that stand
    for a whole phrase stay as they are, and at most ``_ACCENTS`` accents in a row are kept.
    """
    text = one_break(text)
    if text.isascii():
        return _CONTROLS.sub(" ", text).replace("`", "'")
    pieces = [piece if place % 2 else _plain_form(piece) for place, piece in enumerate(_PHRASES.split(text))]
    return "".join(pieces)


def _plain_form(text: str) -> str:
    while (plain := unicodedata.normalize("NFKC", _without_towers(text.translate(_TABLE)))) != text:
        text = plain
    return text


def _without_towers(text: str) -> str:
    """``text`` with at most ``_ACCENTS`` accents in a row. Unicode normalisation sorts a row in quadratic time, and no
    language needs more than a few (UAX 15, Stream-Safe Text Format)."""
    if not any(map(unicodedata.combining, text)) and _ACCENTS_LATER.isdisjoint(text):
        return text
    kept: list[str] = []
    run = 0
    for char in text:
        run = run + 1 if unicodedata.combining(char) or char in _ACCENTS_LATER else 0
        if run <= _ACCENTS:
            kept.append(char)
    return "".join(kept)


def one_break(text: str) -> str:
    """``text`` with every line ending replaced by a line feed."""
    return _BREAKS.sub("\n", text)


def _plain(char: str) -> str:
    if "!" <= char <= "~" and char != "`":
        return char
    if char in _OWN:
        return _OWN[char]
    if char == "\n":
        return char
    match unicodedata.category(char):
        case "Cf" | "Cs":
            return ""
        case "Zs" | "Zl" | "Zp" | "Cc":
            return " "
        case "Nd":
            return str(unicodedata.decimal(char))
    return "" if char in _UNSEEN else char


_UNSEEN: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {chr(n) for n in range(0xFE00, 0xFE10)}
"""Fillers and variation selectors: invisible, although Unicode classes them as letters or marks."""


class _Table(dict[int, str]):
    """A translation table: code point -> replacement, computed when it is first needed."""

    def __missing__(self, number: int) -> str:
        plain = _plain(chr(number))
        if len(self) < _KEPT:
            self[number] = plain
        return plain


_KEPT: Final = 20_000
"""The maximum number of characters that the table remembers: enough for everything that people write."""
_TABLE: Final = _Table()


def key(name: str) -> str:
    """The form in which names are compared: normalised, case-folded, with single spaces."""
    return " ".join(normalise(name).casefold().split())
