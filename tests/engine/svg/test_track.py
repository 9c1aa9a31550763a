"""The track of every tile of every title in every turn, and of every printed hex: it meets its edges and stops."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

import pytest

import engine
from engine.board.map import Face
from engine.svg.hexes import depth, direction, distance, edge_middle
from engine.svg.labels import arrows
from engine.svg.stops import RIM, Spot, spots
from engine.svg.track import Piece, over, pieces, track_svg, tunnels_svg

TITLES = engine.title_names()


def faces(name: str) -> Iterator[tuple[str, Face, bool]]:
    map = engine.load_title(name).map
    for id, hex in map.hexes.items():
        yield id, hex.face, map.flat
    for tile, found in map.tiles.items():
        for turn in range(6):
            yield f"{tile} turned by {turn}", found.face.turned(turn), map.flat


def spot_of(face: Face, flat: bool, end: tuple[str, int]) -> Spot:
    return next(s for s in spots(face, flat) if (s.kind, s.index) == end)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_track_meets_its_edges_at_right_angles_and_its_stops(name: str) -> None:
    seen = 0
    for what, face, flat in faces(name):
        found = pieces(face, flat)
        assert tuple(piece.ends for piece in found) == face.paths, what
        for piece in found:
            for end, at, heading in (
                (piece.ends[0], piece.curve.start, piece.curve.heading(0)),
                (piece.ends[1], piece.curve.end, piece.curve.heading(1)),
            ):
                seen += 1
                if end[0] == "e":
                    assert distance(at, edge_middle(end[1], flat)) < 0.01, (what, piece.ends)
                    (x, y), (nx, ny) = heading, direction(end[1], flat)
                    assert abs(x * ny - y * nx) < 0.05, (what, piece.ends)
                else:
                    assert distance(at, spot_of(face, flat, end).at) < 0.01, (what, piece.ends)
            assert all(depth(point, flat) > -0.01 for point in piece.curve.points(5)), (what, piece.ends)
    assert seen > 100


@pytest.mark.parametrize("name", TITLES)
def test_circles_keep_apart_and_inside(name: str) -> None:
    for what, face, flat in faces(name):
        circles = [spot for spot in spots(face, flat) if spot.shape == "circles"]
        for spot in circles:
            assert len(spot.circles) == max(1, face.cities[spot.index].slots), what
            for at in spot.circles:
                assert depth(at, flat) > spot.radius + RIM, what
        places = [(spot, at) for spot in circles for at in spot.circles]
        for i, (one, a) in enumerate(places):
            for other, b in places[i + 1 :]:
                least = one.radius + other.radius + (0 if one is other else 2 * RIM)
                assert distance(a, b) > least - 0.1, (what, one.index, other.index)


@pytest.mark.parametrize("name", TITLES)
def test_towns_lie_beside_the_track_of_others(name: str) -> None:
    for what, face, flat in faces(name):
        for spot in spots(face, flat):
            if spot.kind != "t":
                continue
            for piece in pieces(face, flat):
                if ("t", spot.index) not in piece.ends:
                    assert min(distance(spot.at, p) for p in piece.curve.points(2)) > 6, (what, spot.index, piece.ends)


def crosses(a: Piece, b: Piece) -> bool:
    return min(distance(p, q) for p in a.curve.points(4) for q in b.curve.points(4)) < 3


@pytest.mark.parametrize("name", TITLES)
def test_track_that_crosses_without_meeting_lies_above(name: str) -> None:
    crossings = 0
    for what, face, flat in faces(name):
        found = [p for p in pieces(face, flat) if p.kind == "track"]
        for i, upper in enumerate(found):
            for lower in found[:i]:
                if set(upper.ends) & set(lower.ends) or not crosses(upper, lower):
                    continue
                crossings += 1
                if upper.level == lower.level:  # on different levels one lies above the other anyway
                    points = [p for bridge in over(face, flat) for p in bridge.points(3)]
                    near = min(distance(p, q) for p in points for q in lower.curve.points(3))
                    assert near < 3, (what, upper.ends, lower.ends)
    assert crossings or name == "1863", "no title but 1863 is without crossings"


def test_a_turned_tile_has_its_stops_turned() -> None:
    map = engine.load_title("1844").map
    face = map.tiles[engine.ids.TileId("59")].face
    for turn in range(6):
        here, there = spots(face, map.flat), spots(face.turned(turn), map.flat)
        assert [round(hypot(*s.at), 3) for s in here] == [round(hypot(*s.at), 3) for s in there]


def test_tunnels_stems_and_arrows_are_no_plain_track() -> None:
    alps, italy = engine.load_title("1844").map, engine.load_title("1841").map
    tunnel = alps.tiles[engine.ids.TileId("X79")].face
    assert [p.kind for p in pieces(tunnel, alps.flat)] == ["tunnel"]
    assert "stroke-dasharray" in tunnels_svg(tunnel, alps.flat)
    assert not track_svg(tunnel, alps.flat)
    milan = italy.hexes[engine.ids.HexId("F8")].face
    assert {p.kind for p in pieces(milan, italy.flat)} == {"stem"}
    area = italy.hexes[engine.ids.HexId("C13")].face
    assert {p.kind for p in pieces(area, italy.flat)} == {"arrow"}
    assert sorted(arrows(area)) == [0, 1, 5]
