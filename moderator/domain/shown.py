"""Makes text that others wrote fit for a terminal: characters that a terminal or a log viewer would obey are spelt out.

Escape sequences (ECMA-48) move the cursor, set the window's title, or answer as if somebody had typed. Bidirectional
controls (Unicode UAX 9) change the order in which a line reads. All of them use characters that print nothing, so every
such character is spelt out: ``\\x1b``, ``<U+202E>``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_PLAIN: Final = re.compile(r"[ -~\n\t]*")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of Unicode: controls, format, halves of characters, private, unassigned, separators of lines."""


def shown(text: str) -> str:
    """``text`` with everything in it visible. Line ends and tabs stay; CR LF becomes one line end."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(map(_visible, text.replace("\r\n", "\n")))


def in_line(text: str) -> str:
    """``text`` as in ``shown`` but in one line, for a cell of a table: line ends and tabs are spelt out as well."""
    return shown(text).replace("\n", "\\x0a").replace("\t", "\\x09")


@lru_cache(maxsize=4_096)
def _visible(char: str) -> str:
    if char in "\n\t" or unicodedata.category(char) not in _INVISIBLE:
        return char
    number = ord(char)
    return f"\\x{number:02x}" if number < 0x100 and unicodedata.category(char) == "Cc" else f"<U+{number:04X}>"
