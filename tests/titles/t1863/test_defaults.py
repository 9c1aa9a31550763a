"""The defaults of 1863 in situations."""

from __future__ import annotations

import pytest

from engine.core.ids import BANK, CompanyId, PlayerId
from engine.titles.t1863.money.crisis import Bill
from engine.titles.t1863.money.player_debt import PlayerDebt
from engine.titles.t1863.turn.company_turn import TURNS
from tests.kit.games.silent import default_of
from tests.kit.games.situations_1863 import London, Tube, situation, tube

OTHER = tube("UER", "Cat", 100, markers="")


def billed(first: Tube, ann: int = 0) -> London:
    """The company has just been sent its bill of 35."""
    game = situation(first, OTHER, rate=15, cash={"Ann": ann})
    return game.frames(TURNS.begin(OTHER.id), Bill(first.id, "costs"))


@pytest.mark.rule("1863:5.4", "1863:5.6")
@pytest.mark.parametrize(("cash", "paid"), [(0, 75), (500, 90)])
def test_the_revenue_is_paid_as_far_as_the_bill_allows(cash: int, paid: int) -> None:
    """Two 2-trains and a marker cost 10, 5 and 5 or so; the dividend leaves what the bill needs in cash."""
    game = situation(tube("MET", "Ann", 100, cash=90 + cash, last_run=90, trains="2T"), OTHER).turn("MET", "pay")
    bill = game.title.policies.bill
    assert bill is not None
    most = min(90, 90 + cash - bill(game.title, game.state, CompanyId("MET")))
    amount = int(default_of(game).rpartition(" ")[2])
    assert default_of(game).startswith("pays_and_keeps_costs MET: dividend ")
    assert amount <= most < amount + 5 or amount == most == paid


@pytest.mark.rule("1863:5.6", "1863:7.1")
def test_a_bill_is_paid_with_loans_while_there_are_any() -> None:
    game = billed(tube("MET", "Ann", 100, trains="2T 2T", loans=1, cash=10))
    assert default_of(game) == "borrows_for_bill MET: loan 1"


@pytest.mark.rule("1863:7.1", "1863:7.2")
@pytest.mark.parametrize(
    ("ann", "wanted"), [(500, "helps_company MET: crisis help"), (3, "liquidates MET: crisis liquidate")]
)
def test_a_crisis_takes_what_the_president_has_in_cash_and_no_more(ann: int, wanted: str) -> None:
    game = billed(tube("MET", "Ann", 100, minor=True, trains="2T 2T", loans=2, cash=10), ann)
    assert default_of(game) == wanted


@pytest.mark.rule("1863:7.3")
def test_who_owes_sells_as_few_shares_as_pay_it() -> None:
    game = situation(tube("DIS", {"Bob": 3, "Ann": 2}, 100), tube("CLR", "Ann", 100, minor=True), OTHER)
    game.frames(TURNS.begin(OTHER.id), PlayerDebt(PlayerId("Ann"), 150, BANK, "short", "HAM"))
    assert default_of(game) == "sells_for_debt Ann: sell 2 DIS"
