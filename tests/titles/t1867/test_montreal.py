"""The tiles of Montreal and Toronto in 1867, and the marker of CN that comes with the gray one.

Numbers in docstrings are rows and situations of the rule sheet."""

from __future__ import annotations

import pytest

from engine.core.events import MarkerPlaced, TileLaid
from engine.core.ids import CompanyId, HexId, TileId
from tests.kit.games.course_1867 import minor, places, public, turn
from tests.kit.games.situations import Described, Played

MONTREAL, TORONTO = HexId("L12"), HexId("F16")
PRINTED = {"CA": 1, "BO": 3}
"""Exits of the cities 0 and 1 of the printed hex, in which CA and BO stand: south-west and north."""
GREEN = {"637": range(6), "X1": range(6), "X2": (0, 1, 3, 4), "X3": (0, 1, 2, 5), "X4": range(6)}
"""The turns in which each green tile leaves both exits to cities of their own, by the facts."""


def exits(game: Played, hex: HexId, city: int) -> set[int]:
    return {a[1] for a, b in game.state.board.face(hex).paths if b == ("c", city)}


def city_of(game: Played, name: str, hex: HexId) -> int:
    (city,) = (c for h, c in game.state.board.places_of(CompanyId(name)) if h == hex)
    return city


# ---- Montreal -------------------------------------------------------------------------------------------------------


def green(phase: str = "3") -> Played:
    described = [minor(n, "Bob", cash=100, trains="3", markers=f"L12/{c}") for c, n in enumerate(("CA", "BO", "PM"))]
    return turn(*described, phase=phase, stage="track")


@pytest.mark.rule("7.14", "7.12", "7.8")
@pytest.mark.parametrize("tile", GREEN)
def test_every_old_city_keeps_its_exit(tile: str) -> None:
    """Row 7.9: three cities of 50 with two exits each; the one without track gets the rest. The tile costs 20."""
    game = green()
    orders = [f"lay {tile} L12 {turn}" for turn in range(6) if not game.refusals(f"CA: lay {tile} L12 {turn}")]
    assert [int(order.split()[-1]) for order in orders] == list(GREEN[tile])
    for order in orders:
        laid = green()
        laid.do(f"CA: {order}")
        cities = laid.state.board.face(MONTREAL).cities
        assert [(c.revenue, c.slots) for c in cities] == [(50, 1)] * 3
        assert sorted(city_of(laid, name, MONTREAL) for name in ("CA", "BO", "PM")) == [0, 1, 2], order
        found = {name: exits(laid, MONTREAL, city_of(laid, name, MONTREAL)) for name in ("CA", "BO", "PM")}
        assert all(len(found[name]) == 2 for name in found)
        assert all(exit in found[name] for name, exit in PRINTED.items()), (order, found)
        assert laid.money("CA") == 80


@pytest.mark.rule("7.14", "7.15", "7.12")
@pytest.mark.parametrize(
    ("old", "new", "joined"),
    [
        ("X1#0", "X5 0", {"BO", "PM"}),
        ("X1#0", "X5 1", {"CA", "PM"}),
        ("X1#0", "X5 2", {"CA", "BO"}),
        ("X3#0", "X6 0", {"CA", "PM"}),
        ("X3#0", "X7 1", {"CA", "BO"}),
        ("X3#0", "X7 2", {"BO", "PM"}),
    ],
)
def test_tile_and_turn_decide_which_cities_join(old: str, new: str, joined: set[str]) -> None:
    """Row 7.9: brown has a city of two circles and one of one,
    70 each; markers go with their city. Upgrades are free."""
    names = ("CA", "BO", "PM")
    described = [minor(n, "Bob", cash=100, trains="4", markers=f"L12/{c}") for c, n in enumerate(names)]
    game = turn(*described, phase="5", stage="track", tiles={"L12": old})
    before = {name: exits(game, MONTREAL, city_of(game, name, MONTREAL)) for name in names}
    game.do(f"CA: lay {new.replace(' ', ' L12 ')}")
    cities = game.state.board.face(MONTREAL).cities
    assert sorted((c.revenue, c.slots) for c in cities) == [(70, 1), (70, 2)]
    at = {name: city_of(game, name, MONTREAL) for name in names}
    pair = next(i for i, c in enumerate(cities) if c.slots == 2)
    assert {name for name in names if at[name] == pair} == joined
    assert all(before[name] <= exits(game, MONTREAL, at[name]) for name in names)
    assert game.money("CA") == 100


@pytest.mark.rule("7.14")
@pytest.mark.parametrize(("phase", "lays"), [("2", set()), ("3", set(GREEN)), ("4", set(GREEN))])
def test_each_green_tile_of_montreal_is_there_once(phase: str, lays: set[str]) -> None:
    """Row 7.9."""
    game = green(phase)
    assert {line.split()[1] for line in game.menu() if " L12 " in line} == lays
    assert {game.title.map.tiles[TileId(t)].count for t in GREEN} == {1}


def gray(*others: Described, cn: str = "F16/0") -> Played:
    cnr = public("CNR", "Bob", 120, cash=1000, trains="7", markers="L12/0")
    game = turn(cnr, *others, stage="track", phase="7", tiles={"L12": "X5#0"}, cn=cn)
    game.do("CNR: lay 639 L12 0")
    return game


GTR = public("GTR", "Cat", 110, trains="7", markers="L12/1")


@pytest.mark.rule("12.4", "12.5", "7.15", "8.3")
def test_gray_montreal_has_a_marker_of_cn_at_once() -> None:
    """Situation 11, row 7.10."""
    game = gray(public("CPR", "Ann", 100, trains="7", markers="L12/0"), GTR)
    (city,) = game.state.board.face(MONTREAL).cities
    assert (city.revenue, city.slots) == (100, 4)
    assert set(game.state.board.at(MONTREAL, 0)) == {"CNR", "CPR", "GTR", "CN"}
    assert places(game, "CN") == ["F16/0", "L12/0"], "six of the eight are left"
    assert [type(e) for e in game.events if isinstance(e, TileLaid | MarkerPlaced)] == [TileLaid, MarkerPlaced]
    assert game.title.policies.reserved(game.title, game.state, MONTREAL, CompanyId("CNR")) == ()
    assert game.asked == ["Bob CNR company.turn"], "the layer goes on"


@pytest.mark.rule("12.4", "8.3")
def test_no_second_marker_of_cn_in_montreal() -> None:
    """Situation 11, row 7.10: the fourth circle is free."""
    game = gray(GTR, cn="F16/0 L12/0")
    assert set(game.state.board.at(MONTREAL, 0)) == {"CNR", "GTR", "CN"}
    assert game.state.board.free(MONTREAL, 0) == 1


@pytest.mark.rule("12.4", "8.2")
def test_the_fourth_circle_is_free_for_others_where_fewer_stand() -> None:
    """Row 7.10: with two companies there one circle is left after CN's marker."""
    game = gray(GTR)
    assert set(game.state.board.at(MONTREAL, 0)) == {"CNR", "GTR", "CN"}
    assert game.state.board.free(MONTREAL, 0) == 1


@pytest.mark.rule("7.2", "7.14", "5.6")
@pytest.mark.parametrize("phase", ["5", "6", "7"])
def test_gray_tiles_come_with_phase_7(phase: str) -> None:
    """Rows 5.5, 5.6, 7.2."""
    game = turn(public("CNR", "Bob", cash=100, trains="7", markers="L12/0 F16/1"), stage="track", phase=phase,
                tiles={"L12": "X5#0", "F16": "122#1"})  # fmt: skip
    for order in ("lay 639 L12 0", "lay 124 F16 1"):
        assert game.refusals(f"CNR: {order}") == (set() if phase == "7" else {"lay.color"})


# ---- Toronto --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.14", "1.12")
@pytest.mark.parametrize(
    ("phase", "old", "order", "cities"),
    [
        ("3", {}, "lay 120 F16 1", [(60, 1), (60, 1)]),
        ("5", {"F16": "120#1"}, "lay 122 F16 1", [(80, 2), (80, 2)]),
        ("7", {"F16": "122#1"}, "lay 124 F16 1", [(100, 4)]),
    ],
)
def test_the_tiles_of_toronto(phase: str, old: dict[str, str], order: str, cities: list[tuple[int, int]]) -> None:
    """Row 7.11: each in one turn only, for nothing; CN stays in the city with the south-west exit."""
    game = turn(minor("CA", "Bob", cash=0, trains="7", markers="F16/1"), phase=phase, stage="track", tiles=old)
    assert [line for line in game.menu() if " F16 " in line] == [order]
    game.do(f"CA: {order}")
    assert [(c.revenue, c.slots) for c in game.state.board.face(TORONTO).cities] == cities
    assert 1 in exits(game, TORONTO, city_of(game, "CN", TORONTO))
    assert 4 in exits(game, TORONTO, city_of(game, "CA", TORONTO))


@pytest.mark.rule("1.12", "8.2", "8.4")
@pytest.mark.parametrize(("tile", "phase", "free"), [("120#1", "5", False), ("122#1", "5", True), ("124#1", "7", True)])
def test_from_brown_on_a_circle_is_free_beside_cn(tile: str, phase: str, free: bool) -> None:
    """Row 7.11."""
    game = turn(public("CNR", "Bob", cash=100, trains="7", markers="E17"), phase=phase, stage="token",
                tiles={"F16": tile, "E17": "57#1"})  # fmt: skip
    order = "token F16/SW" if "122" in tile else "token F16"
    assert (game.refusals(f"CNR: {order}") == set()) == free
    if free:
        game.do(f"CNR: {order}")
        assert (game.money("CNR"), city_of(game, "CNR", TORONTO)) == (80, city_of(game, "CN", TORONTO))
