"""Colours of tiles, of values by phase and of runs, and legible letters for the colour of a company.

The colours of tiles differ even for people who cannot see red, green or blue (by at least 23 under CIE76 in each case),
and black text has a contrast of at least 4.5 on each. No information is given by colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from engine.core.data import CompanyData

FILLS: Final[Mapping[str, str]] = {
    "white": "#f3efe3", "yellow": "#fdd414", "green": "#8fd062", "brown": "#af735a", "gray": "#a6a7ab",
    "red": "#e32412", "blue": "#58bbec", "purple": "#cfc4ee",
}  # fmt: skip
"""Colour of a hex -> its fill."""
COLUMNS: Final[Mapping[str, str]] = {**FILLS, "white": "#ffffff", "black": "#333333"}
"""Column of values -> the fill of its box."""
WORDS: Final = "#141414"
"""Words on the paper beside a map or chart; nothing else has this colour."""
BORDER: Final = "#c95f00"
WALL: Final = "#8c1010"
CHANGED: Final = "#c2185b"
MARKED: Final = "#003fbf"
"""The frame of hexes that are marked, such as those where track may be laid."""
WATER: Final = "#1565a8"
EARTH: Final = "#6d4a2f"
LINES: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""The colours of runs, by train."""
DASHES: Final = ("", "13 6", "5 5", "12 4 4 4", "20 5", "8 4")
"""The dashes of runs, by train, so that they do not differ by colour alone."""
ZONES: Final = ("#cdebc9", "#dce9f7", "#fff2b3", "#f3d6e8", "#e6dcc8", "#d9d9d9")
LEAST_CONTRAST: Final = 4.5


@lru_cache(maxsize=512)
def luminance(color: str) -> float:
    """The relative luminance of ``#rrggbb`` (WCAG 2.2)."""
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    """The contrast of two colours, from 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def plain_color(color: str) -> str:
    """``color`` as ``#rrggbb``; middle grey if it is not a colour in hexadecimal."""
    text = color.lower()
    if len(text) == 4 and text.startswith("#"):
        text = "#" + "".join(c * 2 for c in text[1:])
    good = len(text) == 7 and text.startswith("#") and all(c in "0123456789abcdef" for c in text[1:])
    return text if good else "#777777"


def badge_colors(company: CompanyData) -> tuple[str, str]:
    """The colours of a company's badge and of its letters. The letters have the company's own colour if it is legible,
    otherwise black or white."""
    return legible(company.color, company.text_color)


def legible(color: str, text_color: str) -> tuple[str, str]:
    """A ground and the letters on it, which are black or white if ``text_color`` is not legible there."""
    ground, letters = plain_color(color), plain_color(text_color)
    if contrast(ground, letters) < LEAST_CONTRAST:
        letters = max(("#000000", "#ffffff"), key=lambda c: contrast(ground, c))
    return ground, letters
