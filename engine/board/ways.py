"""The terms on which a company's ways over the board are looked for: titles may have others for laying track than for
placing markers or for running."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.core.ids import HexId

Purpose: TypeAlias = Literal["lay", "token", "run"]
"""The purpose of a way: to lay track, to place (or take) a marker, to run."""
Side: TypeAlias = tuple[HexId, int]
"""A hex and one of its edges."""
Base: TypeAlias = tuple[HexId, int]
"""A hex and the city of it in which a company has a marker."""


@dataclass(frozen=True, slots=True)
class Ways:
    """``barred``: sides of hexes that no way crosses; it is enough that one of the two hexes names a side. ``kinds``: a
    way begins only at own markers in stops of these kinds (``city``, ...); None at any. ``base``: it begins only at
    this marker."""

    barred: frozenset[Side] = frozenset()
    kinds: frozenset[str] | None = None
    base: Base | None = None


ANY_WAY = Ways()
"""Ways from every own marker, over every side that track crosses."""
