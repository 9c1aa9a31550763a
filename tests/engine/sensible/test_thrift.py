"""The plain player where companies get bills: 1863."""

from __future__ import annotations

from typing import Any, cast

import pytest

import engine
from engine.core import decide as rules
from engine.core.ids import CompanyId, TrainName
from engine.sensible.capital import dividend
from engine.sensible.common import earns
from engine.sensible.thrift import bill, bill_with, has_bills
from tests.kit.games.situations_1863 import London, situation, tube


def declared(game: London) -> str:
    """The dividend that the plain player declares."""
    (ask,) = rules.asked(game.title, game.state)
    order = dividend(cast(Any, game), ask, rules.menu(game.title, game.state, ask))
    assert order is not None
    return game.write(order)


def earned(revenue: int, cash: int, loans: int = 0, sold_short: int = 0) -> London:
    """The Metropolitan has run and has a 3T, which lasts; the bill is 20, and 5 for each loan."""
    company = tube(
        "MET",
        {"Ann": 5},
        100,
        cash=revenue + cash,
        last_run=revenue,
        trains="3T",
        loans=loans,
        markers="C10",
        pool=sold_short,
        shorts={"Cat": sold_short},
    )
    return situation(company, tube("BAK", "Bob", 50, minor=True), phase="III").turn("MET", "pay", waiting="BAK")


@pytest.mark.parametrize(
    ("revenue", "cash", "loans", "paid"),
    [(90, 800, 0, 100), (200, 800, 0, 200), (140, 0, 0, 120), (90, 0, 0, 20), (40, 0, 5, 0)],
)
def test_he_keeps_what_bill_and_track_need_and_adds_what_keeps_the_price(
    revenue: int, cash: int, loans: int, paid: int
) -> None:
    """The company has half of its shares, so that of what it pays half comes back."""
    assert declared(earned(revenue, cash, loans)) == f"dividend {paid}"


@pytest.mark.parametrize("sold_short", [0, 1, 3])
def test_shares_sold_short_do_not_change_what_comes_back_of_a_dividend(sold_short: int) -> None:
    """It has 10 beside bill and track. A dividend is divided by ten, whoever is paid (rule 5.4), and five parts come
    back."""
    assert declared(earned(90, 0, sold_short=sold_short)) == "dividend 20"


@pytest.mark.parametrize("sold_short", [0, 3])
def test_a_share_of_a_major_earns_a_tenth(sold_short: int) -> None:
    """A tenth of 90 is 90 thousandths of 100, whatever lies in the open short interest."""
    game = earned(90, 0, sold_short=sold_short)
    assert earns(game.title, game.state, CompanyId("MET")) == 90
    assert earns(game.title, game.state, CompanyId("MET"), price=50) == 180


def test_a_share_of_a_minor_earns_half() -> None:
    game = situation(tube("BAK", "Bob", 50, minor=True, last_run=40, trains="2T"))
    assert earns(game.title, game.state, CompanyId("BAK")) == 400


@pytest.mark.parametrize(("title", "bills"), [("1861", False), ("1844", False), ("1841", False), ("1863", True)])
def test_he_knows_from_the_title_whether_companies_get_bills(title: str, bills: bool) -> None:
    assert has_bills(engine.load_title(title)) == bills


def test_he_foresees_what_a_loan_and_a_train_add_to_the_bill() -> None:
    """5 for each loan; a 3T costs 10 in each turn, and so does the marker."""
    game, met = earned(90, 0, loans=2), CompanyId("MET")
    assert bill(game.title, game.state, met) == 30
    assert bill_with(game.title, game.state, met, 1, TrainName("3T")) == 45
