"""Boards on which many trains of one company meet: its markers stand in the richest cities."""

from __future__ import annotations

from engine.board.board import Board
from engine.core.ids import CompanyId
from engine.routes.graph import graph_of

MARKERS = 8


def crowded(board: Board, company: str, color: str, number: int = MARKERS) -> Board:
    """``board`` with markers of ``company`` in its ``number`` richest cities. Where a city is full, the last marker of
    another company makes room. ``color``: the latest colour of track."""
    name, graph = CompanyId(company), graph_of(board)
    cities = [node for node in graph.nodes if node.kind == "city"]
    cities.sort(key=lambda node: (-node.stop.value(color), node.hex, node.index))
    for node in cities[:number]:
        circles = list(board.circles(node.hex))
        there = tuple(other for other in circles[node.index] if other != name)
        room = board.face(node.hex).cities[node.index].slots
        circles[node.index] = (*there[: room - 1], name)
        board = Board(board.map, board.tiles, {**board.markers, node.hex: tuple(circles)}, board.overlays)
    return board
