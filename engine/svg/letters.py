"""The width of text, computed from the advances of the shipped font, without reading the font."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.svg.advances import GROUPS

ADVANCES: Final = {letter: width / 100 for width, letters in GROUPS.items() for letter in letters}
"""Letter -> its width in ems, for every letter of the shipped font."""
_WIDE: Final = 1.0
"""The width assumed for letters of other scripts, in ems: Hangul is 0.94 wide."""


@lru_cache(maxsize=4096)
def ems(text: str) -> float:
    """The width of a text in ems."""
    return sum(ADVANCES.get(letter, _WIDE) for letter in text)


def width(text: str, size: float) -> float:
    """The width of a text at a font size."""
    return ems(text) * size


def fitting(text: str, room: float, most: float) -> float:
    """The largest font size, up to ``most``, at which a text is no wider than ``room``."""
    wide = ems(text)
    return min(most, room / wide) if wide else most


@lru_cache(maxsize=1024)
def broken(text: str, lines: int) -> tuple[str, ...]:
    """A text in this many lines, broken between words as evenly as possible; in fewer lines if it has fewer words."""
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
