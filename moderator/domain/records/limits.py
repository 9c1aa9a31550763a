"""Size limits of records in our own format, mostly checked before anything is parsed.

The largest record of a real game has 110,000 characters in 4,000 lines, with 1,300 orders and 45 tags.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import Final

from moderator.domain.records.tags import Fault
from moderator.input_limits import whole_characters

LONGEST: Final = 2_000_000
"""The maximum number of characters of a record, as written and after NFKC normalisation."""
MOST_LINES: Final = 80_000
"""The maximum number of lines and semicolons together; each may begin an order."""
MOST_ORDERS: Final = 20_000
"""The maximum number of orders of a record. The longest of thousands of random games had 12,166: players sold each
other the same papers again and again."""
MOST_TAGS: Final = 1_000
MOST_FAULTS: Final = 100
"""The maximum number of faults that are reported."""
_MOST_MARKS: Final = 30
"""The maximum number of combining marks on one letter (UAX #15, Stream-Safe Text Format). To sort a row of them takes
quadratic time."""


def too_much(text: str) -> Fault | None:
    """The fault for the first limit that ``text`` exceeds; None if it is within all limits."""
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
    """The first ``MOST_FAULTS`` faults. If there are more, one further fault gives the number of the others."""
    if len(faults) <= MOST_FAULTS:
        return faults
    following = faults[MOST_FAULTS]
    more = Fault(following.line, following.column, f"this and {len(faults) - MOST_FAULTS - 1} more")
    return (*faults[:MOST_FAULTS], more)


def _odd(text: str) -> Fault | None:
    """The fault of a text that no person writes: it has a lone surrogate, too many marks on one letter, or is too long
    after NFKC normalisation. None if there is no such fault."""
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
