"""The edition of 1867."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.titles.t1867.rulings import Rulings

EDITIONS: Final[Mapping[str, Rulings]] = {"18xx.games": Rulings()}
"""The rules as 18xx.games plays them; no rulebook was at hand."""

PLAYERS: Final = range(2, 7)
