"""Additions of 1841 to the drawings of all titles: the active borders."""

from __future__ import annotations

from typing import Final

from engine.core.drawing import Drawing
from engine.titles.t1841.track.borders import borders

DRAWING: Final = Drawing(borders=borders)
