"""The market of 1844: where markers go, and what a stock round does to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

import engine
from engine.core.ids import Cell, CompanyId, HexId
from engine.core.orders import Space, Start
from engine.finance.chart import Chart, Direction
from tests.kit.games.situations_1844 import EDITIONS, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)
KINDS: Final = ("pre-sbb", "historical", "sbb", "regional")
STEPS: Final[dict[Direction, Cell]] = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
RED_LINE: Final = 12
"""Columns to the left of it."""


def chart_of(edition: str) -> Chart:
    return engine.load_title("1844", edition).chart


def moves(chart: Chart, kind: str) -> Iterator[tuple[Cell, Direction, Cell]]:
    """Every space with every move and where it leads."""
    for cell in chart.prices:
        for direction in STEPS:
            yield cell, direction, chart.move(kind, cell, direction)


# ---- spaces ----------------------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:3.1", "1844:3.2")
@pytest.mark.parametrize("kind", KINDS[:3])
def test_every_move_of_every_space(edition: str, kind: str) -> None:
    chart = chart_of(edition)

    def there(cell: Cell, direction: Direction) -> Cell | None:
        step = STEPS[direction]
        found = (cell[0] + step[0], cell[1] + step[1])
        return found if found in chart.prices else None

    instead: dict[Direction, Direction] = {"left": "down", "right": "up"}
    for cell, direction, reached in moves(chart, kind):
        expected = there(cell, direction)
        if expected is None and direction in instead:
            expected = there(cell, instead[direction])
        assert reached == (expected or cell), (cell, direction)


@both
@pytest.mark.rule("1844:3.4")
def test_a_regional_company_never_passes_the_red_line(edition: str) -> None:
    chart = chart_of(edition)
    for cell, direction, reached in moves(chart, "regional"):
        if cell[1] >= RED_LINE:
            continue
        assert reached[1] < RED_LINE
        if not (direction == "right" and cell[1] == RED_LINE - 1):
            assert reached == chart.move("historical", cell, direction)
    edge = [chart.price(chart.move("regional", (row, RED_LINE - 1), "right")) for row in range(5)]
    assert edge == [200, 200, 190, 180, 170], "up, and at 200 it stays"


@both
@pytest.mark.rule("1844:3.4", "1844:9.5")
@pytest.mark.parametrize(
    ("name", "at", "after"),
    [("JN", "r2c12", "200 r1c12"), ("JN", "r1c12", "200 r1c12"), ("MOB", "r2c12", "210 r2c13")],
)
def test_a_dividend_at_the_red_line(edition: str, name: str, at: str, after: str) -> None:
    game = situation(swiss(name, {"Ann": 5}, at), edition=edition).turn(name, "pay", revenue=100)
    game.do(f"{name}: pay full")
    assert game.price(name) == after


@both
@pytest.mark.rule("1844:9.2", "1844:9.3", "1844:9.4")
@pytest.mark.parametrize(("pool", "paid", "kept"), [(0, [23, 8], 0), (1, [23, 0], 7)])
def test_odd_dividends(edition: str, pool: int, paid: list[int], kept: int) -> None:
    """A player's part is rounded up, the pool's down."""
    game = situation(swiss("NOB", {"Ann": 3, "Bob": 1 - pool}, pool=pool), edition=edition)
    game.turn("NOB", "pay", revenue=30).do("NOB: pay full")
    assert ([game.money("Ann"), game.money("Bob")], game.money("NOB")) == (paid, kept)


@both
@pytest.mark.rule("1844:9.3")
def test_odd_dividends_of_the_sbb(edition: str) -> None:
    sbb = swiss("SBB", {"Ann": (2, 5), "Bob": (2, 2), "Cat": (1, 3)}, trains="SBB5H")
    game = situation(sbb, edition=edition, phase="5").turn("SBB", "pay", revenue=370)
    game.do("SBB: pay full")
    assert [game.money(p) for p in ("Ann", "Bob", "Cat")] == [167, 111, 93]


@both
@pytest.mark.rule("1844:3.5")
@pytest.mark.parametrize(("par", "at"), [(60, "r6c5"), (70, "r5c5"), (80, "r4c5"), (90, "r3c5"), (100, "r2c5")])
def test_pars(edition: str, par: int, at: str) -> None:
    game = situation(cash={"Ann": 300}, edition=edition).stock()
    game.do(f"Ann: start BLS at {par}")
    assert game.price("BLS") == f"{par} {at}"


@both
@pytest.mark.rule("1844:3.5")
def test_no_other_par(edition: str) -> None:
    game = situation(cash={"Ann": 300}, edition=edition).stock()
    assert game.refusals("Ann: start BLS at 75") == {"start.price"}
    ann, bls = game.state.players[0], CompanyId("BLS")
    assert game.reasons(Start(ann, bls, 80, Space(HexId("H7")))) == {"par.space": {"company": "BLS"}}


@both
@pytest.mark.rule("1844:3.3", "1844:5.4")
def test_who_comes_later_lies_beneath(edition: str) -> None:
    first, second = swiss("BLS", "Bob", par=80), swiss("STB", {"Bob": 5}, "r3c5", par=80)
    game = situation(first, second, swiss("AB", {"Ann": 5}, "r4c5"), cash={"Ann": 300}, edition=edition)
    game.stock(round="SR 2").do("Ann: start MOB at 80")
    game.do("Bob: sell 1 STB")
    assert [game.price(c) for c in ("AB", "MOB", "STB", "BLS")] == ["80 r4c5"] * 4
    assert game.order() == ["AB", "STB"], "MOB is not launched, nor is BLS"


@both
@pytest.mark.rule("1844:3.3", "1844:5.4")
def test_a_stack_is_read_from_the_top(edition: str) -> None:
    rows = (swiss("STB", {"Bob": 5}, "r3c5"), swiss("AB", {"Ann": 5}, "r4c5"), swiss("MOB", {"Ann": 5}, "r4c5"))
    game = situation(*rows, cash={"Bob": 70}, edition=edition).stock("Bob")
    assert game.order() == ["STB", "AB", "MOB"]
    game.do("Bob: sell 1 STB")
    assert game.order() == ["AB", "MOB", "STB"]


# ---- after a stock round ---------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:4.27", "1844:9.5")
def test_fnm_in_its_first_rounds(edition: str) -> None:
    """Its pool shares lower it at the end of the first stock round; then it does not run."""
    game = situation(
        swiss("FNM", "Ann", par=100, pool=3, operated=False, cash=500), edition=edition, phase="1", cash={"Bob": 100}
    )
    game.stock(round="SR 1").all_pass()
    assert (game.asked, game.price("FNM")) == (["Ann FNM company.turn"], "90 r2c4")
    game.do("FNM: train 2; done")
    assert game.price("FNM") == "80 r2c3"


@both
@pytest.mark.rule("1844:4.27", "1844:3.1")
@pytest.mark.parametrize(
    ("at", "pool", "after"),
    [
        ("r3c5", 0, "100 r2c5"),  # sold out
        ("r6c5", 0, "70 r5c5"),
        ("r2c2", 0, "70 r2c2"),  # there is nothing above
        ("r1c5", 0, "110 r1c5"),
        ("r3c5", 1, "80 r3c4"),
        ("r3c1", 1, "50 r4c1"),  # at the left edge down
        ("r1c3", 1, "80 r2c3"),
        ("r8c1", 1, "30 r8c1"),
    ],
)
def test_moves_after_the_stock_round(edition: str, at: str, pool: int, after: str) -> None:
    game = situation(swiss("JS", {"Ann": 4 - pool}, at, pool=pool), edition=edition).stock(round="SR 2").all_pass()
    assert (game.asked, game.price("JS")) == (["Ann JS company.turn"], after)


@both
@pytest.mark.rule("1844:4.27")
def test_unsold_shares_keep_a_price_where_it_is(edition: str) -> None:
    game = (
        situation(swiss("JS", {"Ann": 3}), swiss("BLS", {"Ann": 3, "Bob": 1}), edition=edition)
        .stock(round="SR 2")
        .all_pass()
    )
    assert (game.price("JS"), game.price("BLS")) == ("80 r4c5", "80 r4c5")


@both
@pytest.mark.rule("1844:4.27")
def test_a_company_that_is_not_launched_does_not_move(edition: str) -> None:
    row = swiss("BLS", {"Ann": 3}, pool=1)
    game = situation(row, swiss("JS", {"Ann": 3}), edition=edition).stock(round="SR 2").all_pass()
    assert (game.status("BLS"), game.price("BLS")) == ("unstarted", "80 r4c5")


@both
@pytest.mark.rule("1844:4.27", "1844:3.4")
def test_a_sold_out_regional_company_at_200_stays(edition: str) -> None:
    game = situation(swiss("VZ", {"Ann": 3, "Bob": 2}, "r1c12"), edition=edition).stock(round="SR 2").all_pass()
    assert game.price("VZ") == "200 r1c12"


@both
@pytest.mark.rule("1844:4.27", "1844:3.3")
def test_markers_move_in_operating_order(edition: str) -> None:
    """Both come to one space: the one that operated earlier lies on top, whatever moves it."""
    rows = (swiss("JS", {"Ann": 4}, "r4c5"), swiss("BLS", {"Ann": 9}, "r3c6", pool=1))
    game = situation(*rows, edition=edition).stock(round="SR 2").all_pass()
    assert (game.price("JS"), game.price("BLS")) == ("90 r3c5", "90 r3c5")
    assert game.order() == ["BLS", "JS"]


@both
@pytest.mark.rule("1844:4.26")
def test_the_richest_begins_the_next_stock_round(edition: str) -> None:
    game = situation(cash={"Ann": 50, "Bob": 70, "Cat": 50}, edition=edition, tiles={}).stock(round="SR 2")
    game.do("\n".join(f"{p}: pass" for p in ("Ann", "Bob", "Cat")))
    assert game.state.players == ("Bob", "Ann", "Cat"), "equal cash keeps the order"
    assert game.asked == ["Bob stock.turn"]
