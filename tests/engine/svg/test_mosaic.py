"""Pictures in pieces: they cover the picture, name no other colours than those listed, and do not depend on their
place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

import engine
from engine import svg
from engine.robots import sensible
from engine.svg.hexes import STEPS
from engine.svg.mosaic import Mosaic, Shape, board_mosaic, chart_mosaic, inks
from engine.svg.mosaic.pieces import inside

TITLES = engine.title_names()


def positions(name: str, most: int, every: int) -> Iterator[engine.Game]:
    """A game of robots after every so many orders."""
    game = engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="mosaic"))
    while not game.finished and len(game.orders) < most:
        if len(game.orders) % every == 0:
            yield game
        assert game.submit(sensible(game, game.asked()[0]))


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize(("long", "short"), [(45, 26), (46, 27), (52, 30), (97, 56), (2, 2), (31, 18)])
def test_every_pixel_belongs_to_one_hex(flat: bool, long: int, short: int) -> None:
    shape = Shape(flat, long if flat else short, short if flat else long)
    seen: Counter[tuple[int, int]] = Counter()
    for x in range(12):
        for y in range(12):
            if (x + y) % 2 == 0:
                left, top = x * shape.across - shape.reach[0], y * shape.down - shape.reach[1]
                seen.update((left + column, top + row) for row, columns in inside(shape) for column in columns)
    middle = [(x, y) for x in range(3 * long, 8 * short) for y in range(3 * long, 8 * short)] or [(3 * long, 3 * long)]
    assert {seen[pixel] for pixel in middle} == {1}


@pytest.mark.parametrize("name", TITLES)
def test_steps_lead_to_neighbours(name: str) -> None:
    map = engine.load_title(name).map
    for hex in map.hexes.values():
        for edge, other in hex.neighbors.items():
            there = map.hexes[other]
            assert (there.x - hex.x, there.y - hex.y) == STEPS[map.flat][edge]


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_pieces_name_no_colours_but_those_of_the_title(name: str) -> None:
    for game in positions(name, 241, 60):
        known = set(inks(game.title))
        for dark in (False, True):
            for mosaic in (
                board_mosaic(
                    game.title, game.state, width=1000, since=game.at(0), marked=game.title.map.hexes, dark=dark
                ),
                chart_mosaic(game.title, game.state, width=780, dark=dark),
            ):
                named = set(re.findall(r"#[0-9a-f]{6}\b", "".join(piece.content for _, piece in mosaic.pieces)))
                assert named <= known, named - known
                assert mosaic.background in known


@pytest.mark.parametrize("name", TITLES)
def test_a_map_has_its_width_and_a_part_nearly(name: str) -> None:
    game = next(positions(name, 1, 1))
    for width in (780, 1000, 1200):
        assert abs(board_mosaic(game.title, game.state, width=width).size[0] - width) <= 0.03 * width
        part = board_mosaic(game.title, game.state, width=width, hexes=list(game.title.map.hexes)[20:24])
        assert 0.87 * width < part.size[0] < 1.14 * width
        assert abs(chart_mosaic(game.title, game.state, width=width).size[0] - width) <= 0.05 * width


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_pieces_do_not_depend_on_their_place(name: str) -> None:
    """Two parts of the map that overlap share the pieces of all their common hexes."""
    game = list(positions(name, 201, 200))[-1]
    map = game.title.map
    by_column = sorted({hex.x for hex in map.hexes.values()})
    wide = 5 if map.flat else 10
    one, other = (
        [id for id, hex in map.hexes.items() if begin <= by_column.index(hex.x) < begin + wide] for begin in (2, 4)
    )
    pieces = []
    for hexes in (one, other):
        shown = svg.part(map, hexes, 0)
        mosaic = board_mosaic(game.title, game.state, width=780, hexes=hexes, rings=0)
        hexagons = [piece for _, piece in mosaic.pieces if piece.shape]
        pieces.append(dict(zip(shown, hexagons[-len(shown) :], strict=True)))
    common = pieces[0].keys() & pieces[1].keys()
    assert len(common) > 15
    assert all(pieces[0][hex] == pieces[1][hex] for hex in common)
    assert len({piece.content for piece in pieces[0].values()}) > 15


def hexes_in(mosaic: Mosaic) -> int:
    return sum(piece.shape is not None for _, piece in mosaic.pieces)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_a_mark_changes_the_pieces_of_its_own_hex_alone(name: str) -> None:
    game = list(positions(name, 201, 200))[-1]
    marked = list(game.title.map.hexes)[30]
    plain = board_mosaic(game.title, game.state, width=1000)
    other = board_mosaic(game.title, game.state, width=1000, marked=[marked])
    changed = [at for (at, a), (_, b) in zip(plain.pieces, other.pieces, strict=True) if a != b]
    assert len(changed) == 1 and hexes_in(plain) > len(game.title.map.hexes)
