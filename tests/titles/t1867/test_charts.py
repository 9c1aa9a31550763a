"""The share price charts of 1867: the column, and the grid by option.

Numbers in docstrings are rows and situations of the rule sheet."""

from __future__ import annotations

import pytest

from tests.kit.games.course_1867 import PRICES, begun, company, minor, position, public, stock, turn
from tests.kit.games.situations import Played

GRID = {"chart": "grid"}


def to_operating(game: Played) -> Played:
    """All pass until the stock round is over."""
    while game.state.round.kind == "SR":
        game.do(f"{game.asked[0].split()[0]}: pass")
    return game


# ---- the charts -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.1")
def test_the_column_chart_and_its_zones() -> None:
    """Row 1.14, part 2: 28 spaces in one row."""
    chart = begun().title.chart
    (row,) = {cell[0] for cell in chart.cells_marked("par_any", "par_minor", "par_public", "convert", "minor_max")}

    def zone(*marks: str) -> list[int]:
        return sorted(chart.price(cell) for cell in chart.cells_marked(*marks))

    assert [chart.price((row, column)) for column in range(len(PRICES))] == list(PRICES)
    assert zone("par_any", "par_minor") == [50, 55, 60, 65, 70, 80, 90, 100, 110, 120, 135]
    assert zone("par_any", "par_public") == [70, 80, 90, 100, 110, 120, 135, 150, 165, 180, 200]
    assert zone("convert") == [100, 110, 120, 135, 150, 165]
    assert zone("minor_max") == [165]


@pytest.mark.rule("17.1", "3.12")
@pytest.mark.parametrize("chart", ["column", "grid"])
@pytest.mark.parametrize("price", [70, 80, 90, 100, 110, 120, 135, 150, 165, 180, 200])
def test_start_prices_of_public_companies(chart: str, price: int) -> None:
    """Row 3.4: on both charts the same prices, twice of which goes into the treasury."""
    game = stock(phase="4", cash={"Ann": 400}, options={"chart": chart})
    game.do(f"Ann: start GWR at {price} in D16")
    assert (game.price("GWR").split()[0], game.money("GWR"), game.money("Ann")) == (
        str(price),
        2 * price,
        400 - 2 * price,
    )
    assert game.price("GWR").split()[1].startswith("r1c") == (chart == "column" or price == 200)


@pytest.mark.rule("3.12")
@pytest.mark.parametrize("price", [60, 65, 75, 220])
def test_no_other_start_prices(price: int) -> None:
    """Row 3.4."""
    assert stock(phase="4", cash={"Ann": 440}).refusals(f"Ann: start GWR at {price} in D16") == {"start.price"}


PARS = [
    (100, 50), (105, 50), (110, 55), (115, 55), (120, 60), (125, 60), (130, 65), (135, 65), (140, 70), (155, 70),
    (160, 80), (175, 80), (180, 90), (195, 90), (200, 100), (215, 100), (220, 110), (235, 110), (240, 120), (265, 120),
    (270, 135), (420, 135),
]  # fmt: skip


@pytest.mark.rule("4.7", "4.6")
@pytest.mark.parametrize(("bid", "price"), PARS)
def test_the_price_of_a_minor_is_half_its_bid(bid: int, price: int) -> None:
    """Row 4.7."""
    game = stock(phase="2", cash={"Ann": bid})
    game.do(f"Ann: open NO {bid} in M9")
    while game.asked[0].endswith("auction.bid"):
        game.do(f"{game.asked[0].split()[0]}: drop")
    assert (game.money("NO"), game.price("NO").split()[0]) == (bid, str(price))


# ---- sales ----------------------------------------------------------------------------------------------------------

HELD = {"Ann": 5, "Bob": 3}


@pytest.mark.rule("3.6", "3.5", "17.1")
@pytest.mark.parametrize(
    ("chart", "at", "seller", "orders", "after", "money"),
    [
        ("column", "r1c14", "Ann", ["sell 1 GTR"], 120, 135),
        ("column", "r1c14", "Ann", ["sell 2 GTR"], 120, 270),
        ("column", "r1c14", "Ann", ["sell 1 GTR", "sell 1 GTR"], 110, 255),  # two orders, two steps: fault 8
        ("column", "r1c14", "Bob", ["sell 3 GTR"], 135, 405),
        ("column", "r1c1", "Ann", ["sell 1 GTR"], 35, 35),
        ("grid", "r3c7", "Ann", ["sell 1 GTR"], 120, 135),
        ("grid", "r3c8", "Ann", ["sell 1 GTR"], 135, 150),
        ("grid", "r3c8", "Bob", ["sell 1 GTR"], 150, 150),
    ],
)
def test_a_sale_by_the_director_lowers_the_price(
    chart: str, at: str, seller: str, orders: list[str], after: int, money: int
) -> None:
    """Row 3.1: one step for each order to sell; the seller gets the price before it."""
    described = company("GTR", HELD, at=at, markers="M9", trains="4")
    game = stock(described, player=seller, phase="4", options={"chart": chart})
    for order in orders:
        game.do(f"{seller}: {order}")
    assert (game.price("GTR").split()[0], game.money(seller)) == (str(after), money)


@pytest.mark.rule("3.6")
def test_by_an_option_the_sales_of_a_turn_are_one_sale() -> None:
    """Row 3.1, last column."""
    described = public("GTR", HELD, 135, markers="M9", trains="4")
    game = stock(described, phase="4", options={"director_sale": "turn"})
    game.do("Ann: sell 1 GTR\nAnn: sell 1 GTR")
    assert (game.price("GTR"), game.money("Ann")) == ("120 r1c13", 270)


@pytest.mark.rule("3.16", "17.1")
@pytest.mark.parametrize(
    ("chart", "at", "cat", "after"),
    [
        ("column", "r1c13", 4, "135 r1c14"),
        ("column", "r1c13", 3, "120 r1c13"),  # a share is in the treasury
        ("column", "r1c28", 4, "540 r1c28"),
        ("grid", "r3c8", 4, "165 r2c8"),
        ("grid", "r3c8", 3, "150 r3c8"),
    ],
)
def test_a_company_that_is_sold_out_rises(chart: str, at: str, cat: int, after: str) -> None:
    """Row 3.2: at the end of the stock round."""
    described = company("GTR", {"Ann": 6, "Cat": cat}, at=at, markers="M9", trains="4")
    game = stock(described, phase="4", options={"chart": chart}, cash={"Bob": 1000 if cat == 3 else 0})
    assert to_operating(game).price("GTR") == after


# ---- earnings -------------------------------------------------------------------------------------------------------

LINE = {"M9": "57#0", "M11": "8#1", "L12": "X1#0"}
"""Trois-Rivières to Montreal."""


@pytest.mark.rule("10.2", "17.1")
@pytest.mark.parametrize(
    ("chart", "at", "earns", "after"),
    [
        ("column", "r1c15", True, "165 r1c16"),
        ("column", "r1c16", True, "165 r1c16"),
        ("column", "r1c16", False, "150 r1c15"),
        ("column", "r1c10", True, "100 r1c11"),
        ("column", "r1c1", False, "35 r1c1"),
        ("grid", "r3c7", True, "150 r2c7"),
        ("grid", "r1c7", True, "165 r1c7"),
    ],
)
def test_a_minor_stops_at_165(chart: str, at: str, earns: bool, after: str) -> None:
    """Part 1.10 of the sheet: no move up on the column chart; the grid as in 1861."""
    described = company("CA", "Bob", at=at, markers="M9", trains="3")
    game = turn(described, phase="3", tiles=LINE, options={"chart": chart})
    game.do(f"CA: run {'best' if earns else 'none'}; done")
    assert game.price("CA") == after


# ---- loans at the end -----------------------------------------------------------------------------------------------


@pytest.mark.rule("15.7", "15.8", "17.1")
@pytest.mark.parametrize(("chart", "at"), [("column", "r1c11"), ("grid", "r5c6")])
def test_what_shares_of_an_indebted_company_are_worth(chart: str, at: str) -> None:
    """Situation 12, row 15.5: 100 and three loans: 90, 80, 70."""
    described = company("CNR", {"Ann": 2}, at=at, markers="M9", loans=3)
    game = position(described, phase="5", options={"chart": chart})
    assert game.title.score(game.title, game.state, game.state.players[0]) == 140


@pytest.mark.rule("15.8", "15.7")
def test_what_else_counts_at_the_end() -> None:
    """Row 15.5: privates at face, minors twice."""
    game = position(minor("CA", "Ann", 110, loans=1, markers="M9"), phase="5", cash={"Ann": 7}, privates={"SCT": "Ann"})
    assert game.title.score(game.title, game.state, game.state.players[0]) == 7 + 90 + 2 * 100
