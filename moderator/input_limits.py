"""Files from outside the service, read within limits.

Size, nesting and number of values are checked before the expensive work, so that a hostile file costs no more than a
large real one. ``UnusableError`` names the limit and what was found.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
from pathlib import Path
from typing import Any, Final

LARGEST_RECORD: Final = 4_000_000
"""Bytes of a record in our own text; the largest real one has 110,000."""
LARGEST_EXPORT: Final = 4_000_000
"""Bytes of a game exported by 18xx.games; the largest real one has 230,000."""
LARGEST_ORDERS: Final = 1_000_000
"""Bytes of a file of orders; a whole game's have 22,000."""
LARGEST_FACTS: Final = 1_000_000
"""Bytes of a file of corrected facts; the largest that Railpost writes has 110,000."""
LARGEST_SETTINGS: Final = 100_000
"""Bytes of a file of settings; the example with every setting and its explanation has 7,500."""
LARGEST_SECRET: Final = 100_000
"""Bytes of a file with a password or a key."""
DEEPEST: Final = 32
"""Objects and lists of JSON within each other; an exported game has 7."""
MOST_VALUES: Final = 400_000
"""Commas and opening brackets of JSON, which are at least as many as its values; the largest real game has 19,000."""
LARGEST_NUMBER: Final = 10**15
"""Numbers of JSON are below it, so that nothing that is worked out from one is too long to be printed."""

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class UnusableError(ValueError):
    """Input from outside that cannot be used. ``line``, from 1, where that can be told."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


def read_bytes(path: Path, most: int) -> bytes:
    """All bytes of a file of at most ``most``. ``OSError`` if it cannot be read."""
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        size = status.st_size if stat.S_ISREG(status.st_mode) else 0
        content = b"" if size > most else file.read(most + 1)
    if size > most or len(content) > most:
        found = f"{size} bytes" if size else f"more than {most} bytes"
        raise UnusableError(f"has {found}; at most {most} are read")
    return content


def read_text(path: Path, most: int) -> str:
    """The text of a file of at most ``most`` bytes in UTF-8; every line ends in ``\\n``."""
    content = read_bytes(path, most)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnusableError(f"is not text in UTF-8: byte {error.start}, in line {line}") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_json(text: str) -> Any:
    """The value of a JSON text. Refused besides what is no JSON: deep nesting, too many values, a name given twice, a
    number that is not finite or has too many digits, and half a character."""
    found = text.count(",") + text.count("[") + text.count("{")
    if found > MOST_VALUES:
        raise UnusableError(f"has {found} commas and opening brackets; at most {MOST_VALUES} are read")
    depth, line = _depth(text)
    if depth > DEEPEST:
        raise UnusableError(f"has more than {DEEPEST} lists and objects within each other", line)
    try:
        data = json.loads(
            text,
            object_pairs_hook=_once,
            parse_int=_whole,
            parse_float=_broken,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        raise UnusableError(f"is not JSON: {error.msg}", error.lineno) from error
    if "\\u" in text and (half := _SURROGATE.search(json.dumps(data, ensure_ascii=False))):
        raise UnusableError(f"has half of a character, \\u{ord(half[0]):04x}")
    return data


def shortened(value: object, most: int = 60) -> str:
    """A value as it may stand in a message."""
    said = repr(value)
    return said if len(said) <= most else f"{said[:most]}..."


def whole_characters(text: str) -> bool:
    """True if the text has no half of a character (a surrogate), which could not be written to a file."""
    return _SURROGATE.search(text) is None


def _depth(text: str) -> tuple[int, int]:
    """The deepest nesting of lists and objects, and the line where it is. The search ends with the first that is too
    deep."""
    depth = deepest = place = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in ("[", "{"):
            depth += 1
            if depth > deepest:
                deepest, place = depth, token.start()
            if depth > DEEPEST:
                break
        elif mark in ("]", "}"):
            depth -= 1
    return deepest, text.count("\n", 0, place) + 1


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise UnusableError(f"gives {shortened(name)} twice in one object")
        found[name] = value
    return found


def _whole(digits: str) -> int:
    count = len(digits.lstrip("-"))
    if count >= len(str(LARGEST_NUMBER)):
        raise UnusableError(f"has a number of {count} digits; numbers are below {LARGEST_NUMBER}")
    return int(digits)


def _broken(digits: str) -> float:
    if len(digits) > 40 or not math.isfinite(number := float(digits)) or abs(number) >= LARGEST_NUMBER:
        raise UnusableError(f"has the number {shortened(digits)}; numbers are below {LARGEST_NUMBER}")
    return number


def _constant(name: str) -> float:
    raise UnusableError(f"has {name}, which is no number of JSON")
