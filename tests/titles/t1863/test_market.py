"""The row of prices: moves, zones, orders, and the bands of dividends."""

from __future__ import annotations

import pytest

from engine.core.ids import CompanyId
from engine.svg.chart import chart_svg
from engine.titles.t1863.stock import market
from tests.kit.games.situations_1863 import cell, situation, title, tube


@pytest.mark.rule("1863:4.3")
@pytest.mark.parametrize(
    ("before", "columns", "after"),
    [
        (100, -4, 70),  # the rulebook's example of a president who sells two
        (100, -2, 80),
        (100, 1, 110),
        (10, -1, 10),  # no move enters the red area
        (40, -9, 10),
        (500, 2, 500),
        (450, 3, 500),
        (0, 1, 0),  # and none leaves it
    ],
)
def test_a_marker_moves_by_whole_columns(before: int, columns: int, after: int) -> None:
    game = situation(tube("MET", "Ann", before))
    play = game.play()
    market.move_price(play, CompanyId("MET"), columns, "sale")
    assert game.take(play).share_price("MET") == after


def test_a_marker_that_stays_keeps_its_place() -> None:
    game = situation(tube("MET", "Ann", 500), tube("BAK", "Bob", 500))
    play = game.play()
    market.move_price(play, CompanyId("MET"), 1, "sale")
    assert play.events == []
    market.move_price(play, CompanyId("MET"), -1, "sale")
    market.move_price(play, CompanyId("MET"), 1, "sale")
    assert market.operating_order(game.title, play.state) == ("BAK", "MET")


@pytest.mark.rule("1863:7.2")
@pytest.mark.parametrize(
    ("amount", "price"),
    [(165, 160), (225, 225), (210, 200), (37, 30), (5, 10), (9_999, 500), (40, 40), (39, 30)],
)
def test_the_highest_column_not_above(amount: int, price: int) -> None:
    found = title()
    assert found.chart.price(market.highest_not_above(found, amount)) == price


@pytest.mark.parametrize(
    ("price", "zone"), [(0, "liquidation"), (10, "acquisition"), (30, "acquisition"), (40, "white"), (500, "white")]
)
def test_the_zones(price: int, zone: str) -> None:
    game = situation(tube("MET", "Ann", price))
    assert market.zone(game.title, game.state, CompanyId("MET")) == zone


@pytest.mark.rule("1863:7.1")
def test_liquidation_alone_puts_a_marker_into_the_red_area() -> None:
    game = situation(tube("MET", "Ann", 75))
    play = game.play()
    market.into_liquidation(play, CompanyId("MET"))
    assert game.take(play).share_price("MET") == 0
    assert market.in_red(game.title, game.state, CompanyId("MET"))


@pytest.mark.rule("1863:4.2", "1863:12.70")
def test_companies_are_floated_in_the_white_area() -> None:
    found = title()
    assert market.start_prices(found)[0] == 40
    assert market.start_prices(found)[-1] == 500
    assert market.start_cell(found, 30) is None
    assert market.start_cell(found, 225) is not None
    assert market.start_cell(found, 85) is None


def test_the_red_area_is_drawn_red_and_the_grey_one_grey() -> None:
    found = title()
    picture = chart_svg(found, situation(tube("MET", "Ann", 75)).state)
    for zone in ("liquidation", "acquisition"):
        assert f'fill="{found.chart.tints[zone]}"' in picture
    red, green, blue = (int(found.chart.tints["liquidation"][n : n + 2], 16) for n in (1, 3, 5))
    assert red > green + 40 and red > blue + 40
    assert len({found.chart.tints["acquisition"][n : n + 2] for n in (1, 3, 5)}) == 1


# ---- dividends -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:5.4")
@pytest.mark.parametrize(
    ("dividends", "after"),
    [
        ((0, 5, 50), 80),
        ((55, 90, 95), 90),
        ((100, 105), 100),
        ((110, 195), 110),
        ((200, 205, 400), 120),
    ],
)
def test_t3_and_t4_the_bands_of_dividends_at_100(dividends: tuple[int, ...], after: int) -> None:
    found, at = title(), cell(title(), 100)
    for dividend in dividends:
        columns = market.dividend_columns(found, at, dividend)
        assert found.chart.price(market.cell_at(found, at[1] + columns)) == after, dividend


@pytest.mark.rule("1863:5.4", "1863:5.29")
@pytest.mark.parametrize(
    ("price", "dividend", "columns"),
    [
        (75, 35, -2),  # 2 x 35 is not above 75
        (75, 40, -1),
        (75, 75, 0),
        (75, 80, 1),
        (75, 145, 1),
        (75, 150, 2),
        (10, 5, -2),
        (10, 10, 0),
        (10, 20, 2),  # the next column is twice the price: no dividend brings one column
        (500, 500, 0),  # nothing is above the last column
        (500, 995, 0),
        (500, 1000, 2),
    ],
)
def test_bands_elsewhere(price: int, dividend: int, columns: int) -> None:
    assert market.dividend_columns(title(), cell(title(), price), dividend) == columns


# ---- orders ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:5.7", "1863:12.25", "1863:12.64")
def test_r25_dearest_first_and_of_equals_the_first_to_come() -> None:
    game = situation(tube("MET", "Ann", 90), tube("BAK", "Bob", 100), tube("DIS", "Cat", 100), tube("CIR", "Ann", 0))
    assert market.operating_order(game.title, game.state) == ("BAK", "DIS", "MET")


@pytest.mark.rule("1863:8.9", "1863:12.40")
def test_r40_cheapest_first_and_of_equals_the_last_to_come() -> None:
    game = situation(
        tube("MET", "Ann", 90), tube("BAK", "Bob", 100), tube("DIS", "Cat", 100), tube("CIR", "Ann", 0),
    )  # fmt: skip
    assert market.merger_order(game.title, game.state) == ("CIR", "MET", "DIS", "BAK")
