"""Names used in the rules of 1867."""

from __future__ import annotations

from typing import Final

from engine.core.ids import CompanyId, HexId

CANADIAN_NATIONAL: Final = CompanyId("CN")
TORONTO: Final = HexId("F16")
MONTREAL: Final = HexId("L12")
QUEBEC: Final = HexId("O7")
TIMMINS: Final = HexId("D2")
OTTAWA: Final = HexId("J12")

HOME: Final = "home "
"""Prefix of a mark, before the name of a minor under auction: the hex and city of its home."""

NEUTRAL: Final = CompanyId("neutral")
"""The name under which a neutral marker keeps a circle."""
