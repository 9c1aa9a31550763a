"""Transformations of minors of 1841: certificates, offers of more, tokens and the money for them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import CompanyId
from tests.kit.games.situations_1841 import Italian, firm, situation


def minor(edition: str = "clarified", cash: int = 150, phase: str = "4", **other: Any) -> Italian:
    """S9: SFTC at 100 with 150 L.; Cat has 40 %, Ann 20 %, the pool 20 %."""
    return situation(
        firm("SFTC", {"Cat": 2, "Ann": 1}, "F4", cash=cash, pool=1, markers="D8", **other),
        firm("SSFL", "Bob", "F4"),
        players="Ann Bob Cat",
        cash={"Ann": 100, "Cat": 250},
        phase=phase,
        edition=edition,
    ).turn("SFTC", "merge")


def test_a_minor_becomes_a_major_at_its_price_with_two_rounds_of_offers() -> None:
    """S9. First the holders from its president, then all players from him; who cannot buy is not asked."""
    game = minor()
    game.do("SFTC: transform AFI")
    assert game.place("AFI") == "100 F4"
    assert game.pile("F4") == ["SSFL", "AFI"]
    assert (game.shares("AFI"), game.president("AFI")) == ({"Ann": 1, "Cat": 2, "Pool": 1, "Treasury": 6}, "Cat")
    assert game.asked == ["Cat offer.shares"]
    game.do("Cat: take 1")
    assert game.asked == ["Ann offer.shares"]
    game.do("Ann: take 0")
    assert game.asked == ["Cat offer.shares"]
    game.do("Cat: take 1")
    assert game.asked == ["Ann offer.shares"]
    game.do("Ann: take 0")
    assert game.asked == ["Cat AFI tokens.number"]
    assert game.money("AFI") == 350
    assert game.accepted() == ["tokens 2"]
    game.do("AFI: tokens 5")
    assert (game.money("AFI"), game.tokens("AFI")) == (0, 5)
    assert game.state.companies[CompanyId("SFTC")].status == "closed"
    assert "AFI" not in game.state.marks["history"]


@pytest.mark.parametrize(("number", "left"), [(2, 100), (3, 0)])
def test_the_second_token_costs_50_and_each_more_100(number: int, left: int) -> None:
    game = minor()
    game.do("SFTC: transform AFI")
    game.do("Cat: take 0")
    game.do("Ann: take 0")
    game.do("Cat: take 0")
    game.do("Ann: take 0")
    assert game.refusals("AFI: tokens 1") == {"tokens.number"}
    assert game.refusals("AFI: tokens 4") == {"tokens.money"}
    game.do(f"AFI: tokens {number}")
    assert game.money("AFI") == left


def test_a_minor_with_two_tokens_need_not_buy_another() -> None:
    game = minor(tokens=2)
    game.do("SFTC: transform AFI")
    while game.asked[0].endswith("offer.shares"):
        game.do(f"{game.asked[0].split()[0]}: take 0")
    assert game.menu() == ["tokens 2"]
    game.do("AFI: tokens 3")
    assert game.money("AFI") == 50


def test_a_company_may_take_a_certificate_and_pays_itself() -> None:
    game = situation(
        firm("SFTC", {"Cat": 2, "SFTG": 1}, "F4", cash=150, markers="D8"),
        firm("SFTG", "Cat", "A1", cash=100),
    ).turn("SFTC", "merge")
    game.do("SFTC: transform AFI")
    assert game.asked == ["Cat SFTG offer.shares"]
    game.do("SFTG: take 1")
    assert (game.shares("AFI")["SFTG"], game.money("SFTG"), game.money("AFI")) == (2, 0, 250)


def test_historical_minors_transform_when_the_concessions_are_gone() -> None:
    assert minor(phase="3").refusals("SFTC: transform AFI") == {"transform.historical"}


@pytest.mark.parametrize(
    ("order", "check"), [("SFTC: transform SSFL", "merge.charter"), ("SFTC: transform CTLP", "merge.charter")]
)
def test_the_new_company_is_a_free_major(order: str, check: str) -> None:
    assert minor().refusals(order) == {check}


def test_a_major_does_not_transform() -> None:
    game = situation(firm("SFTG", "Bob", "F4", markers="D8")).turn("SFTG", "merge")
    assert game.refusals("SFTG: transform AFI") == {"transform.class"}


def test_a_minor_need_not_have_operated() -> None:
    assert minor(history=False).refusals("SFTC: transform AFI") == set()


# ---- the compulsory token -------------------------------------------------------------------------------------------


@pytest.mark.clarification("2.5")
def test_a_company_without_money_for_the_token_sells_at_half_price() -> None:
    """One certificate brings half of 100; no more may be sold than that, and no more tokens bought."""
    game = minor(cash=0)
    game.do("SFTC: transform AFI")
    while game.asked[0].endswith("offer.shares"):
        game.do(f"{game.asked[0].split()[0]}: take 0")
    assert game.asked == ["Cat AFI tokens.raise"]
    assert game.accepted() == ["sell 1 AFI"]
    assert game.refusals("AFI: sell 2 AFI") == {"help.too_much"}
    game.do("AFI: sell 1 AFI")
    assert (game.money("AFI"), game.tokens("AFI"), game.place("AFI")) == (0, 2, "95 F5")


def without_money(cat: int, cash: int = 0) -> Italian:
    """Cat's SFTC has become CTS, and nobody has taken a certificate of it."""
    game = situation(
        firm("SFTC", {"Cat": 2, "Ann": 1}, "F3", cash=cash, markers="D8"), firm("AFI", {"Bob": 2, "Cat": 1}, "D9"),
        cash={"Cat": cat}, edition="v1",
    ).turn("SFTC", "merge", waiting="AFI")  # fmt: skip
    game.do("SFTC: transform CTS")
    while game.asked[0].endswith("offer.shares"):
        game.do(f"{game.asked[0].split()[0]}: take 0")
    return game


@pytest.mark.rule("10.24")
def test_by_the_sites_ruling_those_above_pay_for_the_token_before_the_company_sells() -> None:
    """Cat adds 30 L. to the 20 of CTS. It then sells until it has 50 L. again, and keeps them."""
    game = without_money(30, cash=20)
    assert (game.money("CTS"), game.money("Cat"), game.tokens("CTS")) == (0, 0, 2)
    assert game.asked == ["Cat CTS tokens.raise", "Cat tokens.raise"]
    game.do("CTS: sell 1 CTS")
    assert (game.money("CTS"), game.tokens("CTS")) == (53, 2)
    assert not game.asked[0].endswith("tokens.raise")


@pytest.mark.rule("10.24")
def test_by_the_sites_ruling_a_rich_president_does_not_sell() -> None:
    game = without_money(100)
    assert (game.money("CTS"), game.money("Cat"), game.tokens("CTS")) == (0, 50, 2)
    assert game.asked == ["Cat CTS tokens.raise"]


@pytest.mark.rule("8.10")
def test_by_the_sites_ruling_a_player_who_has_less_may_sell_for_the_token_too() -> None:
    """The money for his shares moves down at once."""
    game = without_money(49)
    assert game.asked == ["Cat CTS tokens.raise", "Cat tokens.raise"]
    game.do("Cat: sell 1 AFI")
    assert game.money("CTS") == 0 and game.tokens("CTS") == 2


@pytest.mark.clarification("2.5")
@pytest.mark.rule("4.16")
def test_what_a_sale_brings_buys_no_token_beyond_the_one_that_is_due() -> None:
    """One certificate at 224 brings 112: with 40 L. in the treasury that is 152, and two tokens would cost 150."""
    game = situation(firm("SFTC", {"Cat": 2, "Ann": 1}, "K1", cash=40, pool=1, markers="D8")).turn("SFTC", "merge")
    game.do("SFTC: transform AFI")
    game.do("AFI: sell 1 AFI")
    assert (game.money("AFI"), game.tokens("AFI")) == (102, 2)


@pytest.mark.clarification("2.5")
def test_what_the_company_cannot_raise_its_president_pays() -> None:
    """At 8 L. the five shares that nobody has bring less than the token costs."""
    game = situation(
        firm("SLDV", {"Cat": 2, "Ann": 1, "Bob": 2}, "A13", cash=0, markers="D8"),
        cash={"Cat": 60, "Ann": 0},
    ).turn("SLDV", "merge")
    game.do("SLDV: transform AFI")
    while game.asked[0].endswith("offer.shares"):
        game.do(f"{game.asked[0].split()[0]}: take 0")
    while game.asked and game.asked[0].endswith("tokens.raise"):
        game.do(f"{game.asked[0].split()[-2]}: {game.menu()[-1]}")
    assert (game.tokens("AFI"), game.shares("AFI")["Pool"]) == (2, 5)
    assert (game.money("AFI"), game.money("Cat")) == (0, 60 - (50 - 5 * 4))


@pytest.mark.clarification("2.5")
@pytest.mark.rule("1841:10.24")
def test_where_nobody_can_raise_50_the_company_goes_without_its_second_token() -> None:
    """At 8 L. five shares bring 20, Cat has 29, and nothing but the presidency is left to sell."""
    game = situation(firm("SLDV", {"Cat": 2, "Ann": 1, "Bob": 2}, "A13", cash=0, markers="D8"), cash={"Cat": 29}).turn(
        "SLDV", "merge"
    )
    game.do("SLDV: transform AFI")
    while game.asked[0].endswith("offer.shares"):
        game.do(f"{game.asked[0].split()[0]}: take 0")
    game.do("AFI: sell 5 AFI")
    assert (game.tokens("AFI"), game.money("AFI"), game.money("Cat")) == (1, 20, 29)
    assert not game.asked[0].endswith("tokens.raise")


@pytest.mark.rule("5.8")
@pytest.mark.rule("3.17")
@pytest.mark.parametrize(("edition", "president"), [("clarified", "Bob"), ("v2", "Cat"), ("v1", "Cat")])
def test_by_the_sites_ruling_shares_that_pass_over_may_cost_a_concession_its_presidency(
    edition: str, president: str
) -> None:
    """CTLP has a share of SFTG, of which Cat has more than Bob, who has the concession. Its buyer gets no more then."""
    game = situation(
        firm("CTLP", {"Ann": 2}, "F4", cash=100, markers="D8"),
        firm("SFTG", {"Bob": 2, "Cat": 3, "CTLP": 1}, "D5"),
        phase="3", cash={"Cat": 300}, privates={"C-SFTG": "Bob"}, edition=edition, options={"player_trades": "yes"},
    ).turn("CTLP", "merge")  # fmt: skip
    game.do("CTLP: transform AFI")
    assert game.president("SFTG") == president
    assert game.shares("SFTG")["AFI"] == 1
    bought = game.stock("Cat")
    bought.do("Cat: buy C-SFTG for 10")
    if edition == "clarified":
        bought.do("Bob: agree")
    assert bought.owner("C-SFTG") == "Cat" and bought.president("SFTG") == "Cat"
    assert bought.shares("SFTG")["Cat"] == (5 if edition == "clarified" else 3)
