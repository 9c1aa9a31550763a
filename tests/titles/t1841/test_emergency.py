"""Emergency money in 1841: who sells what for a train that must be bought, at which price, and what it may not cost."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import CompanyId, PlayerId
from engine.titles.t1841.money.emergency import sales_for
from engine.titles.t1841.names import SOLD
from tests.kit.games.situations_1841 import EDITIONS, Firm, Italian, firm, situation

ROUTE = {"G5": "9#1", "F6": "1#0"}
"""Track from the north-eastern city of Torino to a small city: SFTN there has a route, and needs a train."""


def in_need(*others: Firm, owner: dict[str, int] | None = None, cash: int = 0, **more: Any) -> Italian:
    """SFTN has no train; a 4-train costs 350."""
    sftn = firm("SFTN", owner or {"Ann": 5, "Bob": 5}, "F4", cash=cash, markers="H4/1")
    return situation(sftn, *others, tiles=ROUTE, **more).turn("SFTN", "trains")


def sftg(holders: dict[str, int], at: str = "D5", **more: Any) -> Firm:
    return firm("SFTG", holders, at, markers="J6", **more)


HALVES = [("clarified", 1, 320, 38), ("v2", 1, 320, 39), ("clarified", 3, 250, 115), ("v2", 3, 250, 116)]


@pytest.mark.clarification("2.22")
@pytest.mark.clarification("2.22", site=True)
@pytest.mark.clarification("5.6")
@pytest.mark.rule("8.11")
@pytest.mark.parametrize(("edition", "number", "cash", "brings"), HALVES)
def test_half_prices_are_rounded_once(edition: str, number: int, cash: int, brings: int) -> None:
    """S8: one share at 77 brings 38 (on the site 39), three bring 115 (116)."""
    game = in_need(sftg({"Bob": 2, "SFTN": 3}), cash=cash, edition=edition)
    game.do(f"SFTN: sell {number} SFTG")
    assert game.money("SFTN") == cash + brings
    assert game.place("SFTG").endswith(f"D{5 + number}")


@pytest.mark.clarification("2.22")
@pytest.mark.clarification("2.22", site=True)
@pytest.mark.parametrize(
    ("edition", "at", "number", "brings"),
    [("clarified", "I9", 1, 34), ("v2", "I9", 1, 35), ("clarified", "H3", 4, 258), ("v2", "H3", 4, 258)],
)
def test_sales_that_a_record_has(edition: str, at: str, number: int, brings: int) -> None:
    """S8: one share at 69 brought 35 on the site, four at 129 brought 258."""
    game = in_need(sftg({"Bob": 2, "SFTN": number}, at), cash=350 - brings, edition=edition)
    game.do(f"SFTN: sell {number} SFTG")
    assert game.money("SFTN") == 350


@pytest.mark.clarification("1.15")
@pytest.mark.clarification("2.22")
@pytest.mark.parametrize("edition", ["clarified", "v2"])
def test_seven_shares_of_its_own_that_a_record_has(edition: str) -> None:
    """S8: seven at 90 bring 315, and the price falls seven rows."""
    sftn = firm("SFTN", {"Ann": 3}, "E4", cash=35, markers="H4/1")
    game = situation(sftn, tiles=ROUTE, edition=edition).turn("SFTN", "trains")
    game.do("SFTN: sell 7 SFTN")
    assert (game.money("SFTN"), game.place("SFTN")) == (350, "26 E11")


@pytest.mark.clarification("2.22")
def test_the_total_of_a_seller_is_rounded_down_over_several_sales() -> None:
    """One at 63 and one at 57 bring 60 together: 31 and then 29."""
    game = in_need(sftg({"Bob": 2, "SFTN": 2}, "A2"), cash=300)
    game.do("SFTN: sell 1 SFTG")
    assert game.money("SFTN") == 331
    game.do("SFTN: sell 1 SFTG")
    assert game.money("SFTN") == 360


@pytest.mark.clarification("1.14")
@pytest.mark.rule("8.12")
def test_stock_without_history_the_pool_over_half_and_presidencies_may_be_sold() -> None:
    game = in_need(sftg({"SFTN": 2}, pool=5, history=False), cash=280)
    assert game.accepted() == ["sell 1 SFTG"]
    game.do("SFTN: sell 2 SFTG")
    assert game.president("SFTG") == "Pool" and game.frozen("SFTG")
    assert game.shares("SFTG") == {"Pool": 7, "Treasury": 3}


@pytest.mark.clarification("1.14")
@pytest.mark.rule("8.12")
def test_what_may_not_be_sold_otherwise_may_be_sold_before_what_may() -> None:
    """SSFL has not operated, SFTG has: SFTN keeps its share of SFTG."""
    ssfl = firm("SSFL", {"Bob": 2, "SFTN": 1}, "D5", markers="Q11", history=False)
    game = in_need(sftg({"Bob": 2, "SFTN": 1}), ssfl, cash=312)
    assert game.accepted() == ["sell 1 SSFL", "sell 1 SFTG"]
    game.do("SFTN: sell 1 SSFL")
    assert (game.money("SFTN"), game.shares("SFTG")["SFTN"]) == (350, 1)


@pytest.mark.clarification("1.14")
@pytest.mark.clarification("1.14", site=True)
@pytest.mark.rule("8.14")
@pytest.mark.parametrize(("edition", "found"), [("clarified", set()), ("v2", {"help.control"})])
def test_control_is_kept_and_by_the_site_every_presidency_of_the_chain(edition: str, found: set[str]) -> None:
    """SSFL, which Ann controls, gives the presidency of SFTN to Ann: she still controls it."""
    game = in_need(
        firm("SSFL", {"Ann": 5, "Bob": 5}, "F4", markers="Q11"),
        owner={"SSFL": 4, "Ann": 3, "Bob": 2, "Cat": 1},
        edition=edition,
        cash=200,
    )
    assert "Ann SSFL company.help" in game.asked
    assert game.refusals("SSFL: sell 2 SFTN") == found


def test_nobody_sells_what_would_lose_him_the_operating_company() -> None:
    game = in_need(owner={"Ann": 4, "Bob": 3, "Cat": 3}, cash=310)
    assert game.asked == ["Ann company.help"]
    assert "help.control" in game.refusals("Ann: sell 2 SFTN")
    assert game.accepted() == ["sell 1 SFTN"]


@pytest.mark.clarification("1.15")
@pytest.mark.clarification("5.6")
@pytest.mark.rule("8.13")
def test_own_stock_is_sold_like_any_other_also_in_the_first_turn() -> None:
    game = situation(firm("SFTN", {"Ann": 3}, "F4", cash=200, markers="H4/1", history=False), tiles=ROUTE).turn(
        "SFTN", "trains"
    )
    game.do("SFTN: sell 3 SFTN")
    assert game.money("SFTN") == 350 and game.place("SFTN") == "75 F7"
    assert game.shares("SFTN") == {"Ann": 3, "Pool": 3, "Treasury": 4}


@pytest.mark.clarification("1.15")
@pytest.mark.rule("8.13")
def test_own_stock_is_sold_before_that_of_others_if_its_president_likes() -> None:
    """SFTN may keep its share of SFTG at 77 and sell one of its own at 100."""
    game = in_need(sftg({"Bob": 2, "SFTN": 1}), owner={"Ann": 5, "Bob": 3}, cash=300)
    assert game.accepted() == ["sell 1 SFTG", "sell 1 SFTN"]
    game.do("SFTN: sell 1 SFTN")
    assert game.money("SFTN") == 350 and game.shares("SFTG")["SFTN"] == 1


@pytest.mark.rule("8.10")
def test_money_and_stock_go_level_by_level_and_no_further_than_needed() -> None:
    """SFTN sells SFTG and then its own stock, by a ruling in this order; then come SSFL and Ann."""
    game = in_need(
        sftg({"Bob": 2, "SFTN": 1}),
        firm("SSFL", {"Ann": 4, "Bob": 3}, "F4", cash=30, markers="Q11"),
        owner={"SSFL": 6, "Bob": 3},
        cash=200,
        options={"emergency_order": "stock_first"},
    )
    assert game.asked == ["Ann SFTN company.turn"]
    assert game.refusals("SFTN: sell 1 SFTN") == {"help.stock_first"}
    assert game.refusals("SFTN: train 4") == {"train.raise_first"}
    game.do("SFTN: sell 1 SFTG")  # 38
    game.do("SFTN: sell 1 SFTN")  # 50
    assert game.asked == ["Ann SSFL company.help"]  # 62 is missing, 30 of it are in the treasury of SSFL
    assert game.failures("SSFL: sell 2 SFTN")["help.too_much"]["least"] == 1
    assert "help.stock_first" in game.refusals("SSFL: sell 1 SSFL")
    game.do("SSFL: sell 1 SFTN")  # 47
    assert (game.money("SFTN"), game.money("SSFL")) == (350, 15)
    assert game.asked == ["Ann SFTN company.turn"] and game.accepted()[0] == "train 4"


@pytest.mark.rule("8.10")
def test_by_the_ruling_of_the_site_anybody_of_the_chain_sells_anything() -> None:
    game = in_need(sftg({"Bob": 2, "SFTN": 1, "Ann": 3}), owner={"Ann": 3, "Bob": 3}, cash=200, edition="v2")
    assert game.asked == ["Ann SFTN company.turn", "Ann company.help"]
    assert game.refusals("SFTN: sell 4 SFTN") == set()
    game.do("Ann: sell 3 SFTG")
    assert (game.money("SFTN"), game.money("Ann")) == (316, 0)


@pytest.mark.rule("8.10")
@pytest.mark.parametrize(("edition", "found"), [("clarified", {"order.not_asked"}), ("v2", set()), ("v1", set())])
def test_by_the_sites_ruling_a_player_sells_though_his_company_can_pay(edition: str, found: set[str]) -> None:
    """The company has no train and must buy one; it may sell nothing itself, because it has enough."""
    game = in_need(sftg({"Bob": 2, "Ann": 3}), owner={"Ann": 3, "Bob": 3}, cash=350, edition=edition)
    assert game.refusals("Ann: sell 1 SFTG") == found
    assert game.refusals("SFTN: sell 1 SFTN") != set()


@pytest.mark.rule("8.10")
def test_by_the_sites_ruling_companies_sell_only_while_one_of_them_must() -> None:
    """SSFL above has the money, and nothing to sell: SFTN need not sell its share, and so may not."""
    ssfl = firm("SSFL", {"Ann": 5, "Bob": 5}, "F4", cash=300, markers="Q11")
    game = in_need(sftg({"Bob": 2}), ssfl, owner={"SSFL": 6, "Bob": 4}, cash=100, edition="v2")
    assert game.refusals("SFTN: train 4") == set()
    poor = firm("SSFL", {"Ann": 3, "Bob": 5}, "F4", cash=300, markers="Q11")
    game = in_need(sftg({"Bob": 2}), poor, owner={"SSFL": 6, "Bob": 4}, cash=100, edition="v2")
    assert game.refusals("SSFL: sell 1 SSFL") != set()  # 400 are there before it must sell


@pytest.mark.rule("8.14")
@pytest.mark.parametrize(("edition", "most"), [("clarified", 3), ("v2", 1), ("v1", 1)])
def test_by_the_sites_ruling_nobody_has_more_of_a_historical_company_than_its_president_after_an_emergency(
    edition: str, most: int
) -> None:
    """Ann presides by her concession over SFTG, which has no part in the chain; Bob has four shares to her five."""
    game = situation(
        firm("SFTN", {"Ann": 5, "Bob": 5}, "F4", markers="H4/1"),
        sftg({"Ann": 5, "Bob": 4}, pool=1),
        tiles=ROUTE, phase="3", edition=edition, privates={"C-SFTN": "Ann", "C-SFTG": "Ann"},
    ).turn("SFTN", "trains")  # fmt: skip
    sales = sales_for(game.title, game.state, CompanyId("SFTN"), PlayerId("Ann"))
    assert max(number for company, number in sales if company == "SFTG") == most


def test_money_of_those_above_moves_down_by_itself_when_they_have_nothing_to_sell_before() -> None:
    ssfl = firm("SSFL", {"Ann": 5, "Bob": 5}, "F4", cash=300, markers="Q11")
    game = in_need(ssfl, owner={"SSFL": 6, "Bob": 4}, cash=100)
    game.do("SFTN: train 4")
    assert (game.money("SFTN"), game.money("SSFL")) == (0, 50)


@pytest.mark.rule("8.10")
def test_a_seller_who_is_no_longer_above_the_company_moves_no_money() -> None:
    """SSFL sells the presidency of SFTN, which passes to SFTC: SFTC must sell before Ann pays."""
    game = situation(
        firm("SFTN", {"SSFL": 4, "SFTC": 3, "Bob": 2, "Cat": 1}, "F4", cash=100, markers="H4/1"),
        firm("SSFL", {"Ann": 5, "Bob": 5}, "F4", cash=10, markers="Q11"),
        firm("SFTC", {"Ann": 3, "Bob": 2}, "F4", cash=40, markers="M3"),
        sftg({"Bob": 2, "SFTC": 2}),
        tiles=ROUTE, cash={"Ann": 500},
    ).turn("SFTN", "trains")  # fmt: skip
    game.do("SSFL: sell 2 SFTN")
    assert (game.money("SFTN"), game.money("SSFL"), game.money("SFTC"), game.money("Ann")) == (100, 110, 40, 500)
    game.do("SFTC: sell 2 SFTG")
    assert (game.money("SFTN"), game.money("SFTC"), game.money("Ann")) == (217, 0, 500)


@pytest.mark.rule("8.10")
def test_a_new_owner_sells_before_the_player_who_made_it_the_owner_pays() -> None:
    """Ann sells the presidency of SFTN, which passes to SSFL, a company of hers: SSFL must sell first."""
    game = situation(
        firm("SFTN", {"Ann": 4, "SSFL": 3, "Bob": 2, "Cat": 1}, "F4", cash=100, markers="H4/1"),
        firm("SSFL", {"Ann": 5, "Bob": 5}, "F4", cash=10, markers="Q11"),
        sftg({"Bob": 2, "SSFL": 2}),
        tiles=ROUTE, cash={"Ann": 0},
    ).turn("SFTN", "trains")  # fmt: skip
    game.do("Ann: sell 2 SFTN")
    assert (game.money("SFTN"), game.money("SSFL"), game.money("Ann")) == (100, 10, 100)
    game.do("SSFL: sell 2 SFTG")
    assert (game.money("SFTN"), game.money("SSFL"), game.money("Ann")) == (187, 0, 100)


@pytest.mark.clarification("2.23")
@pytest.mark.rule("8.15")
def test_what_is_left_over_buys_more_trains_after_the_one_it_was_raised_for() -> None:
    game = in_need(sftg({"Bob": 2, "SFTN": 1}), firm("SFTC", {"Ann": 2}, "F4", trains="3", markers="M3"), cash=340)
    game.do("SFTN: sell 1 SFTG")
    assert game.refusals("SFTN: train 3 from SFTC for 20") == {"help.purpose"}
    game.do("SFTN: train 4")
    assert game.money("SFTN") == 28
    game.do("SFTN: train 3 from SFTC for 28")
    assert game.trains("SFTN") == "4 3"


def test_nothing_is_sold_at_half_price_without_need() -> None:
    game = in_need(sftg({"Bob": 2, "SFTN": 1}), cash=350)
    assert game.asked == ["Ann SFTN company.turn"]
    assert "train 4" in game.accepted()
    assert game.refusals("Ann: sell 1 SFTN") == {"order.not_asked"}


@pytest.mark.clarification("3.5")
@pytest.mark.clarification("3.5", site=True)
@pytest.mark.rule("10.6")
@pytest.mark.parametrize(("edition", "found"), [("clarified", {"buy.sold_before"}), ("v2", set())])
def test_what_a_company_has_sold_in_the_round_it_does_not_buy(edition: str, found: set[str]) -> None:
    """In the clarified rules emergencies count, too."""
    game = in_need(sftg({"Bob": 2, "SFTN": 1}), cash=320, edition=edition)
    game.do("SFTN: sell 1 SFTG")
    sold = game.state.marks.get(SOLD, frozenset())
    assert sold == ({(CompanyId("SFTN"), CompanyId("SFTG"))} if found else frozenset())
    again = situation(
        firm("SFTN", {"Ann": 5, "Bob": 5}, "F4", cash=320, markers="H4/1", trains="4"),
        sftg({"Bob": 2}, pool=1),
        tiles=ROUTE,
        edition=edition,
        marks={SOLD: sold},
    ).turn("SFTN", "buy")
    assert again.refusals("SFTN: buy SFTG from pool") == found


@pytest.mark.clarification("2.21")
@pytest.mark.rule("8.6")
def test_a_company_with_a_route_must_have_a_train_while_there_is_one() -> None:
    game = in_need(cash=350)
    assert game.refusals("SFTN: done") == {"train.must_own"}
    none = in_need(phase="8", supply={"8": 0})
    none.do("SFTN: done")
    used = in_need(phase="8", supply={"8": 0}, pool_trains="6", cash=800)
    assert used.refusals("SFTN: done") == {"train.must_own"}
    roadless = situation(firm("SFTN", {"Ann": 5}, "F4", markers="H4/1")).turn("SFTN", "trains")
    roadless.do("SFTN: done")


@pytest.mark.rule("8.6")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_route_that_lives_on_a_token_in_a_pass_alone_is_no_duty(edition: str) -> None:
    """The token in K7 reaches Genova; nothing leads to the city of the company."""
    tiles = {"K7": "613#0", "M7": "612#0" if edition == "v2" else "608#0"}
    game = situation(firm("SFTN", {"Ann": 5}, "F4", markers="J6 K7"), tiles=tiles, edition=edition)
    game.turn("SFTN", "trains").do("SFTN: done")
