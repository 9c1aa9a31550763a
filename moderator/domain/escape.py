"""Make text of others safe for a terminal: spell out characters that a terminal or a log viewer would obey.

Escape sequences (ECMA-48) move the cursor, set the window title or send answers as if somebody had typed. Bidirectional
controls (Unicode UAX 9) change the order in which a line reads. All of them consist of or begin with characters that
print nothing, so every such character is spelt out: ``\\x1b``, ``<U+202E>``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_PLAIN: Final = re.compile(r"[ -~\n\t]*")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories: control, format, surrogate, private use, unassigned, line and paragraph separators."""


def shown(text: str) -> str:
    """``text`` with all invisible characters spelt out, except line ends and tabs. CR LF becomes LF."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(map(_visible, text.replace("\r\n", "\n")))


def in_line(text: str) -> str:
    """``text`` as in ``shown`` but on one line, for a table cell: line ends and tabs are spelt out as well."""
    if text.isascii() and text.isprintable():
        return text
    return shown(text).replace("\n", "\\x0a").replace("\t", "\\x09")


def in_table(text: str) -> str:
    """``text`` for a cell of comma-separated values that a spreadsheet would otherwise work out as a formula: an
    apostrophe comes before it, as people write it there."""
    return f"'{text}" if text.startswith(_FORMULA) else text


@lru_cache(maxsize=4_096)
def _visible(char: str) -> str:
    if char in "\n\t" or unicodedata.category(char) not in _INVISIBLE:
        return char
    number = ord(char)
    return f"\\x{number:02x}" if number < 0x100 and unicodedata.category(char) == "Cc" else f"<U+{number:04X}>"
