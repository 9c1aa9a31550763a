"""Stock turns of 1861: selling, directors, buying."""

from __future__ import annotations

import pytest

from engine.core.ids import PlayerId
from engine.holders.ledger import counted
from tests.kit.games.course_1861 import mvr, stock, to_the_end
from tests.kit.games.situations import Described, company

EDITIONS = ("v2.0", "first", "2020")


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
    assert counted(game.title, game.state, PlayerId("Cat")) == 1
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
    assert counted(game.title, game.state, PlayerId("Cat")) == 3
    assert counted(game.title, game.state, PlayerId("Bob")) == 3
