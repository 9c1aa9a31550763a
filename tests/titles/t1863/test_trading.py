"""Selling, buying, redeeming and selling short: prices, presidents, and what is refused."""

from __future__ import annotations

import pytest

from engine.core.ids import CompanyId, PlayerId
from engine.titles.t1863.names import FINAL
from engine.titles.t1863.stock.frame import StockRound
from engine.titles.t1863.stock.trading import check_sale, to_pool
from tests.kit.games.situations_1863 import London, Tube, situation, tube

CASH = {"Ann": 1000, "Bob": 1000, "Cat": 1000}


def stock(*described: Tube, first: str = "Ann", **more: object) -> London:
    """A stock round in which ``first`` is on turn."""
    given = {"cash": CASH, "round": "SR 2", **more}
    return situation(*described, **given).frames(StockRound(PlayerId(first)))  # type: ignore[arg-type]


# ---- selling ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:4.3", "1863:4.26")
def test_t1_a_president_costs_two_columns_a_share_and_others_one() -> None:
    game = stock(tube("BAK", {"Ann": 5, "Bob": 3}, 100))
    game.do("Ann: sell 2 BAK")
    assert (game.money("Ann"), game.share_price("BAK")) == (1200, 70)
    other = stock(tube("BAK", {"Ann": 5, "Bob": 3}, 100), first="Bob")
    other.do("Bob: sell 2 BAK")
    assert (other.money("Bob"), other.share_price("BAK")) == (1200, 80)


@pytest.mark.rule("1863:4.3", "1863:12.18")
def test_t2_the_share_with_which_the_presidency_goes_costs_two() -> None:
    """R18: the first share costs two, the second, with which he loses it, two, the third one."""
    game = stock(tube("BAK", {"Ann": 4, "Bob": 3}, 100))
    game.do("Ann: sell 3 BAK")
    assert (game.money("Ann"), game.share_price("BAK"), game.president("BAK")) == (1300, 65, "Bob")
    assert game.shares("BAK") == {"Ann": 1, "Bob": 3, "Pool": 3, "Treasury": 3, "OSI": 10}


@pytest.mark.rule("1863:4.3", "1863:4.28", "1863:4.29")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("Ann: sell 6 BAK", "sell.not_held"),
        ("Ann: sell 4 BAK", "sell.director"),  # Bob has one share
        ("Ann: sell 2 CIR", "trade.minor"),
        ("Ann: sell 1 EHL", "trade.red"),
        ("Ann: sell 1 UER", "trade.not_in_play"),
        ("BAK: sell 1 BAK", "sell.own"),
    ],
)
def test_sales_that_are_refused(order: str, check: str) -> None:
    described = (
        tube("BAK", {"Ann": 5, "Bob": 1}, 100),
        tube("CIR", "Ann", 100, minor=True),
        tube("EHL", {"Bob": 3, "Ann": 1}, 0),
    )
    assert stock(*described).refusals(order) == {check}


@pytest.mark.rule("1863:12.19")
def test_r19_shares_of_a_company_that_has_not_operated() -> None:
    game = stock(tube("BAK", {"Ann": 5}, 100, operated=False))
    assert game.refusals("Ann: sell 1 BAK") == set()


@pytest.mark.rule("1863:12.19")
def test_r19_the_pool_has_no_limit() -> None:
    game = stock(tube("BAK", {"Ann": 2, "Bob": 3}, 100, pool=5), first="Bob")
    game.do("Bob: sell 3 BAK")
    assert game.shares("BAK")["Pool"] == 8


@pytest.mark.rule("1863:12.65")
def test_r65_a_company_sells_all_that_it_can() -> None:
    """MET keeps its minor, and the presidency of EHL that nobody takes over."""
    game = situation(
        tube("MET", "Ann", 100),
        tube("BAK", {"Bob": 3, "MET": 2}, 100),
        tube("EHL", {"MET": 4, "Cat": 1}, 100),
        tube("CIR", "MET", 50, minor=True),
    )
    play = game.play()
    kept = to_pool(play, CompanyId("MET"))
    game.take(play)
    assert kept == {"EHL": 2, "CIR": 2}
    assert (game.share_price("BAK"), game.share_price("EHL"), game.money("MET")) == (80, 70, 400)


# ---- buying ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:4.4", "1863:4.30")
def test_the_pool_raises_the_price_and_the_charter_is_paid() -> None:
    game = stock(tube("BAK", {"Ann": 3}, 100, pool=2))
    game.do("Ann: buy BAK from pool")
    assert (game.money("Ann"), game.money("BAK"), game.share_price("BAK")) == (900, 0, 110)
    game.do("Bob: buy BAK from treasury")
    assert (game.money("Bob"), game.money("BAK"), game.share_price("BAK")) == (890, 110, 110)


@pytest.mark.rule("1863:4.4", "1863:4.31")
@pytest.mark.rule("1863:12.60")
def test_who_has_more_than_the_president_takes_over() -> None:
    game = stock(tube("BAK", {"Bob": 2, "Ann": 2}, 100), tube("MET", {"Cat": 3}, 100, cash=500))
    game.do("Ann: buy BAK from treasury")
    assert (game.president("BAK"), game.shares("BAK")) == (
        "Ann", {"Ann": 3, "Bob": 2, "Treasury": 5, "OSI": 10},
    )  # fmt: skip


@pytest.mark.rule("1863:4.4")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("Ann: buy CIR", "trade.minor"),
        ("Ann: buy EHL", "trade.red"),
        ("Ann: buy UER", "trade.not_in_play"),
        ("Ann: buy BAK", "ambiguous.source"),
        ("Ann: buy HAM from pool", "buy.none_left"),
        ("Ann: buy HAM", "buy.money"),
        ("BAK: buy BAK from treasury", "buy.own"),
        ("BAK: redeem 2", "redeem.one"),
        ("HAM: redeem 1", "redeem.none"),
    ],
)
def test_purchases_that_are_refused(order: str, check: str) -> None:
    described = (
        tube("BAK", {"Ann": 3}, 100, pool=1, cash=500),
        tube("CIR", "Bob", 100, minor=True),
        tube("EHL", {"Bob": 3}, 0),
        tube("HAM", {"Ann": 3}, 500, cash=500),
    )
    assert stock(*described, cash={"Ann": 450}).refusals(order) == {check}


@pytest.mark.rule("1863:4.3", "1863:4.27", "1863:4.32")
@pytest.mark.rule("1863:12.12")
def test_t19_no_buying_back_but_for_others() -> None:
    """R12: the ban binds the entity that sold. BAK redeems its share all the same."""
    game = stock(tube("BAK", {"Ann": 5}, 100, cash=500), tube("MET", "Ann", 100, cash=500))
    for order in ("Ann: sell 1 BAK", "Ann: pass", "Bob: pass", "Cat: pass"):
        game.do(order)
    assert game.refusals("Ann: buy BAK from pool") == {"buy.sold_before"}
    assert game.refusals("MET: buy BAK from pool") == set()
    game.do("BAK: redeem 1")
    assert (game.share_price("BAK"), game.money("BAK")) == (90, 420)
    assert game.shares("BAK") == {"Ann": 4, "Treasury": 6, "OSI": 10}


# ---- shorts ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:4.7", "1863:4.39", "1863:4.40")
def test_t14_a_short_is_sold_and_later_covered() -> None:
    """The price falls to 80 between; what Ann pays for the dividend is not part of it."""
    game = stock(tube("BAK", {"Bob": 4, "Cat": 2}, 110))
    game.do("Ann: short BAK")
    assert (game.money("Ann"), game.share_price("BAK")) == (1110, 100)
    assert (game.shares("BAK"), game.shorts("BAK")) == (
        {"Bob": 4, "Cat": 2, "Pool": 1, "Treasury": 4, "OSI": 9},
        {"OSI": 9, "Ann": 1},
    )
    assert game.refusals("Ann: buy BAK from pool") == {"buy.sold_before"}
    later = stock(tube("BAK", {"Bob": 4, "Cat": 2}, 80, pool=1, shorts={"Ann": 1}))
    later.do("Ann: buy BAK from pool")
    assert (later.money("Ann"), later.share_price("BAK")) == (920, 90)
    assert (later.shares("BAK"), later.shorts("BAK")) == (
        {"Bob": 4, "Cat": 2, "Treasury": 4, "OSI": 10},
        {"OSI": 10},
    )


@pytest.mark.rule("1863:4.7", "1863:4.38")
@pytest.mark.rule("1863:12.63")
@pytest.mark.parametrize(("ruling", "refused"), [("no", {"short.owns"}), ("yes", set())])
def test_t22_nobody_shorts_what_his_companies_hold(ruling: str, refused: set[str]) -> None:
    """R63: MET, which Ann controls, is president of BAK, and has one share of EHL."""
    game = stock(
        tube("MET", "Ann", 100), tube("BAK", {"MET": 3}, 100), tube("EHL", {"Bob": 3, "MET": 1}, 100),
        options={"short_own_subsidiary": ruling},
    )  # fmt: skip
    assert game.refusals("Ann: short BAK") == refused
    assert game.refusals("Ann: short EHL") == refused


@pytest.mark.rule("1863:4.7", "1863:4.36")
@pytest.mark.parametrize(
    ("company", "check"),
    [
        ("CIR", "short.company"),
        ("UER", "short.company"),
        ("EHL", "short.zone"),
        ("DIS", "short.zone"),
        ("HAM", "short.not_operated"),
        ("PIC", "short.owns"),
        ("LCR", "short.pair"),
    ],
)
def test_shorts_that_are_refused(company: str, check: str) -> None:
    described = (
        tube("CIR", "Bob", 100, minor=True),
        tube("EHL", {"Bob": 3}, 0),
        tube("DIS", {"Bob": 3}, 30),
        tube("HAM", {"Bob": 3}, 100, operated=False),
        tube("PIC", {"Bob": 3, "Ann": 1}, 100),
        tube("LCR", {"Bob": 3}, 100, pool=10, shorts={"Cat": 10}),
    )
    assert stock(*described).refusals(f"Ann: short {company}") == {check}


@pytest.mark.rule("1863:11.1", "1863:11.4")
def test_nobody_shorts_in_the_last_stock_round() -> None:
    game = stock(tube("BAK", {"Bob": 3}, 100), marks={FINAL: True})
    assert game.refusals("Ann: short BAK") == {"short.final"}


@pytest.mark.rule("1863:12.59")
def test_r59_a_purchase_may_follow_a_short() -> None:
    game = stock(tube("BAK", {"Bob": 3}, 100), tube("EHL", {"Bob": 3, "Ann": 1}, 100))
    game.do("Ann: short BAK")
    assert game.refusals("Ann: sell 1 EHL") == {"stock.order"}
    assert game.refusals("Ann: short BAK") == {"short.again"}
    assert game.refusals("Ann: buy EHL") == set()


@pytest.mark.rule("1863:12.64")
def test_r64_a_company_in_liquidation_does_nothing() -> None:
    game = stock(tube("MET", "Ann", 0, cash=500), tube("BAK", {"Bob": 3, "MET": 2}, 100))
    assert game.asked == ["Ann stock.turn"]
    failures = check_sale(game.title, game.state, CompanyId("MET"), CompanyId("BAK"), 1)
    assert [f.check for f in failures] == ["sell.red"]


@pytest.mark.rule("1863:4.7", "1863:4.37")
def test_no_company_sells_short() -> None:
    game = stock(tube("BAK", {"Ann": 3}, 100), tube("EHL", {"Cat": 3}, 100))
    assert game.refusals("BAK: short EHL") == {"short.holder"}
    assert game.refusals("Ann: short EHL") == set()
