"""Mail as telephones write it, made plain before it is read.

Quotation marks, dashes, spaces and digits of every kind become the plain ones; what cannot be seen is dropped. The
result is what columns count in, and what an answer shows.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_BREAKS: Final = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")

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
    marks that cannot be seen (zero width, direction, soft hyphen). Doing it twice changes nothing more."""
    text = one_break(text)
    if text.isascii():
        return _CONTROLS.sub(" ", text).replace("`", "'")
    while (plain := unicodedata.normalize("NFKC", text.translate(_TABLE))) != text:
        text = plain
    return text


def one_break(text: str) -> str:
    """``text`` with all that ends a line as a line feed."""
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
"""Fillers and variation selectors: letters or marks by category, but nothing to see."""


class _Table(dict[int, str]):
    """What characters become, by their numbers, each found out when it is first met."""

    def __missing__(self, number: int) -> str:
        plain = _plain(chr(number))
        if len(self) < _KEPT:
            self[number] = plain
        return plain


_KEPT: Final = 20_000
"""Characters that are remembered: all that people write with, and few of those that only a machine sends."""
_TABLE: Final = _Table()


def key(name: str) -> str:
    """What a name is compared by: normalised, in small letters, with single spaces."""
    return " ".join(normalise(name).casefold().split())
