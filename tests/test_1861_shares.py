"""Stock turns of 1861: selling, directors, buying, starting public companies, limits, and the end of the round."""

from __future__ import annotations

import pytest

from engine.core.events import Passed
from engine.core.ids import PlayerId
from engine.finance.holdings import certificates
from tests.course_1861 import stock
from tests.situations import Described, Played, company

EDITIONS = ("v2.0", "first", "2020")
BY_TURN = ("v2.0", "first")
MINORS = ("N", "M-K", "K-B", "K-K", "O-K", "R-O", "SP-W", "M-V", "M-NN", "K-R", "E", "M-B", "S-V", "T-R", "V")


def mvr(bob: int = 5, cat: int = 3, pool: int = 0, at: str = "r3c8", operated: bool = True) -> Described:
    return company("MVR", {"Bob": bob, "Cat": cat}, at=at, pool=pool, operated=operated, markers="")


def minors_of(player: str, count: int, skip: int = 0) -> list[Described]:
    """So many certificates that cannot be sold."""
    return [company(m, player, at="r8c2") for m in MINORS[skip : skip + count]]


def to_the_end(game: Played) -> Played:
    """All pass until the stock round is over."""
    while game.state.round.kind == "SR":
        game.do(f"{game.asked[0].split()[0]}: pass")
    return game


# ---- selling --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.5", "3.6", "3.8")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_director_sells_three_and_loses_the_chair(edition: str) -> None:
    game = stock(mvr(), edition=edition)
    game.do("Bob: sell 3 MVR")
    assert game.money("Bob") == 450
    assert game.director("MVR") == "Cat"
    assert game.shares("MVR") == {"Bob": 2, "Cat": 3, "Pool": 3, "Treasury": 2}
    assert game.price("MVR") == "135 r4c8"


@pytest.mark.rule("3.6", "3.5")
@pytest.mark.parametrize(("edition", "received"), [("v2.0", 600), ("first", 600), ("2020", 585)])
def test_two_sales_of_one_company_in_a_turn(edition: str, received: int) -> None:
    game = stock(mvr(), edition=edition)
    game.do("Bob: sell 3 MVR\nBob: sell 1 MVR")
    assert game.money("Bob") == received
    assert game.price("MVR") == "135 r4c8", "in the second sale Bob is no director any more"


@pytest.mark.rule("3.6", "3.5")
@pytest.mark.parametrize(
    ("edition", "received", "price"), [("v2.0", 300, "135 r4c8"), ("first", 300, "135 r4c8"), ("2020", 285, "120 r5c8")]
)
def test_two_sales_of_a_director_who_stays_one(edition: str, received: int, price: str) -> None:
    game = stock(mvr(cat=2), edition=edition)
    game.do("Bob: sell 1 MVR; sell 1 MVR")
    assert (game.money("Bob"), game.price("MVR"), game.director("MVR")) == (received, price, "Bob")


@pytest.mark.rule("3.6")
def test_the_price_falls_again_in_the_next_turn() -> None:
    game = stock(mvr(cat=2))
    game.do("Bob: sell 1 MVR; pass")
    game.passes_until("Bob stock.turn").do("Bob: sell 1 MVR")
    assert (game.money("Bob"), game.price("MVR")) == (285, "120 r5c8")


@pytest.mark.rule("3.8")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_director_with_two_shares_may_sell_one_to_make_another_director(edition: str) -> None:
    game = stock(mvr(bob=2, cat=2), edition=edition)
    game.do("Bob: sell 1 MVR")
    assert game.director("MVR") == "Cat"
    assert game.shares("MVR") == {"Bob": 1, "Cat": 2, "Pool": 1, "Treasury": 6}
    assert certificates(game.state, PlayerId("Cat")) == 1
    assert game.price("MVR") == "135 r4c8"


@pytest.mark.rule("3.6")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_sale_by_others_does_not_move_the_price(edition: str) -> None:
    game = stock(mvr(), player="Cat", edition=edition)
    game.do("Cat: sell 2 MVR")
    assert (game.price("MVR"), game.money("Cat")) == ("150 r3c8", 300)
    assert game.shares("MVR")["Pool"] == 2


@pytest.mark.rule("3.6", "3.7")
def test_on_a_ledge_the_price_and_the_place_in_the_stack_stay() -> None:
    game = stock(mvr(at="r6c8", cat=2), company("MK", {"Ann": 4}, at="r6c8", markers=""))
    game.do("Bob: sell 1 MVR")
    assert game.price("MVR") == "110 r6c8"
    assert game.order() == ["MVR", "MK"]


@pytest.mark.rule("3.7")
@pytest.mark.parametrize(("first", "second"), [("MVR", "SW"), ("SW", "MVR")])
def test_the_order_of_sales_is_the_order_of_falling(first: str, second: str) -> None:
    game = stock(
        mvr(), company("SW", {"Bob": 4}, at="r3c8", markers=""), company("MK", {"Ann": 4}, at="r4c8", markers="")
    )
    game.do(f"Bob: sell 1 {first}; sell 1 {second}")
    assert game.order() == ["MK", first, second]


@pytest.mark.rule("3.8")
@pytest.mark.parametrize(
    ("holders", "sold", "director"),
    [
        ({"Bob": 5, "Cat": 3, "Dan": 2}, 3, "Cat"),
        ({"Bob": 4, "Cat": 3, "Dan": 3}, 2, "Cat"),
        ({"Bob": 4, "Dan": 3, "Ann": 3}, 2, "Dan"),
        ({"Bob": 4, "Ann": 3, "Cat": 2}, 2, "Ann"),
        ({"Bob": 5, "Cat": 3}, 2, "Bob"),
        ({"Bob": 2, "Cat": 2, "Dan": 2}, 2, "Cat"),
    ],
)
def test_who_becomes_director_by_a_sale(holders: dict[str, int], sold: int, director: str) -> None:
    game = stock(company("MVR", holders, at="r3c8", markers=""), players="Ann Bob Cat Dan")
    game.do(f"Bob: sell {sold} MVR")
    assert game.director("MVR") == director


@pytest.mark.rule("3.4", "3.8")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("described", "order", "refused"),
    [
        (mvr(cat=1), "sell 4 MVR", {"sell.director"}),
        (mvr(cat=1), "sell 3 MVR", set()),
        (mvr(bob=2, cat=1), "sell 1 MVR", {"sell.director"}),
        (mvr(bob=5, cat=3), "sell 5 MVR", set()),
        (mvr(bob=6, cat=2), "sell 6 MVR", {"sell.pool_full"}),
        (mvr(bob=5, cat=2, pool=3), "sell 3 MVR", {"sell.pool_full"}),
        (mvr(bob=5, cat=2, pool=3), "sell 2 MVR", set()),
        (mvr(operated=False), "sell 1 MVR", {"sell.not_operated"}),
        (company("K-R", "Bob", at="r6c4"), "sell 1 K-R", {"sell.not_for_sale"}),
        (mvr(), "sell 6 MVR", {"sell.not_held"}),
    ],
)
def test_what_may_not_be_sold(edition: str, described: Described, order: str, refused: set[str]) -> None:
    assert stock(described, edition=edition, cash={"Bob": 500}).refusals(f"Bob: {order}") == refused


@pytest.mark.rule("3.4", "14.20")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_started_company_is_not_sold_before_its_turn(edition: str) -> None:
    game = stock(edition=edition, cash={"Bob": 400}, phase="4")
    game.do("Bob: start MK at 100 in F18")
    assert game.asked == ["Bob stock.turn"], "nobody else has money"
    assert "sell.not_operated" in game.refusals("Bob: sell 1 MK")


@pytest.mark.rule("3.1", "3.2")
def test_a_sale_alone_is_no_pass() -> None:
    game = stock(mvr(), company("SW", {"Ann": 5}, at="r3c8", markers=""), cash={"Ann": 5, "Bob": 5, "Cat": 5})
    game.do("Bob: pass\nCat: pass\nAnn: sell 1 SW; pass")
    assert game.state.round.kind == "SR"
    assert game.asked == ["Bob stock.turn"]
    game.do("Bob: pass\nCat: pass")
    assert game.state.round.kind == "SR", "Ann sold in her turn: she is asked again"
    game.do("Ann: pass")
    assert game.state.round.kind != "SR"


@pytest.mark.rule("3.1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_sales_come_before_the_purchase_and_one_purchase_ends_the_turn(edition: str) -> None:
    game = stock(mvr(), company("SW", {"Ann": 5}, at="r3c8", markers=""), cash={"Bob": 300}, edition=edition)
    game.do("Bob: sell 1 MVR; buy SW")
    assert game.asked == ["Cat stock.turn"]
    assert game.refusals("Bob: buy SW") == {"order.not_asked"}


@pytest.mark.rule("3.3")
def test_the_priority_deal_after_a_sale_and_after_nothing() -> None:
    sold = stock(mvr(), priority="Ann")
    sold.do("Bob: sell 1 MVR; pass")
    assert to_the_end(sold).state.priority == "Cat"
    idle = stock(mvr(), priority="Ann")
    assert to_the_end(idle).state.priority == "Ann"


# ---- buying ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.9")
def test_money_goes_to_the_company_or_to_the_bank() -> None:
    game = stock(mvr(pool=1), cash={"Ann": 500, "Bob": 500}, player="Ann")
    assert game.refusals("Ann: buy MVR") == {"ambiguous.source"}
    bank = game.money("Bank")
    game.do("Ann: buy MVR from treasury")
    assert (game.money("MVR"), game.money("Bank")) == (150, bank)
    game.do("Bob: buy MVR from pool")
    assert (game.money("MVR"), game.money("Bank")) == (150, bank + 150)
    assert game.price("MVR") == "150 r3c8"
    assert game.shares("MVR") == {"Ann": 1, "Bob": 6, "Cat": 3}


@pytest.mark.rule("3.9", "1.6")
@pytest.mark.parametrize(
    ("described", "order", "refused"),
    [
        (mvr(bob=6), "buy MVR", {"buy.holding_limit"}),
        (mvr(bob=5), "buy MVR", set()),
        (mvr(bob=5), "buy MVR from pool", {"buy.none_left"}),
        (mvr(bob=5, cat=5), "buy MVR", {"buy.none_left"}),
        (mvr(at="r1c12"), "buy MVR", {"buy.money"}),
        (mvr(), "buy MK", {"buy.not_started"}),
        (company("K-R", "Cat", at="r6c4"), "buy K-R", {"buy.not_for_sale"}),
    ],
)
def test_what_may_not_be_bought(described: Described, order: str, refused: set[str]) -> None:
    assert stock(described, cash={"Bob": 200}).refusals(f"Bob: {order}") == refused


@pytest.mark.rule("1.6", "1.1")
def test_two_players_may_hold_seventy_percent() -> None:
    for held, refused in ((6, set()), (7, {"buy.holding_limit"})):
        game = stock(mvr(bob=held, cat=2), players="Bob Cat", edition="2020", cash={"Bob": 200})
        assert game.refusals("Bob: buy MVR") == refused


@pytest.mark.rule("3.9")
def test_who_sold_a_company_does_not_buy_it_in_the_same_round() -> None:
    game = stock(mvr(), cash={"Bob": 500, "Cat": 500})
    game.do("Bob: sell 1 MVR")
    assert game.refusals("Bob: buy MVR from pool") == {"buy.sold_before"}
    game.do("Bob: pass\nCat: buy MVR from pool\nAnn: pass" if "Ann stock.turn" in game.asked else "Bob: pass")
    while game.asked != ["Bob stock.turn"]:
        game.do(f"{game.asked[0].split()[0]}: pass")
    assert game.refusals("Bob: buy MVR from treasury") == {"buy.sold_before"}


@pytest.mark.rule("3.10")
def test_more_shares_than_the_director_make_a_director_and_as_many_do_not() -> None:
    game = stock(mvr(bob=3, cat=2), player="Cat", cash={"Cat": 500})
    game.do("Cat: buy MVR")
    assert game.director("MVR") == "Bob"
    while game.asked != ["Cat stock.turn"]:
        game.do(f"{game.asked[0].split()[0]}: pass")
    game.do("Cat: buy MVR")
    assert game.director("MVR") == "Cat"
    assert game.shares("MVR") == {"Bob": 3, "Cat": 4, "Treasury": 3}
    assert certificates(game.state, PlayerId("Cat")) == 3
    assert certificates(game.state, PlayerId("Bob")) == 3


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
def test_an_off_board_area_is_a_connection() -> None:
    """Rostov's tile leads straight into the Caucasus."""
    free = stock(cash={"Bob": 400}, phase="5", tiles={"I19": "57#1"})
    joined = stock(cash={"Bob": 400}, phase="5", tiles={"I19": "57#0"})
    assert free.refusals("Bob: start MK at 100 in I19") == set()
    assert joined.refusals("Bob: start MK at 100 in I19") == {"start.connected"}


# ---- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.14", "1.4", "1.5")
@pytest.mark.parametrize("order", ["buy MVR", "open V 100", "start MK at 100 in F18"])
def test_at_the_certificate_limit(order: str) -> None:
    described = (company("MVR", {"Cat": 3, "Bob": 2}, at="r5c6", markers=""), *minors_of("Bob", 14))
    game = stock(*described, players="Ann Bob Cat Dan", cash={"Bob": 500}, phase="4")
    assert certificates(game.state, PlayerId("Bob")) == 16
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
    assert certificates(game.state, PlayerId("Bob")) == 17
    for order in ("pass", "buy MVR", "open V 100"):
        assert "stock.over_limit" in game.refusals(f"Bob: {order}")
    assert all(line.startswith("sell ") for line in game.menu())
    game.do("Bob: sell 1 MVR")
    assert game.refusals("Bob: pass") == set()


@pytest.mark.rule("3.15", "3.10")
def test_who_loses_the_chair_gets_two_certificates_for_one() -> None:
    described = (company("MVR", {"Bob": 2, "Cat": 2}, at="r5c6", markers=""), *minors_of("Bob", 15))
    game = stock(*described, players="Ann Bob Cat Dan", player="Cat", cash={"Bob": 500, "Cat": 100})
    assert certificates(game.state, PlayerId("Bob")) == 16
    game.do("Cat: buy MVR")
    assert game.director("MVR") == "Cat"
    assert certificates(game.state, PlayerId("Bob")) == 17
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
