"""Bills that a company cannot pay: loans, liquidation, the help of its president."""

from __future__ import annotations

from typing import Literal

import pytest

from engine.core.events import CrisisBegan, Paid, Resigned
from engine.core.ids import CompanyId, PlayerId
from engine.titles.t1863.failures.failure import owed
from engine.titles.t1863.money.crisis import Bill, liable, settle_bill
from engine.titles.t1863.names import MARKERS_DUE
from engine.titles.t1863.remarks import remarks
from engine.titles.t1863.stock.market import in_red
from engine.titles.t1863.turn.company_turn import TURNS
from tests.kit.games.situations_1863 import London, Tube, situation, tube

OTHER = tube("UER", "Cat", 100, markers="")
ON = ["Cat UER company.turn"]
"""The game has gone on."""


def billed(*companies: Tube, what: Literal["costs", "markers"] = "costs", **more: object) -> London:
    """The first of the companies has just been sent its bill; the turn of another one comes next."""
    game = situation(*companies, OTHER, **more)  # type: ignore[arg-type]
    return game.frames(TURNS.begin(OTHER.id), Bill(companies[0].id, what))


def red(game: London, name: str) -> bool:
    return in_red(game.title, game.state, CompanyId(name))


# ---- loans -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:5.6", "1863:7.1", "1863:7.8")
def test_t11_a_loan_is_enough_so_there_is_no_crisis() -> None:
    game = billed(tube("MET", "Ann", 100, trains="2T 2T", loans=1, cash=10), rate=15)
    assert game.asked == ["Ann MET bill.loans"]
    assert game.accepted() == ["loan 1"]
    assert game.failures("MET: crisis help")["crisis.loans"]["due"] == 35
    game.do("MET: loan 1")
    assert game.money("MET") == 60 and game.loans("MET") == 2 and game.share_price("MET") == 90
    assert game.asked == ON


@pytest.mark.rule("1863:7.1")
def test_t11_at_its_limit_of_loans_it_is_in_a_crisis() -> None:
    game = billed(tube("MET", "Ann", 100, minor=True, trains="2T 2T", loans=2, cash=10), rate=15)
    assert game.asked == ["Ann MET bill.crisis"]
    assert game.accepted() == ["crisis liquidate", "crisis help"]
    assert game.refusals("MET: loan 1") == {"loan.limit", "loan.value"}


@pytest.mark.rule("1863:5.6")
def test_a_bill_within_the_cash_is_paid_at_once() -> None:
    game = situation(tube("MET", "Ann", 100, trains="3T", loans=2, cash=100), rate=10)
    play = game.play()
    settle_bill(play, CompanyId("MET"), "costs")
    assert game.take(play).money("MET") == 100 - 20 - 10 - 10 and not play.state.agenda


# ---- liquidation -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:7.1", "1863:12.64", "1863:7.4")
def test_in_liquidation_the_bill_stays_a_debt_and_nothing_is_paid() -> None:
    game = billed(tube("MET", "Ann", 100, minor=True, trains="2T 2T", loans=2, cash=10), rate=15)
    game.do("MET: crisis liquidate")
    assert red(game, "MET") and game.money("MET") == 10 and owed(game.state, CompanyId("MET")) == 50
    assert game.told(CrisisBegan) == [CrisisBegan(CompanyId("MET"), 40)]
    assert game.asked == ON


# ---- help ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:7.2", "1863:7.5")
@pytest.mark.parametrize(("price", "after"), [(75, 30), (100, 50), (110, 55), (45, 20), (20, 10), (10, 10)])
def test_t18_help_halves_the_price_to_the_highest_column_not_above(price: int, after: int) -> None:
    game = billed(tube("MET", "Ann", price, minor=True, trains="2T", loans=2), rate=5, cash={"Ann": 100})
    game.do("MET: crisis help")
    assert game.share_price("MET") == after and game.money("Ann") == 100 - 25


@pytest.mark.rule("1863:7.2", "1863:12.65", "1863:7.6")
def test_its_shares_are_sold_first_and_may_be_enough() -> None:
    game = billed(
        tube("MET", "Ann", 100, minor=True, trains="2T", loans=2),
        tube("DIS", {"Bob": 3, "MET": 2}, 60),
        tube("CLR", "MET", 80, minor=True),
        rate=5,
        cash={"Ann": 100},
    )
    game.do("MET: crisis help")
    assert game.money("MET") == 120 - 25 and game.money("Ann") == 100
    assert game.shares("DIS") == {"Bob": 3, "Pool": 2, "Treasury": 5, "OSI": 10} and game.share_price("DIS") == 50
    assert game.president("CLR") == "MET"


@pytest.mark.rule("1863:7.2", "1863:4.3", "1863:4.28")
def test_a_presidency_is_sold_as_far_as_another_takes_it_over() -> None:
    game = billed(
        tube("MET", "Ann", 100, minor=True, trains="2T", loans=2),
        tube("DIS", {"MET": 4, "Bob": 2}, 100),
        tube("HAM", {"MET": 3, "Bob": 1}, 100),
        rate=5,
    )
    game.do("MET: crisis help")
    assert game.shares("DIS") == {"Bob": 2, "Pool": 4, "Treasury": 4, "OSI": 10} and game.president("DIS") == "Bob"
    assert game.shares("HAM")["MET"] == 2 and game.president("HAM") == "MET"
    assert game.share_price("DIS") == 55 and game.share_price("HAM") == 80


@pytest.mark.rule("1863:7.2", "1863:7.7")
def test_the_president_gets_all_cash_and_pays_the_whole_bill() -> None:
    game = billed(tube("MET", "Ann", 100, minor=True, trains="2T", loans=2, cash=15), rate=5, cash={"Ann": 30})
    game.do("MET: crisis help")
    assert game.money("MET") == 0 and game.money("Ann") == 30 + 15 - 25
    assert [(e.payer, e.payee, e.amount) for e in game.told(Paid)] == [("MET", "Ann", 15), ("Ann", "Bank", 25)]


@pytest.mark.rule("1863:7.2", "1863:7.3", "1863:7.7")
def test_the_president_sells_until_he_can_pay() -> None:
    game = billed(
        tube("MET", "Ann", 100, minor=True, trains="5T", loans=2),
        tube("DIS", {"Bob": 3, "Ann": 2}, 40),
        rate=5,
        phase="V",
    )
    game.do("MET: crisis help")
    assert game.asked == ["Ann debt.sell"] and game.accepted() == ["sell 1 DIS"]
    assert remarks(game.title, game.state, "Ann")["debt"]["least"] == (80, "DIS", 2)
    assert game.refusals("Ann: sell 3 DIS") == {"sell.not_held"}
    game.do("Ann: sell 1 DIS")
    assert game.money("Ann") == 40 and game.asked == ["Ann debt.sell"]
    assert remarks(game.title, game.state, "Ann")["debt"]["least"] == (30, "DIS", 1)
    game.do("Ann: sell 1 DIS")
    assert game.money("Ann") == 40 + 30 - 60 and game.asked == ON


@pytest.mark.rule("1863:7.3", "1863:12.39")
def test_r39_a_president_who_hands_the_presidency_on_takes_the_bill_with_him() -> None:
    met = tube("MET", {"Ann": 3, "Bob": 2}, 40, loans=10)
    game = billed(met, rate=15, cash={"Bob": 70})
    game.do("MET: crisis help")
    assert game.asked == ["Ann debt.sell"]
    game.do("Ann: sell 3 MET")
    assert game.told(Resigned) == [Resigned(PlayerId("Ann"))] and game.asked == ON
    assert game.told(Paid)[-1].amount == 60 and owed(game.state, met.id) == 0
    assert game.president("MET") == "Bob" and game.money("Bob") == 70 and not red(game, "MET")


@pytest.mark.rule("1863:7.2")
def test_a_company_that_is_president_pays_as_a_company_with_loans() -> None:
    game = billed(
        tube("MET", "DIS", 100, minor=True, trains="2T", loans=2),
        tube("DIS", "Bob", 60, cash=5),
        rate=5,
        cash={"Bob": 500},
    )
    assert game.asked == ["Bob MET bill.crisis"]
    game.do("MET: crisis help")
    assert game.asked == ["Bob DIS bill.loans"]
    game.do("DIS: loan 1")
    assert game.money("DIS") == 5 + 100 - 25 and game.share_price("DIS") == 55 and game.money("Bob") == 500


@pytest.mark.rule("1863:7.2")
@pytest.mark.parametrize("way", ["liquidate", "help"])
def test_it_may_fall_into_a_crisis_itself(way: str) -> None:
    game = billed(
        tube("MET", "DIS", 100, minor=True, trains="2T", loans=2),
        tube("DIS", "Bob", 60, minor=True, loans=2, cash=5),
        rate=5,
        cash={"Bob": 500},
    )
    game.do("MET: crisis help")
    assert game.asked == ["Bob DIS bill.crisis"]
    game.do(f"DIS: crisis {way}")
    assert not red(game, "MET") and red(game, "DIS") == (way == "liquidate")
    assert owed(game.state, CompanyId("DIS")) == (25 if way == "liquidate" else 0)
    assert (game.money("Bob"), game.money("DIS")) == ((500, 5) if way == "liquidate" else (480, 0))


@pytest.mark.rule("1863:7.2", "1863:12.64")
def test_a_president_in_liquidation_pays_with_the_rest_of_its_debts() -> None:
    game = situation(tube("MET", "DIS", 100, minor=True), tube("DIS", "Bob", 0, cash=500))
    play = game.play()
    liable(play, CompanyId("MET"), 70)
    assert owed(game.take(play).state, CompanyId("DIS")) == 70 and game.money("DIS") == 500


# ---- markers ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:4.2", "1863:12.38")
@pytest.mark.parametrize("way", ["liquidate", "help"])
def test_r38_markers_of_a_new_company_lead_to_a_crisis_too(way: str) -> None:
    game = billed(
        tube("MET", "Ann", 40, minor=True, loans=2, cash=20, operated=False),
        what="markers",
        marks={MARKERS_DUE: {CompanyId("MET"): 50}},
        cash={"Ann": 100},
    )
    assert game.asked == ["Ann MET bill.crisis"]
    game.do(f"MET: crisis {way}")
    assert MARKERS_DUE not in game.state.marks
    assert owed(game.state, CompanyId("MET")) == (50 if way == "liquidate" else 0)
    assert game.money("Ann") == (100 if way == "liquidate" else 70)


@pytest.mark.rule("1863:4.2", "1863:7.1")
@pytest.mark.parametrize(("cash", "asked"), [(10, ["Ann MET bill.loans"]), (9, ["Ann MET bill.crisis"])])
def test_a_loan_brings_its_whole_value_towards_markers(cash: int, asked: list[str]) -> None:
    """A bill for costs rises with each loan by the interest on it; one for markers does not."""
    game = billed(
        tube("MET", "Ann", 40, minor=True, loans=1, cash=cash, operated=False),
        what="markers",
        marks={MARKERS_DUE: {CompanyId("MET"): 110}},
        rate=15,
    )
    assert game.asked == asked


@pytest.mark.rule("1863:5.6", "1863:7.1")
def test_the_turn_of_a_company_ends_with_its_bill() -> None:
    game = situation(tube("MET", "Ann", 100, minor=True, trains="2T", loans=2), OTHER, rate=5)
    game.frames(TURNS.begin(OTHER.id), TURNS.begin(CompanyId("MET")))
    game.do("MET: run none")
    game.do("MET: done")
    assert game.asked == ["Ann MET bill.crisis"]
    game.do("MET: crisis liquidate")
    assert game.asked == ON
