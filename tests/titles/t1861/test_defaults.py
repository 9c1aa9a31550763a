"""The defaults of 1861 in situations."""

from __future__ import annotations

import pytest

from tests.kit.games.course_1861 import operating_turn, stock
from tests.kit.games.silent import default_of, defaults_of
from tests.kit.games.situations import Played, company, situation

MOSCOW = {"H10": "4#0"}


@pytest.mark.rule("11.4", "6.3")
def test_a_company_buys_the_train_that_it_must_buy_and_no_more() -> None:
    other = company("M-K", "Cat", at="r6c4", trains="2", cash=100)
    game = operating_turn(situation(company("K-R", "Bob", at="r6c4", cash=335), other, phase="2"), "K-R")
    assert defaults_of(game) == ["buys_train K-R: train 2", "ends_turn K-R: done"]


@pytest.mark.rule("11.8")
def test_a_company_that_can_pay_for_no_train_ends_its_turn() -> None:
    game = operating_turn(situation(company("K-R", "Bob", at="r6c4"), phase="5", supply={"5": 1}), "K-R")
    assert default_of(game) == "ends_turn K-R: done"


@pytest.mark.rule("9.10", "6.3")
def test_a_company_with_trains_runs_and_ends_its_turn() -> None:
    game = situation(company("M-K", "Bob", at="r6c2", cash=500, trains="2"), phase="2", tiles=MOSCOW)
    assert defaults_of(operating_turn(game, "M-K")) == ["runs_best M-K: run best", "ends_turn M-K: done"]


def public(loans: int, cash: int = 0) -> Played:
    """MVR has run with its 7-train, and its director is asked what it pays."""
    described = company("MVR", {"Bob": 5, "Cat": 5}, at="r3c8", trains="7", loans=loans, cash=cash, markers="H8/0")
    game = operating_turn(situation(described, phase="7", tiles={"H10": "4#0", "H12": "8#3", "I13": "6#0"}), "MVR")
    game.do("MVR: run best")
    return game


@pytest.mark.rule("10.3", "6.9")
def test_a_public_company_pays_in_full_while_it_can_pay_its_interest() -> None:
    assert default_of(public(loans=4)) == "pays_and_keeps_interest MVR: pay full"
    assert default_of(public(loans=5, cash=25)) == "pays_and_keeps_interest MVR: pay full"


@pytest.mark.rule("6.9", "6.7")
def test_at_its_limit_of_loans_it_keeps_what_its_interest_needs() -> None:
    game = public(loans=5)
    assert default_of(game) == "pays_and_keeps_interest MVR: pay half"
    assert game.do("MVR: pay half") and game.status("MVR") == "open"
    lost = public(loans=5)
    lost.do("MVR: pay full")
    assert lost.status("MVR") != "open"


@pytest.mark.rule("3.15")
def test_shares_over_the_limit_are_sold_one_by_one_and_the_cheapest_first() -> None:
    minors = ("N", "M-K", "K-B", "K-K", "O-K", "R-O", "SP-W", "M-V", "M-NN", "K-R", "E", "M-B")
    game = stock(
        company("MVR", {"Cat": 3, "Bob": 3}, at="r5c6", markers=""),
        company("NW", {"Cat": 3, "Bob": 2}, at="r3c8", markers=""),
        *(company(minor, "Bob", at="r8c2") for minor in minors),
        players="Ann Bob Cat Dan",
        cash={"Bob": 500},
    )
    assert defaults_of(game) == ["sells_over_limit Bob: sell 1 MVR", "passes Bob: pass"]


@pytest.mark.rule("11.10")
def test_the_cheapest_train_is_discarded() -> None:
    game = situation(
        company("MVR", {"Bob": 2}, at="r1c9", trains="5 4 5", markers=""),
        company("GRR", {"Ann": 2}, at="r5c6", trains="5", cash=900, markers=""),
        phase="5",
        supply={"5": 0},
    )
    operating_turn(game, "GRR", "trains").do("GRR: train 6")
    assert default_of(game, "MVR") == "discards MVR: discard 4"


@pytest.mark.rule("14.1", "13.3")
def test_nobody_merges_or_gives_up_a_company() -> None:
    minor = company("M-K", "Bob", at="r3c7", trains="2", cash=225)
    game = situation(minor, phase="2", tiles=MOSCOW, supply={"2": 0})
    operating_turn(game, "M-K").do("M-K: run best; train 3; done")
    assert default_of(game) == "declines_merger M-K: decline"
