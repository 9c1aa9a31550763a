"""Operating rounds of 1863: who is next, the course of a turn, loans in it, and what is paid at its end."""

from __future__ import annotations

import pytest

from engine.core.events import LoansChanged, Ran, TurnEnded
from engine.core.ids import CompanyId
from engine.titles.t1863.turn.costs import bill, cost_parts
from engine.titles.t1863.turn.operating_round import begin_operating_round
from engine.titles.t1863.turn.queue import next_company
from tests.kit.games.situations_1863 import London, situation, tube

MET = CompanyId("MET")


def three(**options: str) -> London:
    return situation(
        tube("MET", {"Ann": 2}, 90),
        tube("BAK", "Bob", 100, minor=True, since=1),
        tube("CLR", "Cat", 100, minor=True, since=0),
        options=options,
    )


@pytest.mark.rule("1863:5.7", "1863:5.8")
def test_the_dearest_operates_first_and_of_equal_ones_who_came_first() -> None:
    play = three().play()
    begin_operating_round(play)
    (frame,) = play.state.agenda[-1:]
    assert getattr(frame, "waiting", None) == ("CLR", "BAK", "MET")


R25 = [("live", "BAK"), ("fixed", "MET")]


@pytest.mark.rule("1863:12.25")
@pytest.mark.parametrize(("ties", "company"), R25)
def test_r25_prices_that_move_in_the_round_change_the_order(ties: str, company: str) -> None:
    """The Metropolitan was dearer than Bakerloo when the round began."""
    game = three(operating_ties=ties)
    assert next_company(game.title, game.state, (MET, CompanyId("BAK"))) == company


@pytest.mark.rule("1863:12.39")
def test_r39_a_company_below_one_that_nobody_owns_has_no_turn() -> None:
    game = situation(tube("MET", "Pool", 0), tube("BAK", "MET", 100, minor=True), tube("CLR", "Cat", 50, minor=True))
    waiting = (CompanyId("BAK"), CompanyId("CLR"))
    assert next_company(game.title, game.state, waiting) == "CLR"


@pytest.mark.rule("1863:5.7")
def test_a_company_in_the_red_area_does_not_operate() -> None:
    game = situation(tube("MET", {"Ann": 2}, 0), tube("BAK", "Bob", 100, minor=True))
    play = game.play()
    begin_operating_round(play)
    assert getattr(play.state.agenda[-1], "waiting", None) == ("BAK",)
    assert next_company(game.title, game.state, (MET,)) is None


@pytest.mark.rule("1863:5.1")
def test_loans_are_taken_at_any_time_and_repaid_before_the_run() -> None:
    game = situation(
        tube("MET", {"Ann": 5}, 100, cash=300, loans=2, trains="2T"), tube("BAK", "Bob", 50, minor=True)
    ).turn("MET", waiting="BAK")
    game.do("MET: repay 1")
    assert (game.loans("MET"), game.money("MET"), game.share_price("MET")) == (1, 200, 100)
    assert game.refusals("MET: repay 2") == {"repay.count"}
    game.do("MET: dividend 50")
    assert game.refusals("MET: repay 1") == {"repay.late"}
    game.do("MET: loan 1")
    assert (game.loans("MET"), game.share_price("MET")) == (2, 75)
    assert [e.change for e in game.told(LoansChanged)] == [-1, 1]


@pytest.mark.rule("1863:9.14")
def test_a_company_buys_privates_of_its_controller_at_any_time_of_its_turn() -> None:
    game = situation(
        tube("MET", {"Ann": 5}, 100, cash=300),
        tube("BAK", "Bob", 50, minor=True),
        privates={"GRE": "Ann", "FOW": "Bob"},
    ).turn("MET", waiting="BAK")
    assert game.refusals("MET: buy FOW for 10") == {"private.owner"}
    game.do("MET: buy GRE for 140")
    game.do("MET: dividend 0")
    assert (game.owner("GRE"), game.money("Ann"), game.money("MET")) == ("MET", 140, 160)
    assert game.refusals("MET: buy GRE for 10") == {"private.owner"}


@pytest.mark.rule("1863:5.3")
def test_a_run_is_not_left_out() -> None:
    """Paddington and Marylebone are joined, with two minor stations on the way."""
    game = situation(tube("MET", {"Ann": 5}, 100, trains="2T"), tube("BAK", "Bob", 50, minor=True), tiles=RAILS).turn(
        "MET", waiting="BAK"
    )
    assert game.refusals("MET: done") == {"turn.run_first"}
    game.do("MET: run best")
    (run,) = game.told(Ran)
    assert run.revenue == game.money("MET") == game.state.companies[MET].last_run == 20 + 10 + 10 + 20
    assert game.asked == ["Ann MET company.dividend"]


RAILS = {"C10": "57#1", "D9": "4#1", "E8": "58#5", "F9": "6#0"}


@pytest.mark.rule("1863:5.6")
def test_t11_interest_markers_and_trains() -> None:
    game = situation(tube("BAK", "Bob", 75, minor=True, cash=10, trains="2T 2T", loans=1), rate=15)
    assert bill(game.title, game.state, CompanyId("BAK")) == 35
    assert dict(cost_parts(game.title, game.state, CompanyId("BAK"))) == {"interest": 15, "markers": 10, "trains": 10}
    again = situation(tube("BAK", "Bob", 75, minor=True, cash=10, trains="2T 2T", loans=2), rate=15)
    assert bill(again.title, again.state, CompanyId("BAK")) == 50


@pytest.mark.rule("1863:5.6", "1863:6.3", "1863:5.35")
def test_t11_a_loan_for_the_bill_costs_interest_at_once() -> None:
    """It has 10; with a loan the bill is 50, and 60 are left."""
    game = situation(
        tube("BAK", "Bob", 75, minor=True, cash=10, trains="2T 2T", loans=1), tube("MET", {"Ann": 2}, 50), rate=15
    ).turn("BAK", "trains", waiting="MET")
    game.do("BAK: done")
    assert game.asked == ["Bob BAK bill.loans"]
    game.do("BAK: loan 1")
    assert (game.money("BAK"), game.loans("BAK"), game.share_price("BAK")) == (60, 2, 70)
    assert game.asked == ["Ann MET company.turn"]


@pytest.mark.rule("1863:5.6")
def test_t11_at_its_limit_of_loans_it_is_in_a_crisis() -> None:
    game = situation(
        tube("BAK", "Bob", 75, minor=True, cash=10, trains="2T 2T", loans=2), tube("MET", {"Ann": 2}, 50), rate=15
    ).turn("BAK", "trains", waiting="MET")
    game.do("BAK: done")
    assert game.asked == ["Bob BAK bill.crisis"]
    game.do("BAK: crisis liquidate")
    assert game.asked == ["Ann MET company.turn"]


@pytest.mark.rule("1863:5.6", "1863:5.34")
def test_markers_on_the_charter_cost_nothing_and_new_trains_do() -> None:
    game = situation(
        tube("MET", {"Ann": 5}, 100, cash=600, markers="C10 H11", tokens=4),
        tube("BAK", "Bob", 50, minor=True),
        supply={"3T": 5},
    ).turn("MET", "trains", waiting="BAK")
    assert bill(game.title, game.state, MET) == 20
    game.do("MET: train 2+1e")
    assert bill(game.title, game.state, MET) == 35
    game.do("MET: done")
    assert game.money("MET") == 600 - 300 - 35
    assert [e.company for e in game.told(TurnEnded)] == ["MET"]
    assert game.asked == ["Bob BAK company.turn"]
