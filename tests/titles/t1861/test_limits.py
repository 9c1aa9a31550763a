"""Starting public companies in 1861, certificate limits, and what the end of the stock round moves."""

from __future__ import annotations

import pytest

from engine.core.events import Passed
from engine.core.ids import PlayerId
from engine.holders.ledger import counted
from tests.kit.games.course_1861 import mvr, stock, to_the_end
from tests.kit.games.situations import Described, company

EDITIONS = ("v2.0", "first", "2020")
MINORS = ("N", "M-K", "K-B", "K-K", "O-K", "R-O", "SP-W", "M-V", "M-NN", "K-R", "E", "M-B", "S-V", "T-R", "V")


def minors_of(player: str, count: int) -> list[Described]:
    """So many certificates that cannot be sold."""
    return [company(m, player, at="r8c2") for m in MINORS[:count]]


# ---- starting a public company --------------------------------------------------------------------------------------


@pytest.mark.rule("3.11")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("phase", "refused"), [("3", {"start.too_early"}), ("4", set()), ("8", set())])
def test_public_companies_are_started_from_phase_4(edition: str, phase: str, refused: set[str]) -> None:
    assert stock(cash={"Bob": 400}, phase=phase, edition=edition).refusals("Bob: start MK at 100 in F18") == refused


@pytest.mark.rule("3.12", "1.10")
def test_what_a_started_company_has() -> None:
    game = stock(company("MVR", {"Cat": 2}, at="r5c6", markers=""), cash={"Bob": 450, "Cat": 100}, phase="4")
    game.do("Bob: start MK at 100 in F18")
    assert (game.money("Bob"), game.money("MK")) == (250, 200)
    assert game.shares("MK") == {"Bob": 2, "Treasury": 8}
    assert game.price("MK") == "100 r5c6"
    assert game.order() == ["MVR", "MK"], "beneath the marker that lay there"
    assert game.markers("MK") == ["F18"]
    assert game.director("MK") == "Bob"
    assert game.asked == ["Cat stock.turn"], "it was his purchase of the turn"


@pytest.mark.rule("3.12")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("price", "space"),
    [(70, "r6c4"), (80, "r6c5"), (90, "r5c5"), (100, "r5c6"), (110, "r4c6"), (120, "r4c7"), (135, "r3c7"),
     (150, "r3c8"), (165, "r2c8"), (180, "r2c9"), (200, "r1c9")],
)  # fmt: skip
def test_start_prices(edition: str, price: int, space: str) -> None:
    game = stock(cash={"Bob": 400}, phase="5", edition=edition)
    game.do(f"Bob: start GRR at {price} in F18")
    assert game.price("GRR") == f"{price} {space}"


@pytest.mark.rule("3.11", "3.12")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("start MK at 65 in F18", "start.price"),
        ("start MK at 220 in F18", "start.price"),
        ("start MK at 200 in F18", "start.money"),
        ("start MVR at 100 in F18", "start.started"),
        ("start K-R at 100 in F18", "start.not_public"),
        ("start RSR at 100 in F18", "start.not_public"),
        ("start MK at 100", "start.space"),
        ("start MK at 100 in E1/SE", "token.reserved"),
        ("start MK at 100 in H8/S", "token.reserved"),
    ],
)
def test_what_may_not_be_started(order: str, check: str) -> None:
    game = stock(mvr(), cash={"Bob": 399}, phase="4")
    assert check in game.refusals(f"Bob: {order}")


@pytest.mark.rule("3.13", "8.7")
@pytest.mark.parametrize("edition", EDITIONS)
def test_first_markers_on_an_untouched_map(edition: str) -> None:
    game = stock(cash={"Bob": 400}, phase="4", edition=edition)
    places = {line.rsplit(" in ", 1)[1] for line in game.menu() if line.startswith("start MK at 100 ")}
    assert {p.partition("/")[0] for p in places} == {"D14", "F18", "K7", "L12", "M7", "M19", "P2", "P8"}


@pytest.mark.rule("3.13")
@pytest.mark.parametrize(("edition", "refused"), [("v2.0", set()), ("first", set()), ("2020", {"start.connected"})])
def test_one_space_of_a_hex_is_looked_at_or_the_whole_hex(edition: str, refused: set[str]) -> None:
    """Kiev's space to the north-east is joined to Chernigov, the one to the south to nothing."""
    game = stock(cash={"Bob": 400}, phase="5", edition=edition, tiles={"E13": "58#1"})
    assert game.refusals("Bob: start MK at 100 in D14/NE") == {"start.connected"}
    assert game.refusals("Bob: start MK at 100 in D14/S") == refused


@pytest.mark.rule("3.13")
@pytest.mark.parametrize(("edition", "refused"), [("v2.0", set()), ("2020", {"start.occupied"})])
def test_the_second_circle_of_an_unconnected_city(edition: str, refused: set[str]) -> None:
    described = company("MVR", {"Cat": 2}, at="r5c6", markers="M7")
    game = stock(described, cash={"Bob": 400}, phase="4", edition=edition, tiles={"M7": "14#0"})
    assert game.refusals("Bob: start MK at 100 in M7") == refused


@pytest.mark.rule("3.13")
@pytest.mark.parametrize(("edition", "refused"), [("v2.0", set()), ("first", set()), ("2020", {"start.connected"})])
@pytest.mark.parametrize(
    ("order", "tiles"),
    [
        ("start SE at 100 in P8", {"P8": "57#0", "P10": "8#3"}),  # to Central Asia
        ("start MK at 100 in I19", {"I19": "57#0"}),  # straight into the Caucasus
    ],
)
def test_an_off_board_area_is_no_city(edition: str, refused: set[str], order: str, tiles: dict[str, str]) -> None:
    """Unconnected is what cannot trace a route to another city; a red area is none. On 18xx.games it counts."""
    game = stock(cash={"Bob": 400}, phase="5", edition=edition, tiles=tiles)
    assert game.refusals(f"Bob: {order}") == refused
    assert (order.replace("at 100", "at 70") in game.menu()) == (not refused)
    alone = stock(cash={"Bob": 400}, phase="5", edition=edition, tiles={h: t for h, t in tiles.items() if h != "P10"})
    assert alone.refusals("Bob: start MK at 100 in P8") == set()


@pytest.mark.rule("3.13")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_town_on_the_way_is_a_city(edition: str) -> None:
    game = stock(cash={"Bob": 400}, phase="5", edition=edition, tiles={"I19": "57#0", "I17": "58#0"})
    assert game.refusals("Bob: start MK at 100 in I19") == {"start.connected"}


# ---- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.14", "1.4", "1.5")
@pytest.mark.parametrize("order", ["buy MVR", "open V 100", "start MK at 100 in F18"])
def test_at_the_certificate_limit(order: str) -> None:
    described = (company("MVR", {"Cat": 3, "Bob": 2}, at="r5c6", markers=""), *minors_of("Bob", 14))
    game = stock(*described, players="Ann Bob Cat Dan", cash={"Bob": 500}, phase="4")
    assert counted(game.title, game.state, PlayerId("Bob")) == 16
    assert game.refusals(f"Bob: {order}") == {"buy.certificate_limit"}
    room = stock(*described[:-1], players="Ann Bob Cat Dan", cash={"Bob": 500}, phase="4")
    assert room.refusals(f"Bob: {order}") == set()


@pytest.mark.rule("3.14")
def test_a_sale_makes_room_in_the_same_turn() -> None:
    described = (company("MVR", {"Cat": 3, "Bob": 2}, at="r5c6", markers=""), *minors_of("Bob", 14))
    game = stock(*described, players="Ann Bob Cat Dan", cash={"Bob": 500})
    game.do("Bob: sell 1 MVR")
    assert game.refusals("Bob: open V 100") == set()


@pytest.mark.rule("3.15")
@pytest.mark.parametrize("edition", EDITIONS)
def test_over_the_limit_one_must_sell(edition: str) -> None:
    described = (company("MVR", {"Cat": 3, "Bob": 3}, at="r5c6", markers=""), *minors_of("Bob", 14))
    game = stock(*described, players="Ann Bob Cat Dan", cash={"Bob": 500}, edition=edition)
    assert counted(game.title, game.state, PlayerId("Bob")) == 17
    for order in ("pass", "buy MVR", "open V 100"):
        assert "stock.over_limit" in game.refusals(f"Bob: {order}")
    assert all(line.startswith("sell ") for line in game.menu())
    game.do("Bob: sell 1 MVR")
    assert game.refusals("Bob: pass") == set()


@pytest.mark.rule("3.15", "1.5")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("number", [2, 3, 4])
def test_two_and_more_over_the_limit(edition: str, number: int) -> None:
    """He sells until he is within the limit, in as many orders as he likes; a sale that is too small ends nothing."""
    described = (
        company("MVR", {"Cat": 4, "Bob": 3}, at="r5c6", markers=""),
        company("MK", {"Cat": 4, "Bob": 3}, at="r5c7", markers=""),
        *minors_of("Bob", 10 + number),
    )
    game = stock(*described, players="Ann Bob Cat Dan", cash={"Bob": 500}, edition=edition)
    assert counted(game.title, game.state, PlayerId("Bob")) == 16 + number
    for left in range(number, 0, -1):
        for order in ("pass", "buy MVR", "open V 100"):
            assert game.failures(f"Bob: {order}")["stock.over_limit"] == {"over": left, "limit": 16}
        assert {line.split()[0] for line in game.menu()} == {"sell"}
        game.do(f"Bob: sell 1 {'MVR' if left > 1 else 'MK'}")
    assert game.refusals("Bob: pass") == set()


@pytest.mark.rule("3.15")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_duty_goes_as_far_as_sales_are_legal(edition: str) -> None:
    """Two over, and the pool has room for one."""
    described = (company("MVR", {"Cat": 3, "Bob": 3}, at="r5c6", pool=4, markers=""), *minors_of("Bob", 15))
    game = stock(*described, players="Ann Bob Cat Dan", cash={"Bob": 500, "Cat": 500}, edition=edition)
    assert game.failures("Bob: pass") == {"stock.over_limit": {"over": 2, "limit": 16}}
    game.do("Bob: sell 1 MVR")
    assert game.asked == ["Cat stock.turn"], "nothing more can be sold, and nothing bought"


@pytest.mark.rule("3.15", "3.10")
def test_who_loses_the_chair_gets_two_certificates_for_one() -> None:
    described = (company("MVR", {"Bob": 2, "Cat": 2}, at="r5c6", markers=""), *minors_of("Bob", 15))
    game = stock(*described, players="Ann Bob Cat Dan", player="Cat", cash={"Bob": 500, "Cat": 100})
    assert counted(game.title, game.state, PlayerId("Bob")) == 16
    game.do("Cat: buy MVR")
    assert game.director("MVR") == "Cat"
    assert counted(game.title, game.state, PlayerId("Bob")) == 17
    game.passes_until("Bob stock.turn")
    assert game.menu() == ["sell 1 MVR"]


@pytest.mark.rule("3.15")
def test_the_duty_waits_while_nothing_can_be_sold() -> None:
    described = (mvr(bob=2, cat=1, operated=False), *minors_of("Bob", 15))
    game = stock(*described, company("MK", {"Cat": 2, "Bob": 2}, at="r5c6", operated=False, markers=""),
                 players="Ann Bob Cat Dan", cash={"Bob": 500, "Cat": 500})  # fmt: skip
    assert [e.actor for e in game.told(Passed) if e.forced] == ["Bob"]
    assert game.asked == ["Cat stock.turn"]


@pytest.mark.rule("2.14", "3.4")
def test_privates_are_not_sold_in_a_stock_round() -> None:
    game = stock(mvr(), privates={"WVR": "Bob"}, cash={"Bob": 500})
    assert not [line for line in game.menu() if "WVR" in line]


# ---- the end of the round -------------------------------------------------------------------------------------------


@pytest.mark.rule("3.16", "6.1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_sold_out_companies_rise_together_and_keep_their_order(edition: str) -> None:
    game = stock(
        company("SW", {"Ann": 4}, at="r2c9", markers=""),
        company("MK", {"Ann": 6, "Bob": 4}, at="r2c9", markers=""),
        company("NW", {"Ann": 5, "Cat": 5}, at="r1c8", markers=""),
        company("SE", {"Bob": 5, "Cat": 5}, at="r3c9", markers=""),
        edition=edition,
        phase="4",
    )
    to_the_end(game)
    assert [game.price(c) for c in ("MK", "NW", "SE", "SW")] == ["200 r1c9", "180 r2c9", "180 r2c9", "180 r2c9"]
    assert game.order() == ["MK", "SW", "NW", "SE"]


@pytest.mark.rule("3.16")
@pytest.mark.parametrize(
    ("holders", "pool", "at", "after"),
    [
        ({"Ann": 6, "Bob": 4}, 0, "r1c19", "540 r1c19"),
        ({"Ann": 6, "Bob": 4}, 0, "r1c7", "165 r2c8"),
        ({"Ann": 6, "Bob": 4}, 0, "r6c8", "120 r5c8"),
        ({"Ann": 6, "Bob": 3}, 1, "r6c8", "110 r6c8"),
        ({"Ann": 6, "Bob": 3}, 0, "r6c8", "110 r6c8"),
    ],
)
def test_where_sold_out_companies_go(holders: dict[str, int], pool: int, at: str, after: str) -> None:
    game = to_the_end(stock(company("MK", holders, at=at, pool=pool, markers=""), phase="4"))
    assert game.price("MK") == after


@pytest.mark.rule("17.1", "3.6", "3.16")
def test_the_column_moves_left_and_right_where_the_grid_moves_down_and_up() -> None:
    column = {"chart": "column"}
    game = stock(mvr(at="r1c15", cat=2), edition="2020", options=column)
    game.do("Bob: sell 1 MVR")
    assert game.price("MVR") == "135 r1c14"
    full = to_the_end(stock(mvr(at="r1c15", cat=5), edition="2020", options=column))
    assert full.price("MVR") == "165 r1c16"
