"""Limits on the size of a record in our own text. They are checked before any of it is read.

The largest record of a real game has 110,000 characters in 4,000 lines, with 1,300 orders and 45 tags.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import Final

from moderator.bounded import whole_characters
from moderator.domain.tags import Fault

LONGEST: Final = 2_000_000
"""Characters of a record, also once compatibility characters are taken apart (Unicode's NFKC)."""
MOST_LINES: Final = 80_000
"""Lines and semicolons, each of which may begin an order."""
MOST_ORDERS: Final = 20_000
"""Of thousands of games of chance, the longest, in which players sold each other the same papers again and again, had
12,166."""
MOST_TAGS: Final = 1_000
MOST_FAULTS: Final = 100
"""So many are told."""
_MOST_MARKS: Final = 30
"""Marks on one letter (UAX #15, Stream-Safe Text Format). Sorting a long row of them takes the square of its length."""


def too_much(text: str) -> Fault | None:
    """The fault at the first limit that the text exceeds; None if it is within all limits."""
    if len(text) > LONGEST:
        return Fault(1, 1, f"{len(text)} characters; at most {LONGEST} are read")
    pieces = text.count("\n") + text.count(";") + 1
    if pieces > MOST_LINES:
        return Fault(1, 1, f"{pieces} lines and semicolons; at most {MOST_LINES} are read")
    tags = len(re.findall(r"^\s*\[", text, re.MULTILINE))
    if tags > MOST_TAGS:
        return Fault(1, 1, f"{tags} tags; at most {MOST_TAGS} are read")
    return None if text.isascii() else _odd(text)


def first_faults(faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    """The first faults; the next one is replaced by the number of those left out."""
    if len(faults) <= MOST_FAULTS:
        return faults
    following = faults[MOST_FAULTS]
    more = Fault(following.line, following.column, f"this and {len(faults) - MOST_FAULTS - 1} more")
    return (*faults[:MOST_FAULTS], more)


def _odd(text: str) -> Fault | None:
    """The fault of a text that only a machine writes: half a character, endless marks on one letter, or much longer
    when normalised. None if there is no such fault."""
    if not whole_characters(text):
        return Fault(1, 1, "half of a character (a surrogate), which is no text")
    grown = sum(len(unicodedata.normalize("NFKC", char)) * count for char, count in Counter(text).items())
    if grown > LONGEST:
        return Fault(1, 1, f"{grown} characters in plain form (NFKC); at most {LONGEST} are read")
    row = 0
    for place, char in enumerate(text):
        row = row + 1 if char > "\u02ff" and unicodedata.combining(char) else 0
        if row > _MOST_MARKS:
            return Fault(text.count("\n", 0, place) + 1, 1, f"more than {_MOST_MARKS} marks on one letter")
    return None
