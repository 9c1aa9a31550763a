"""Text on colours: the one of black and white that can be read."""

from __future__ import annotations


def ink(color: str) -> str:
    """The colour of text on ``color`` (``#rrggbb``): black or white, whichever has more contrast, which is at least
    4.58 (WCAG 2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _parts(color)]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#000000" if (light + 0.05) ** 2 > 1.05 * 0.05 else "#ffffff"


def _parts(color: str) -> list[float]:
    """The red, green and blue parts of a colour, each from 0 to 1."""
    return [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
