"""Dividends of 1863: what may be declared, who is paid, what shorts cost, and the bands of the price."""

from __future__ import annotations

import pytest

from engine.core.checks import Failure
from engine.core.events import Distributed
from engine.core.ids import CompanyId
from engine.titles.t1863.turn.dividends import payable, ranges
from moderator.words.wording import describe_failure
from tests.kit.games.situations_1863 import London, situation, tube


def earned(revenue: int, cash: int = 0, price: int = 100, **options: str) -> London:
    """The Metropolitan has run: Ann has five shares, Bakerloo one, the pool one, Cat one short."""
    return situation(
        tube("MET", {"Ann": 5, "BAK": 1}, price, cash=revenue + cash, pool=1, shorts={"Cat": 1}, last_run=revenue),
        tube("BAK", "Bob", 50, minor=True),
        cash={"Cat": 100},
        options=options,
    ).turn("MET", "pay", waiting="BAK")


T3 = [(0, 80), (50, 80), (55, 90), (90, 90), (100, 100)]


@pytest.mark.rule("1863:5.4")
@pytest.mark.parametrize(("amount", "price"), T3)
def test_t3_a_price_of_100_and_a_revenue_of_90(amount: int, price: int) -> None:
    game = earned(90, cash=10)
    game.do(f"MET: dividend {amount}")
    assert game.share_price("MET") == price
    assert game.asked == ["Ann MET company.turn"]


@pytest.mark.rule("1863:5.4", "1863:5.27")
@pytest.mark.parametrize(("amount", "kind"), [(0, "none"), (80, "half"), (90, "full"), (100, "full")])
def test_a_dividend_of_the_whole_revenue_or_more_is_told_as_full(amount: int, kind: str) -> None:
    game = earned(90, cash=10)
    game.do(f"MET: dividend {amount}")
    assert [paid.kind for paid in game.told(Distributed)] == [kind]


@pytest.mark.rule("1863:5.4", "1863:5.27")
def test_t3_padding_goes_up_to_the_price_and_needs_the_money() -> None:
    assert earned(90, cash=500).refusals("MET: dividend 103") == {"dividend.most"}
    assert earned(90, cash=5).refusals("MET: dividend 100") == {"dividend.money"}
    assert earned(90, cash=500).accepted()[0].startswith(("dividend", "loan"))


T4 = [(0, 80), (50, 80), (55, 90), (90, 90), (100, 100), (110, 110), (190, 110), (200, 120)]


@pytest.mark.rule("1863:5.4")
@pytest.mark.parametrize(("amount", "price"), T4)
def test_t4_a_price_of_100_and_a_revenue_of_200(amount: int, price: int) -> None:
    game = earned(200)
    game.do(f"MET: dividend {amount}")
    assert game.share_price("MET") == price


@pytest.mark.rule("1863:5.4")
def test_t4_a_revenue_of_190_is_the_most_where_it_is_above_the_price() -> None:
    game = earned(190, cash=500)
    assert game.refusals("MET: dividend 195") == {"dividend.most"}
    game.do("MET: dividend 190")
    assert game.share_price("MET") == 110


@pytest.mark.rule("1863:5.4", "1863:12.33", "1863:5.28")
def test_t4_holders_the_charter_and_the_pool() -> None:
    """Five shares of 6.50 are 32 for Ann, one is 6 for Bakerloo, four are 26 for the company, the pool's are the
    bank's; Cat pays 7 for his short."""
    game = earned(200)
    game.do("MET: dividend 65")
    assert (game.money("Ann"), game.money("BAK"), game.money("MET")) == (32, 6, 200 - 65 + 26)
    assert game.money("Cat") == 100 - 7


@pytest.mark.rule("1863:5.4", "1863:4.41")
def test_a_player_who_cannot_pay_for_his_shorts_sells_before_the_turn_goes_on() -> None:
    game = situation(
        tube("MET", {"Ann": 5}, 100, cash=100, shorts={"Cat": 2}, last_run=100),
        tube("BAK", {"Bob": 2, "Cat": 1}, 50),
        cash={"Cat": 5},
    ).turn("MET", "pay", waiting="BAK")
    game.do("MET: dividend 100")
    assert game.asked == ["Cat debt.sell"]
    game.do("Cat: sell 1 BAK")
    assert game.money("Cat") == 5 + 50 - 20
    assert game.asked == ["Ann MET company.turn"]


R33 = [("up", 7), ("down", 6)]


@pytest.mark.rule("1863:12.33")
@pytest.mark.parametrize(("way", "paid"), R33)
def test_r33_fractions_are_rounded_down_for_holders_and_by_a_ruling_for_shorts(way: str, paid: int) -> None:
    game = earned(200, short_fractions=way)
    game.do("MET: dividend 65")
    assert (game.money("Ann"), game.money("Cat")) == (32, 100 - paid)


R32 = [("bands", {51, 85, 105, 195}), ("5", {51}), ("1", set[int]())]


@pytest.mark.rule("1863:12.32")
@pytest.mark.parametrize(("step", "refused"), R32)
def test_r32_dividends_are_prices_of_the_chart_or_go_by_steps(step: str, refused: set[int]) -> None:
    """The second example of section 7.d prints 55 to 90, 100, 110 to 190, and 200."""
    game = earned(200, dividend_step=step)
    for amount in (51, 55, 80, 85, 90, 100, 105, 110, 190, 195, 200):
        assert game.refusals(f"MET: dividend {amount}") == ({"dividend.step"} if amount in refused else set()), amount


@pytest.mark.rule("1863:5.4", "1863:12.32")
def test_the_whole_revenue_may_be_paid_where_the_chart_lacks_it() -> None:
    """A toll leaves 95: "pay the entire" revenue, or a price of the chart with money from the treasury."""
    game = earned(95, cash=5)
    listed = {0, 10, 20, 30, 40, *range(45, 85, 5), 90, 95, 100}
    for amount in range(105):
        assert bool(game.refusals(f"MET: dividend {amount}")) == (amount not in listed), amount
    menu = ranges(CompanyId("MET"), payable(game.title, game.state, CompanyId("MET"), 95))
    assert {part.low + part.step * n for part in menu for n in range((part.high - part.low) // part.step + 1)} == listed
    assert {"dividend 0", "dividend 45", "dividend 90"} <= set(game.accepted())
    game.do("MET: dividend 95")
    assert game.share_price("MET") == 90


@pytest.mark.rule("1863:5.4")
def test_the_owner_of_a_minor_gets_the_whole_dividend() -> None:
    game = situation(tube("BAK", "Bob", 75, minor=True, cash=60, last_run=60)).turn("BAK", "pay")
    game.do("BAK: dividend 55")
    assert (game.money("Bob"), game.money("BAK"), game.share_price("BAK")) == (55, 5, 70)


@pytest.mark.rule("1863:5.4", "1863:5.27")
def test_a_company_without_trains_may_pay_up_to_its_price() -> None:
    game = situation(tube("BAK", "Bob", 75, minor=True, cash=100)).turn("BAK")
    assert game.refusals("BAK: done") == {"dividend.first"}
    assert game.refusals("BAK: dividend 80") == {"dividend.most"}
    game.do("BAK: dividend 75")
    assert (game.money("Bob"), game.share_price("BAK")) == (75, 75)
    (paid,) = game.told(Distributed)
    assert (paid.revenue, paid.dividend) == (0, 75)
    assert game.state.companies[paid.company].operated


@pytest.mark.rule("1863:5.4")
def test_a_company_that_can_pay_nothing_is_not_asked() -> None:
    """Going on to the end pays nothing, and the price falls two columns."""
    game = situation(
        tube("BAK", "Bob", 75, minor=True, operated=False, markers=""), tube("MET", {"Ann": 2}), phase="II"
    ).turn("BAK", waiting="MET")
    game.do("BAK: done")
    assert game.share_price("BAK") == 65
    assert game.state.companies[game.told(Distributed)[0].company].operated
    assert game.asked == ["Ann MET company.turn"]


@pytest.mark.rule("1863:5.1", "1863:5.4")
def test_a_loan_lowers_the_price_before_the_dividend_is_measured() -> None:
    game = situation(tube("BAK", "Bob", 75, minor=True)).turn("BAK", "pay")
    game.do("BAK: loan 1")
    assert game.refusals("BAK: dividend 75") == {"dividend.most"}
    game.do("BAK: dividend 70")
    assert (game.share_price("BAK"), game.money("BAK")) == (70, 30)


@pytest.mark.rule("1863:5.4", "1863:12.32")
@pytest.mark.parametrize(("revenue", "cash", "price"), [(95, 5, 100), (225, 20, 225), (360, 60, 400), (200, 0, 100)])
def test_all_legal_dividends_are_told_with_the_price_that_they_make(revenue: int, cash: int, price: int) -> None:
    game = earned(revenue, cash, price)
    told = game.title.policies.remarks(game.title, game.state, "MET")
    legal = [amount for amount in range(revenue + cash + 200) if not game.refusals(f"MET: dividend {amount}")]
    assert revenue in legal
    assert [sum for low, high, step in told["spans"] for sum in range(low, high + 1, step)] == legal
    for amount in legal:
        paid = earned(revenue, cash, price)
        paid.do(f"MET: dividend {amount}")
        made = [after for low, high, after in told["bands"] if low <= amount <= high]
        assert made == [paid.share_price("MET")], amount


@pytest.mark.rule("1863:5.4")
def test_before_the_run_every_revenue_has_its_price_and_the_chart_is_told_up_to_twice_the_price() -> None:
    game = situation(
        tube("MET", {"Ann": 5}, 110, cash=200, trains="2T", markers="C10"), cash={"Cat": 100}
    ).turn("MET", "track")  # fmt: skip
    told = game.title.policies.remarks(game.title, game.state, "MET")
    assert told["bands"] == ((0, 55, 90), (56, 109, 100), (110, 119, 110), (120, 219, 120), (220, None, 130))
    chart = {0, *(price for price in game.title.chart.prices.values() if price <= 220)}
    assert {sum for low, high, step in told["spans"] for sum in range(low, high + 1, step)} == chart


@pytest.mark.rule("1863:12.32")
def test_the_refusal_of_a_dividend_tells_all_legal_ones() -> None:
    game = earned(360, 60, 400)
    facts = game.failures("MET: dividend 230")["dividend.step"]
    words = describe_failure(game.title, Failure("dividend.step", facts))
    assert "not £230: £225 or £250. Legal now: 0 to 40 in steps of 10, 45 to 80 in steps of 5, " in words
    assert "225 to 350 in steps of 25, 360 to 375 in steps of 15, 400" in words
