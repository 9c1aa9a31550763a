"""Find the word that was probably meant by a mistyped one.

Words that look alike come first (``O`` for ``0``, a Cyrillic letter for a Latin one). Then come words that differ by a
typing slip: an extra, missing or wrong letter, or two neighbouring letters swapped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

_LOOKS: Final = str.maketrans(
    "olizsgbавекмнорстухіјѕԁԛԝαβεηικμνορτυχζ",
    "011256" + "8" + "a8ekmh0pctyx" + "1j5dqw" + "a8ehikmv0ptyxz",
)
_JOINED: Final = re.compile(r"([a-z]+)(\d.*)")
_ZEROS: Final = re.compile(r"(?<=[a-z])0+(?=[0-9])")
LONG: Final = 8
"""The number of letters of the shortest word that may have two slips."""
LONGEST: Final = 24
"""The number of letters of the longest word that is compared with others."""


def alike(word: str) -> str:
    """A form of ``word`` that is equal for all words that look the same, and for ``k09`` and ``k9``."""
    return _ZEROS.sub("", word.translate(_LOOKS))


def number_like(word: str) -> str | None:
    """The digits of the amount that ``word`` looks like (60 for ``6O`` and ``Go``); None if it looks like none."""
    digits = alike(word)
    return digits if digits.isascii() and digits.isdigit() and len(digits) <= 6 else None


def nearest(word: str, names: Mapping[str, str], fits: Callable[[str], bool]) -> str | None:
    """The printed name that was probably meant by ``word``; None if none is near, or if several are equally near and
    ``fits`` does not single one out. ``names``: name in lower case -> name as printed. ``fits`` returns True if the
    order can be read with a name; it is called only if several names are equally near."""
    word = word.casefold()
    if not word or len(word) > LONGEST:
        return None
    same = {printed for name, printed in names.items() if alike(name) == alike(word)}
    if same:
        return _only(same, fits)
    limit = 1 if len(word) <= 4 else 2
    by_distance: dict[int, set[str]] = {}
    for name, printed in names.items():
        if abs(len(name) - len(word)) <= limit:
            by_distance.setdefault(distance(word, name), set()).add(printed)
    for away in range(1, limit + 1):
        if away in by_distance:
            return _only(by_distance[away], fits)
    return None


def slips(word: str) -> set[str]:
    """``word`` itself and every form of it with one letter left out; for a long word also those with two left out. Two
    words that share such a form differ only by typing slips."""
    once = {word[:n] + word[n + 1 :] for n in range(len(word))} if 2 < len(word) <= LONGEST else set()
    if len(word) < LONG:
        return {word, *once}
    return {word, *once, *(one[:n] + one[n + 1 :] for one in once for n in range(len(one)))}


def parted(word: str, keywords: Iterable[str]) -> str | None:
    """A word with the missing space put in (``lay 8`` for ``lay8``); None if no keyword stands before the digits."""
    match = _JOINED.fullmatch(word.casefold())
    return f"{match[1]} {match[2]}" if match and match[1] in set(keywords) else None


def _only(found: set[str], fits: Callable[[str], bool]) -> str | None:
    if len(found) > 1:
        found = {name for name in sorted(found)[:12] if fits(name)}
    return found.pop() if len(found) == 1 else None


def distance(a: str, b: str) -> int:
    """The number of letters to insert, delete, change or swap with their neighbour to turn ``a`` into ``b`` (optimal
    string alignment distance)."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, y in enumerate(b, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, last[j - 2] + 1)
            row.append(best)
    return row[-1]
