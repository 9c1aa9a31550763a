"""The terms of a search for a company's ways over the board. A title may have other terms for laying track than for
placing markers or running trains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.core.ids import HexId

Purpose: TypeAlias = Literal["lay", "token", "run"]
"""The purpose of a way: laying track, placing (or taking) a marker, or running trains."""
Side: TypeAlias = tuple[HexId, int]
"""A hex and one of its edges."""
Base: TypeAlias = tuple[HexId, int]
"""A hex, and the index of a city in it where a company has a marker."""


@dataclass(frozen=True, slots=True)
class Ways:
    """``barred``: sides of hexes that no way crosses; naming a side from one of its two hexes is enough. ``kinds``: a
    way begins only at the company's markers in stops of these kinds (``city``, ...); None allows all kinds. ``base``: a
    way begins only at this marker."""

    barred: frozenset[Side] = frozenset()
    kinds: frozenset[str] | None = None
    base: Base | None = None


ANY_WAY = Ways()
"""Ways that begin at any of the company's markers and cross any side that track crosses."""
