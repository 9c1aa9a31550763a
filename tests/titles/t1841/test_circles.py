"""Circles of companies of 1841 that the first 4-train closes, and how a circle is resolved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.events import Froze, PriceSet, Sold
from engine.core.ids import CompanyId, PlayerId
from engine.titles.t1841.mergers.first_four import FirstFour
from engine.titles.t1841.names import ACTING
from tests.kit.games.situations_1841 import Italian, firm, named, situation


def closed_by_the_secession() -> Italian:
    """The IRSFF presides over SFTG, which has the second pair: SFL will own SFTG, and SFTG owns SFL."""
    game = situation(
        firm("IRSFF", {"Ann": 2, "SFTG": 2}, "F4", cash=100),
        firm("SFTN", {"Bob": 2, "IRSFF": 1}, "K1", markers=""),
        firm("SFTG", "IRSFF", "B1", markers="H4/0"),
        firm("AFI", "Eve", "A1", markers="L12"),
        players="Ann Bob Eve",
    ).turn("AFI", "sell")
    return game.turns(*game.state.agenda, FirstFour(PlayerId("Eve")))  # type: ignore[return-value]


@pytest.mark.clarification("2.24")
@pytest.mark.clarification("3.1")
def test_the_secession_may_close_a_circle() -> None:
    """Certificates go to SFV and SFL in turn: SFTN is dearer, so SFL gets the presidency of SFTG."""
    game = closed_by_the_secession()
    assert game.asked == ["Ann secession.part"]
    game.do("Ann: choose SFV")
    assert (game.president("SFL"), game.president("SFTG")) == ("SFTG", "SFL")
    assert (game.frozen("SFL"), game.frozen("SFTG"), game.frozen("SFV")) == (True, True, False)
    assert {e.company for e in game.told(Froze)} >= {"SFL"}


def closed_by_three() -> Italian:
    """The IRSFF presides over SFTG, that over CTS, and CTS has the second pair: it will own SFL, and that SFTG."""
    game = situation(
        firm("IRSFF", {"Ann": 2, "CTS": 2}, "F4", cash=100),
        firm("SFTN", {"Bob": 2, "IRSFF": 1}, "K1", markers=""),
        firm("SFTG", "IRSFF", "C5", markers="H4/0"),
        firm("CTS", {"SFTG": 2, "Bob": 2}, "B1", markers="E9"),
        firm("AFI", "Eve", "A1", markers="L12"),
        players="Ann Bob Eve",
        cash={"Ann": 300},
    ).turn("AFI", "sell", waiting="CTS")
    game = game.turns(*game.state.agenda, FirstFour(PlayerId("Eve")))  # type: ignore[assignment]
    game.do("Ann: choose SFV")
    return game


@pytest.mark.clarification("3.1")
@pytest.mark.clarification("2.24")
def test_a_circle_of_three_is_closed_by_the_secession_and_opened_by_a_forced_sale() -> None:
    """CTS, frozen, sells the presidency of SFL, its owner's owner, into the pool at 100 a share. Whoever buys it there
    controls all three."""
    game = closed_by_three()
    assert [game.president(company) for company in ("SFL", "SFTG", "CTS")] == ["CTS", "SFL", "SFTG"]
    assert [game.frozen(company) for company in ("SFL", "SFTG", "CTS")] == [True, True, True]
    game.do("AFI: done")
    assert [(e.player, e.company, e.count, e.amount) for e in game.told(Sold)] == [("CTS", "SFL", 2, 200)]
    assert (game.president("SFL"), game.place("SFL")) == ("Pool", "87 F6")
    game.stock("Ann", "SR 3").do("Ann: buy SFL director from pool")
    assert [game.director(company) for company in ("SFL", "SFTG", "CTS")] == ["Ann"] * 3


def closed_in_its_own_turn(edition: str = "clarified", stage: str = "trains", cash: int = 10) -> Italian:
    """The same circle, but SFTG has bought the train; Ann controls it by the IRSFF until then."""
    game = situation(
        firm("IRSFF", {"Ann": 2, "SFTG": 2}, "F4", cash=100),
        firm("SFTN", {"Bob": 2, "IRSFF": 1}, "K1", markers=""),
        firm("SFTG", "IRSFF", "B1", markers="H4/0", cash=cash),
        firm("AFI", "Eve", "A1", markers="L12"),
        players="Ann Bob Eve",
        edition=edition,
    ).turn("SFTG", stage, waiting="AFI")
    game = game.turns(*game.state.agenda, FirstFour(PlayerId("Ann")))  # type: ignore[assignment]
    game.do("Ann: choose SFV")
    return game


@pytest.mark.clarification("2.24")
@pytest.mark.rule("11.5")
def test_a_company_whose_own_train_closes_a_circle_sells_in_the_financial_step_of_that_turn() -> None:
    """It sells the president's certificate of SFL at 100 a share, and its turn ends; its price does not move."""
    game = closed_in_its_own_turn()
    assert [(e.player, e.company, e.count, e.amount) for e in game.told(Sold)] == [("SFTG", "SFL", 2, 200)]
    assert (game.president("SFL"), game.money("SFTG"), game.place("SFTG")) == ("Pool", 210, "83 B1")
    assert game.asked == ["Eve AFI company.turn"]


@pytest.mark.clarification("2.24")
def test_it_does_not_sell_where_its_financial_sales_are_over() -> None:
    game = closed_in_its_own_turn(stage="buy")
    assert (game.president("SFL"), game.money("SFTG")) == ("SFTG", 10)


@pytest.mark.rule("11.3")
def test_on_the_site_a_company_frozen_in_its_own_turn_goes_on_with_it() -> None:
    """Who controlled SFTG when its turn began leads it to the end; it may merge with nobody."""
    game = closed_in_its_own_turn("v1")
    assert game.director("SFTG") == "Ann" and game.asked == ["Ann SFTG company.turn"]
    assert (game.president("SFL"), game.told(Sold)) == ("SFTG", [])
    game.do("SFTG: done")
    assert game.frozen("SFTG") and game.asked == ["Eve AFI company.turn"]


@pytest.mark.rule("11.4")
def test_a_minor_that_is_frozen_in_its_own_turn_does_not_transform() -> None:
    """The site could not carry that out."""
    game = situation(firm("SFTC", {"Pool": 2}, "F3", markers="D8"), edition="v1")
    game.state = replace(game.state, marks={**game.state.marks, ACTING: (CompanyId("SFTC"), PlayerId("Ann"))})
    game.turn("SFTC", "merge")
    assert game.asked == ["Ann SFTC company.turn"]
    assert game.refusals("SFTC: transform AFI") == {"merge.frozen"} and game.accepted() == ["done"]


@pytest.mark.rule("11.3")
def test_on_the_site_it_may_start_a_company_then() -> None:
    """Who leads it chooses the home and the tokens."""
    game = closed_in_its_own_turn("v1", cash=400)
    game.do("SFTG: start CTS at 68")
    while game.asked != ["Ann SFTG company.turn"]:
        (asked,) = game.asked
        assert asked.split()[0] == "Ann"
        game.do(f"{asked.split()[-2]}: {game.menu()[-1]}")
    assert game.president("CTS") == "SFTG" and game.frozen("CTS")


def circle(edition: str) -> Italian:
    """AFI and CTS own each other; Ann has one share of CTS."""
    return situation(
        firm("AFI", "CTS", "F4", markers="D8"),
        firm("CTS", {"AFI": 3, "Ann": 2}, "E4", markers="E9"),
        edition=edition,
    ).operating("AFI")


@pytest.mark.clarification("2.24")
def test_a_company_in_a_circle_sells_its_shares_of_its_owners_at_full_price() -> None:
    """AFI goes two columns left and sells its three shares of CTS at 90: Ann presides over CTS, and so controls AFI."""
    game = circle("clarified")
    assert game.money("AFI") == 270
    assert (game.president("CTS"), game.shares("CTS")) == ("Ann", {"Ann": 2, "Pool": 3, "Treasury": 5})
    assert not game.frozen("AFI")


@pytest.mark.clarification("2.24", site=True)
def test_on_the_site_it_is_frozen_and_nothing_is_sold() -> None:
    game = circle("v2")
    assert (game.money("AFI"), game.shares("CTS")["AFI"], game.frozen("AFI")) == (0, 3, True)


@pytest.mark.clarification("2.24")
@pytest.mark.clarification("2.2")
def test_shares_of_several_owners_are_one_group_and_the_cheapest_falls_first() -> None:
    """CTS owns AFI, CGTF owns CTS, AFI owns CGTF. AFI sells three of CTS at 107 (D1) and two of CGTF at 93 (D2). Both
    fall to D4, CGTF first."""
    game = situation(
        firm("AFI", "CTS", "F4", markers="D8"),
        firm("CTS", {"CGTF": 4, "AFI": 3}, "D1", markers="E9"),
        firm("CGTF", {"AFI": 2}, "D2", markers="H8"),
    ).operating("AFI")
    assert [(e.company, e.amount) for e in game.told(Sold)][:2] == [("CTS", 3 * 107), ("CGTF", 2 * 93)]
    falls = [(e.company, named(e.cell)) for e in game.told(PriceSet) if e.reason == "sale"]
    assert falls[:2] == [("CGTF", "D4"), ("CTS", "D4")]


@pytest.mark.clarification("2.24")
def test_a_company_that_a_circle_controls_sells_its_shares_of_it_too() -> None:
    """CTS is no part of the circle of AFI and CGTF, but frozen by it: it sells its two shares of AFI at 100 and the one
    of CGTF at 90."""
    game = situation(
        firm("AFI", {"CGTF": 3, "CTS": 2}, "F4", markers="D8"),
        firm("CGTF", {"AFI": 3, "CTS": 1}, "E4", markers="E9"),
        firm("CTS", {"AFI": 2}, "C5", markers="H8"),
    ).operating("CTS")
    sold = [(e.player, e.company, e.count, e.amount) for e in game.told(Sold)]
    assert sold[:2] == [("CTS", "AFI", 2, 200), ("CTS", "CGTF", 1, 90)]
