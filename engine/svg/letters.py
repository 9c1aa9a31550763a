"""The width of text, measured without a font: advances of the bold letters of narrow sans-serif fonts, in ems.

The table has for each letter the wider one of Lato Bold and Arial Bold, so that either fits where text was measured.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_GROUPS: Final = {
    0.28: "ijl.,:;'|!I ",
    0.34: "ft()-/[]·",
    0.40: 'r"*',
    0.50: "z",
    0.56: "acekosvxyJ«»_?",
    0.585: "0123456789+=<>≥≤–",
    0.615: "bdghnpquFLTZ",
    0.68: "EPSVXYö",
    0.73: "ABCDHKNRUÄ&",
    0.79: "GOQÖ",
    0.85: "wM",
    0.90: "m%",
    1.05: "W@—→",
}
_WIDTHS: Final = {letter: width for width, letters in _GROUPS.items() for letter in letters}
_MARKED: Final = {"á": "a", "à": "a", "â": "a", "ä": "a", "é": "e", "è": "e", "ê": "e", "í": "i", "ó": "o", "ö": "o",
                  "ő": "o", "ú": "u", "ü": "u", "ű": "u", "č": "c", "ř": "r", "š": "s", "ž": "z"}  # fmt: skip
_WIDE: Final = 1.0
"""Letters of other scripts: Hangul is 0.94 wide."""


@lru_cache(maxsize=4096)
def ems(text: str) -> float:
    """The width of a text in ems."""
    total = 0.0
    for letter in text:
        plain = _MARKED.get(letter, letter)
        width = _WIDTHS.get(plain)
        total += width if width is not None else 0.75 if ord(plain) < 0x500 else _WIDE
    return total


def width(text: str, size: float) -> float:
    """The width of a text at a size of the font."""
    return ems(text) * size


def fitting(text: str, room: float, most: float) -> float:
    """The size of the font at which a text takes no more than ``room``, at most ``most``."""
    wide = ems(text)
    return min(most, room / wide) if wide else most


@lru_cache(maxsize=1024)
def broken(text: str, lines: int) -> tuple[str, ...]:
    """A text in so many lines, broken between its words as evenly as can be; fewer if it has fewer words."""
    words = text.replace("/", "/ ").split()
    if lines >= len(words):
        return tuple(words)
    if lines == 1:
        return (text,)
    best: tuple[str, ...] = (text,)
    for cut in range(1, len(words)):
        head, rest = " ".join(words[:cut]), broken(" ".join(words[cut:]), lines - 1)
        if max(ems(line) for line in (head, *rest)) < max(ems(line) for line in best):
            best = (head, *rest)
    return best
