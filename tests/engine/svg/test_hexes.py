"""Hexes, flat and pointed: their edges meet those of their neighbours on every printed map."""

from __future__ import annotations

from math import hypot, isclose

import pytest

import engine
from engine.svg.hexes import INRADIUS, SIDE, box_depth, centre, corners, depth, direction, edge_line, edge_middle


@pytest.mark.parametrize("name", engine.title_names())
def test_an_edge_lies_where_the_neighbours_does(name: str) -> None:
    map = engine.load_title(name).map
    for hex in map.hexes.values():
        x, y = centre(hex.x, hex.y, map.flat)
        for edge, id in hex.neighbors.items():
            other = map.hexes[id]
            u, v = centre(other.x, other.y, map.flat)
            (a, b), (c, d) = edge_middle(edge, map.flat), edge_middle((edge + 3) % 6, map.flat)
            assert hypot(x + a - u - c, y + b - v - d) < 1e-6, (hex.id, edge)


@pytest.mark.parametrize("flat", [True, False])
def test_edges_are_numbered_clockwise_from_the_bottom(flat: bool) -> None:
    below = (0.0, 1.0) if flat else (-0.5, 3**0.5 / 2)
    assert direction(0, flat) == pytest.approx(below)
    for edge in range(6):
        (x, y), (u, v) = direction(edge, flat), direction(edge + 1, flat)
        assert x * v - y * u > 0.8  # to the right, with y downward
        (a, b), (c, d) = edge_line(edge, flat)
        assert isclose(hypot(a - c, b - d), SIDE)
        assert ((a + c) / 2, (b + d) / 2) == pytest.approx(edge_middle(edge, flat))


@pytest.mark.parametrize("flat", [True, False])
def test_depth_is_the_distance_to_the_nearest_edge(flat: bool) -> None:
    assert depth((0, 0), flat) == pytest.approx(INRADIUS)
    for x, y in corners(flat):
        assert depth((x, y), flat) == pytest.approx(0, abs=1e-9)
        assert depth((x * 1.1, y * 1.1), flat) < 0
    assert box_depth(0, 0, 10, 10, flat) > 0
    assert box_depth(85, 0, 25, 10, flat) < 0
