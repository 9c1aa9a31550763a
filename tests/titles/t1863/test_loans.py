"""Loans: markers, limits, the rule of the value, and the rate."""

from __future__ import annotations

import pytest

from engine.core.ids import CompanyId, PlayerId
from engine.titles.t1863.money import loans
from engine.titles.t1863.money.value import value_of, value_parts
from engine.titles.t1863.stock.frame import StockRound
from engine.titles.t1863.stock.windows import Window
from tests.kit.games.situations_1863 import London, situation, title, tube

MET = CompanyId("MET")


def refused(game: London, count: int, company: str = "MET") -> set[str]:
    return {failure.check for failure in loans.check_loans(game.title, game.state, CompanyId(company), count)}


def take(game: London, count: int, company: str = "MET") -> London:
    play = game.play()
    loans.take_loans(play, CompanyId(company), count)
    return game.take(play)


def repay(game: London, count: int) -> London:
    play = game.play()
    loans.repay_loans(play, MET, count)
    return game.take(play)


@pytest.mark.rule("1863:6.2", "1863:6.3", "1863:6.7", "1863:12.36")
def test_t7_the_printed_example_of_a_value() -> None:
    game = situation(tube("MET", "Ann", 100, cash=100, trains="2T", last_run=60))
    assert value_of(game.title, game.state, MET) == 260
    assert refused(game, 2) == set()
    take(game, 2)
    assert (game.money("MET"), game.share_price("MET"), game.loans("MET")) == (300, 80, 2)
    assert value_of(game.title, game.state, MET) == 260
    assert refused(game, 1) == {"loan.value"}


@pytest.mark.rule("1863:12.36")
def test_r36_the_value_must_cover_all_loans_of_the_round() -> None:
    game = situation(tube("MET", "Ann", 100, cash=100, trains="2T", last_run=60))
    assert loans.loan_room(game.title, take(game, 2).state, MET) == 0


@pytest.mark.rule("1863:12.36")
@pytest.mark.parametrize(("cash", "refusals"), [(500, {"loan.value"}), (501, set[str]())])
def test_r36_the_value_must_be_more_not_as_much(cash: int, refusals: set[str]) -> None:
    game = situation(tube("MET", "Ann", 100, cash=cash, loans=2))  # less 200 for the loans
    assert value_of(game.title, game.state, MET) == cash - 200
    assert refused(game, 2) == set()
    assert refused(game, 3) == refusals


@pytest.mark.rule("1863:12.36")
def test_r36_a_refusal_says_what_the_value_must_exceed() -> None:
    """Two loans of the round are there already, and two more are wanted."""
    game = take(situation(tube("MET", "Ann", 100, cash=100)), 2)
    (failure,) = loans.check_loans(game.title, game.state, MET, 2)
    assert (failure.check, failure.facts["needed"], failure.facts["value"]) == ("loan.value", 400, 100)


@pytest.mark.rule("1863:6.2", "1863:6.4")
def test_the_first_two_loans_need_no_value() -> None:
    game = situation(tube("MET", "Ann", 100))
    assert loans.loan_room(game.title, game.state, MET) == 2
    assert refused(game, 3) == {"loan.value"}
    assert loans.credit(game.title, game.state, MET) == 200


@pytest.mark.rule("1863:13.5")
@pytest.mark.parametrize(("agreed", "room"), [("no", 2), ("yes", 10)])
def test_by_agreement_the_size_alone_limits_loans(agreed: str, room: int) -> None:
    game = situation(tube("MET", "Ann", 100), options={"loose_valuations": agreed})
    assert loans.loan_room(game.title, game.state, MET) == room


@pytest.mark.rule("1863:6.1", "1863:12.35")
@pytest.mark.parametrize(("minor", "most"), [(True, 2), (False, 10)])
def test_r35_a_minor_has_two_loans_a_major_ten(minor: bool, most: int) -> None:
    game = situation(tube("MET", "Ann", 100, minor=minor, cash=5_000, loans=most - 1))
    assert refused(game, 1) == set()
    assert refused(game, 2) == {"loan.limit"}


@pytest.mark.rule("1863:12.2")
@pytest.mark.parametrize(("players", "markers"), [(3, 33), (4, 44), (5, 55), (6, 66)])
def test_r2_eleven_rows_of_markers(players: int, markers: int) -> None:
    assert loans.loans_total(title(), players) == markers


@pytest.mark.rule("1863:6.1", "1863:6.5")
def test_no_more_loans_than_markers() -> None:
    rich = [tube(name, "Ann", 100, cash=5_000, loans=10) for name in ("BAK", "CLR", "CIR")]
    game = situation(tube("MET", "Ann", 100, cash=5_000, loans=2), *rich)
    assert refused(game, 1) == set()
    assert refused(game, 2) == {"loan.none_left"}
    assert loans.loan_room(game.title, game.state, MET) == 1


@pytest.mark.rule("1863:12.64")
def test_a_company_in_the_red_area_takes_no_loans() -> None:
    game = situation(tube("MET", "Ann", 0, cash=5_000))
    assert refused(game, 1) == {"loan.liquidation"}
    assert loans.loan_room(game.title, game.state, MET) == 0


@pytest.mark.rule("1863:6.6")
@pytest.mark.parametrize(
    ("players", "out", "rate"),
    [(3, 0, 5), (3, 8, 10), (3, 9, 15), (3, 11, 15), (3, 12, 20), (3, 2, 5), (3, 33, 55), (6, 11, 5), (6, 12, 10)],
)
def test_t10_the_rate_of_the_highest_row_that_is_taken(players: int, out: int, rate: int) -> None:
    assert loans.rate_of(title(), players, out) == rate


@pytest.mark.rule("1863:6.6", "1863:5.6")
def test_the_rate_is_set_and_then_holds() -> None:
    game = situation(tube("MET", "Ann", 100, cash=5_000, loans=8))
    assert loans.interest(game.state, MET) == 40
    play = game.play()
    loans.set_rate(play)
    game.take(play)
    assert loans.interest(game.state, MET) == 80
    assert loans.interest(take(game, 1).state, MET) == 90


@pytest.mark.rule("1863:6.3", "1863:6.8")
def test_repaying_moves_no_price_and_loans_of_the_round_stay_counted() -> None:
    game = take(situation(tube("MET", "Ann", 100, cash=50)), 1)
    repay(game, 1)
    assert (game.money("MET"), game.share_price("MET"), game.loans("MET")) == (50, 90, 0)
    assert loans.borrowed(game.state, MET) == 1


@pytest.mark.rule("1863:6.3")
def test_what_cannot_be_repaid() -> None:
    game = situation(tube("MET", "Ann", 100, cash=150, loans=1))
    found = loans.check_repayment(game.title, game.state, MET, 2)
    assert {failure.check for failure in found} == {"repay.count", "repay.money"}
    assert loans.check_repayment(game.title, game.state, MET, 1) == []


@pytest.mark.rule("1863:6.7", "1863:12.37")
@pytest.mark.parametrize(("ruling", "own"), [("no", 0), ("yes", 700)])
def test_r37_the_parts_of_a_value(ruling: str, own: int) -> None:
    game = situation(
        tube("MET", {"Ann": 2, "Bob": 1}, 100, cash=10, trains="2T 3T", last_run=90, loans=3),
        tube("BAK", {"Bob": 3, "MET": 2}, 75),
        tube("DIS", "MET", 60, minor=True),
        privates={"GRE": "MET", "FOW": "Ann"},
        options={"own_shares_valued": ruling},
    )
    parts = dict(value_parts(game.title, game.state, MET))
    assert parts.pop("own", 0) == own
    assert parts == {"cash": 10, "privates": 70, "trains": 350, "shares": 270, "revenue": 90, "loans": -300}
    assert value_of(game.title, game.state, MET) == 490 + own


@pytest.mark.rule("1863:4.6", "1863:6.1")
@pytest.mark.parametrize("order", ["loan 1", "repay 1"])
def test_no_player_has_loans(order: str) -> None:
    cash = {"Ann": 500}
    game = situation(tube("MET", "Ann", 100, loans=1), cash=cash, round="SR 2").frames(StockRound(PlayerId("Ann")))
    assert game.refusals(f"Ann: {order}") == {"loan.holder"}


@pytest.mark.rule("1863:6.1", "1863:8.1")
def test_no_player_borrows_to_buy_what_he_is_offered() -> None:
    offered = Window(MET, PlayerId("Ann"), "none", ())
    game = situation(tube("MET", "Ann", 100), cash={"Ann": 500}, round="MR 2.1").frames(offered)
    assert game.refusals("Ann: loan 1") == {"loan.holder"}
