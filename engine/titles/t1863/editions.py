"""The editions of 1863 as sets of rulings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.titles.t1863.rulings import Rulings

HISTORICAL: Final = Rulings()
EQUAL: Final = replace(HISTORICAL, play="equal")

EDITIONS: Final[Mapping[str, Rulings]] = {"historical": HISTORICAL, "equal": EQUAL}
"""The editions of 1863. The first is the default."""
PLAYERS: Final = range(3, 7)
"""The allowed numbers of players."""
