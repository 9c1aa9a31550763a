"""Names used in the rules of 1861."""

from __future__ import annotations

from typing import Final

from engine.core.ids import CompanyId, HexId, TileId

STATE: Final = CompanyId("RSR")
"""The Russian State Railway."""
NIKOLAEV: Final = CompanyId("N")

MOSCOW: Final = HexId("H8")
ST_PETERSBURG: Final = HexId("E1")
EKATERINBURG: Final = HexId("Q3")
KIEV: Final = HexId("D14")
NIZHNII_NOVGOROD: Final = HexId("K7")
KHARKOV: Final = HexId("G15")
SMALL_KHARKOV: Final = TileId("801")

RAN_BEFORE: Final = "ran before"
"""Mark: set and number of an operating round, and the trains of the state railway that have already run in it."""
