"""All colours of a title's pictures."""

from __future__ import annotations

from functools import lru_cache

from engine.core.title import Title
from engine.svg import colors
from engine.svg.dark import EMPTY, INK, PAPER
from engine.svg.track import BLACK, WHITE

_MIXED = (BLACK, *colors.FILLS.values(), colors.CHANGED, colors.MARKED)
"""The colours of most shapes with edges."""
_OTHERS = (
    *colors.COLUMNS.values(), colors.WORDS, colors.BORDER, colors.WALL, colors.WATER, colors.EARTH, *colors.LINES,
    *colors.ZONES, WHITE, "#000000", "#333333", "#444444", "#555555", "#777777", "#8a8a8a", "#8d8f94", "#b5bac2",
)  # fmt: skip
_DARK = (EMPTY, INK, PAPER)


def inks(title: Title) -> tuple[str, ...]:
    """Every colour that the pieces of a title's maps, charts and sheets of lays name, on light or dark paper; first
    those of which most shapes are."""
    companies = tuple(dict.fromkeys((company.color, company.text_color) for company in title.companies.values()))
    return _inks(tuple(title.drawing.colors.values()), tuple(title.chart.tints.values()), companies)


@lru_cache(maxsize=32)
def _inks(own: tuple[str, ...], tints: tuple[str, ...], companies: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    badges = (color for pair in companies for color in colors.legible(*pair))
    return tuple(dict.fromkeys((*_MIXED, *own, *_OTHERS, *_DARK, *tints, *badges)))
