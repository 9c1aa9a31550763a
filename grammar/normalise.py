"""Makes the text of a mail, as telephones write it, plain before it is read.

Quotation marks, dashes, spaces and digits of every kind become the plain ones; invisible characters are dropped.
Columns count in the result, and answers show it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_BREAKS: Final = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")

MOST_GROWTH: Final = 4
"""The longest that a normalised text can be, in lengths of the original."""
_PHRASES: Final = re.compile(
    "([\u3307\u3315-\u3317\u3319\u331a\u3320\u332b\u332e\u3332\u3334\u3336\u3347\u334a\u3356\u33ae\u33af\ufdfa\ufdfb])"
)
"""Characters that NFKC writes out as more than four (18 for U+FDFA). No order needs one."""
_ACCENTS: Final = 30
_ACCENTS_LATER: Final = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")
"""Accents only in the form that NFKC gives them."""

_OWN: Final = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d", "-"),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u02b9\u02bb\u02bc\u00b4\u0060", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2044\u2215", "/"),
    "\u0131": "i",  # Turkish dotless i
    "\u0130": "I",  # and its dotted capital
}


def normalise(text: str) -> str:
    """``text`` in Unicode's NFKC form with plain dashes, quotation marks, digits, spaces and line breaks, without
    marks that cannot be seen (zero width, direction, soft hyphen). Doing it twice changes nothing more.

    The result is at most ``MOST_GROWTH`` times as long, and the time grows with the length alone: characters that
    stand for a whole phrase are left as they are, and of the accents on one letter the first ``_ACCENTS`` are kept.
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
    """``text`` with at most ``_ACCENTS`` accents in a row. Unicode sorts them, in time that grows with the square of
    their number; no language needs more than a few (UAX 15, Stream-Safe Text Format)."""
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
    """``text`` with every line ending as a line feed."""
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
"""Fillers and variation selectors: letters or marks by category, but invisible."""


class _Table(dict[int, str]):
    """Maps the numbers of characters to their replacements; each is worked out when first needed."""

    def __missing__(self, number: int) -> str:
        plain = _plain(chr(number))
        if len(self) < _KEPT:
            self[number] = plain
        return plain


_KEPT: Final = 20_000
"""The number of characters to remember: enough for all that people write with."""
_TABLE: Final = _Table()


def key(name: str) -> str:
    """The form in which a name is compared: normalised, in small letters, with single spaces."""
    return " ".join(normalise(name).casefold().split())
