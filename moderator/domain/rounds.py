"""The kinds of rounds that alternate in all titles."""

from __future__ import annotations

from typing import Final

STOCK_ROUND: Final = "SR"
OPERATING_ROUND: Final = "OR"
MERGER_ROUND: Final = "MR"
