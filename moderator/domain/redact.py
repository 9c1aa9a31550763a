"""Takes out of a text what must be in no log: the secret words of addresses, and what looks like one.

Who reads logs, or gets alarms on a telephone, must not be able to play for somebody.
"""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = "***"
_ADDRESS: Final = re.compile(
    r"(?P<kept>[+.](?:[0-9a-z]{1,12}-\d{1,9}\.\d{1,4}|stop\.\d{1,9}|confirm|ok)\.)[0-9a-z.]{6,}", re.IGNORECASE
)
_TOKEN: Final = re.compile(r"(?<![0-9A-Za-z])(?=[2-7A-Za-z]*[2-7])[2-7A-Za-z]{20,}(?![0-9A-Za-z])")
"""Base 32, as all our secret words are written. Words of a language have no digits among their letters."""
_LETTERS: Final = re.compile(r"(?<![0-9A-Za-z])(?:[a-z]{26}|[A-Z]{26})(?![0-9A-Za-z])")
"""The same with no digit in it: the length tells."""
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])[0-9a-fA-F]{24,}(?![0-9A-Za-z])")
"""Names of our mails in their return paths, seeds, and digests of them."""
_PASSWORD: Final = re.compile(r"(?P<kept>\b(?:password|passwd|secret|seed)\b\s*[=:]\s*)\S+", re.IGNORECASE)
_URL: Final = re.compile(r"(?P<kept>\b[a-z][a-z0-9+.-]*://[^\s:/@]*:)[^\s@/]+(?=@)", re.IGNORECASE)


def redact(text: str) -> str:
    """``text`` without them; control characters become blanks, but for line ends."""
    for shape in (_ADDRESS, _PASSWORD, _URL):
        text = shape.sub(rf"\g<kept>{HIDDEN}", text)
    for shape in (_TOKEN, _LETTERS, _HEX):
        text = shape.sub(HIDDEN, text)
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)
