"""Pictures of positions: pure functions from a title and a position to SVG text.

``board_svg`` draws the map or a part of it, with runs from ``lines_of``; ``chart_svg`` draws the share price chart;
``tiles_svg`` draws the tiles that are left, ``lays_svg`` tiles of legal lays in their turns. The same position gives
the same text. A ``Game`` has most of these functions as methods, and notebooks show a game as its map.
``board_layers`` and ``chart_layers`` give the same pictures in parts, for a program that shows a series of them.

``history`` computes the worth of players and the prices of companies after each round from the positions of a game.
``worth_svg``, ``cash_svg`` and ``prices_svg`` draw them over time, ``revenue_svg`` the revenue of companies.
"""

from engine.svg.board import board_layers, board_svg
from engine.svg.chart import chart_layers, chart_svg
from engine.svg.elements import Svg
from engine.svg.graphs.history import Moment, history
from engine.svg.graphs.over_time import cash_svg, prices_svg, revenue_svg, worth_svg
from engine.svg.lay_sheet import LayGroup, Lying, lays_svg
from engine.svg.layers import Layer, Layered
from engine.svg.parts import part, strips
from engine.svg.runs import Line, lines_of
from engine.svg.sheet import by_color, tiles_svg

__all__ = [
    "LayGroup", "Layer", "Layered", "Line", "Lying", "Moment", "Svg", "board_layers", "board_svg", "by_color",
    "cash_svg", "chart_layers", "chart_svg", "history", "lays_svg", "lines_of", "part", "prices_svg", "revenue_svg",
    "strips", "tiles_svg", "worth_svg",
]  # fmt: skip
