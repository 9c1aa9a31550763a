"""The price chart: every space, piles in order, ledges, turns and limits where the moves have them."""

from __future__ import annotations

from dataclasses import replace
from html import escape

import pytest

import engine
from engine.core.state import PriceMarker
from engine.svg.chart import HIGH, RADIUS, WIDE, Space, chart_spaces, chart_svg, zone_letters
from engine.svg.hexes import distance
from engine.svg.sheet import left_of, tiles_svg

TITLES = engine.title_names()
C = engine.ids.CompanyId


def start(name: str) -> engine.Game:
    return engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="chart"))


def spaces(title: engine.Title, state: engine.State, **how: bool) -> dict[tuple[int, int], Space]:
    return {space.cell: space for space in chart_spaces(title, state, **how)}


@pytest.mark.parametrize("name", TITLES)
def test_every_space_is_there_once_and_beside_the_others(name: str) -> None:
    game = start(name)
    found = spaces(game.title, game.state)
    assert {cell: space.price for cell, space in found.items()} == dict(game.title.chart.prices)
    places = [space.at for space in found.values()]
    assert len(set(places)) == len(places)
    for i, (x, y) in enumerate(places):
        assert all(abs(x - u) >= WIDE or abs(y - v) >= HIGH for u, v in places[i + 1 :])


@pytest.mark.parametrize("name", TITLES)
@pytest.mark.parametrize("count", [1, 2, 3, 5, 10])
def test_a_pile_lies_in_its_space_with_its_top_in_front(name: str, count: int) -> None:
    game = start(name)
    cell = sorted(game.title.chart.prices)[len(game.title.chart.prices) // 2]
    pile = list(game.title.companies)[:count]
    state = replace(
        game.state, prices={company: PriceMarker(cell, 100 - i) for i, company in enumerate(reversed(pile))}
    )
    space = spaces(game.title, state)[cell]
    assert list(space.pile) == [c for c, _ in sorted(state.prices.items(), key=lambda p: p[1].since)]
    drawn = space.tokens
    assert [company for company, _ in drawn] == list(reversed(space.pile))  # what is drawn later lies in front
    for _, (x, y) in drawn:
        assert space.at[0] <= x - RADIUS and x + RADIUS <= space.at[0] + WIDE
        assert space.at[1] + 34 <= y - RADIUS and y + RADIUS <= space.at[1] + HIGH  # below the price
    if count == 2:
        assert distance(drawn[0][1], drawn[1][1]) >= 44
    picture = chart_svg(game.title, state)
    assert all(picture.count(f">{escape(company)}</text>") >= 1 for company in pile if len(company) <= 4)
    assert (f">{space.price}:</text>" in picture) == (count > 2)


def test_ledges_turns_and_limits_of_1861() -> None:
    game = start("1861")
    found = spaces(game.title, game.state)
    assert found[9, 0].ledge and not found[0, 4].ledge
    assert found[0, 4].falls and not found[0, 5].falls
    assert found[1, 18].rises and not found[0, 18].rises
    assert [found[row, 6].limit for row in range(6)] == [True] * 6
    assert not found[0, 5].limit


def test_marks_of_most_spaces_have_no_letter() -> None:
    assert sorted(zone_letters(engine.load_title("1863").chart).values()) == ["a", "b"]
    letters = zone_letters(engine.load_title("1861").chart)
    assert sorted(letters.values()) == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(("column", "columns"), [(1, range(7)), (4, range(1, 8)), (8, range(5, 12))])
def test_near_is_the_part_round_the_companies_and_not_narrow(column: int, columns: range) -> None:
    game = start("1861")
    state = replace(game.state, prices={C("NW"): PriceMarker((4, column), 1)})
    near = {(r, c) for r in (3, 4, 5) for c in columns}
    assert set(spaces(game.title, state, near=True)) == near & set(game.title.chart.prices)
    assert len(spaces(game.title, game.state, near=True)) == len(game.title.chart.prices)


@pytest.mark.parametrize("name", TITLES)
def test_the_sheet_has_every_tile_with_what_is_left(name: str) -> None:
    game = start(name)
    picture = tiles_svg(game.title, game.state)
    for tile in game.title.map.tiles.values():
        left = left_of(game.state, tile)
        assert f">{tile.id} × {'∞' if left is None else left}</text>" in picture


def test_a_laid_tile_is_left_one_time_less() -> None:
    game = start("1861")
    tile = game.title.map.tiles[engine.ids.TileId("9")]
    board = game.state.board.lay(engine.ids.HexId("E5"), tile.id, 0)
    before = left_of(game.state, tile)
    assert before is None or left_of(replace(game.state, board=board), tile) == before - 1
