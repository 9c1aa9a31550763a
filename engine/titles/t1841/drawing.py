"""Additions of 1841 to the pictures of all titles: the borders that count now."""

from __future__ import annotations

from typing import Final

from engine.core.drawing import Drawing
from engine.titles.t1841.borders import borders

DRAWING: Final = Drawing(borders=borders)
