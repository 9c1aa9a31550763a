"""Names used in the rules of 1861."""

from __future__ import annotations

from typing import Final

from engine.core.ids import CompanyId, HexId, TileId, TrainName

STATE: Final = CompanyId("RSR")
"""The Russian State Railway."""
NIKOLAEV: Final = CompanyId("N")
MINOR: Final = "minor"
PUBLIC: Final = "public"
NATIONAL: Final = "national"

MOSCOW: Final = HexId("H8")
ST_PETERSBURG: Final = HexId("E1")
EKATERINBURG: Final = HexId("Q3")
KIEV: Final = HexId("D14")
NIZHNII_NOVGOROD: Final = HexId("K7")
KHARKOV: Final = HexId("G15")
SMALL_KHARKOV: Final = TileId("801")

LAST_TRAIN: Final = TrainName("8")
"""The last type of train. Its first purchase signals the end of the game, except in the long game."""

RAN_BEFORE: Final = "ran before"
"""Mark: set and number of an operating round, and the trains of the state railway that have already run in it."""
FAILED_MERGER: Final = "failed merger"
"""Mark: in this merger round nobody came to two shares of a merged company, and the company stays all the same."""
FREE_MARKER: Final = "free marker "
"""Prefix of a mark, before the company's name: its second marker is free."""
