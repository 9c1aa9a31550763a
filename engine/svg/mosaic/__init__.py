"""Pictures in pieces, for a program that keeps what it has drawn: a hex, a space of the chart or a lay is a piece.

``board_mosaic``, ``chart_mosaic`` and ``lays_mosaic`` say which pieces a picture has and where they lie. The distance
of two hexes is a whole number of pixels, so a piece depends on its contents alone, and not on its place. Equal pieces
can be drawn once, whatever the position, the game or the part of the map that shows them.
"""

from engine.svg.mosaic.board import board_mosaic
from engine.svg.mosaic.chart import chart_mosaic
from engine.svg.mosaic.inks import inks
from engine.svg.mosaic.lays import lays_mosaic
from engine.svg.mosaic.pieces import Mosaic, Piece, Shape

__all__ = ["Mosaic", "Piece", "Shape", "board_mosaic", "chart_mosaic", "inks", "lays_mosaic"]
