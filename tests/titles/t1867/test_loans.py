"""Loans of 1867: interest, more than five after a merger, and no limit to their markers.

Numbers in docstrings are rows of the rule sheet."""

from __future__ import annotations

import pytest

from engine.core.events import Nationalised
from tests.kit.games.course_1867 import minor, public, turn
from tests.kit.games.situations import Played

OTHER = minor("BO", "Ann", 40, markers="C17", trains="3")


@pytest.mark.rule("6.9", "13.7", "13.11")
@pytest.mark.parametrize(
    ("loans", "cash", "owner"),
    [(2, 9, 2 * 70), (2, 10, None)],
)
def test_who_cannot_pay_interest_is_nationalised_and_the_bank_gets_the_cash(
    loans: int, cash: int, owner: int | None
) -> None:
    """Rows 6.4, 6.5: 135 falls to 120 without earnings, then 1 + 4 steps to 70; its private closes."""
    game = turn(minor("CA", "Bob", 135, cash=cash, loans=loans, markers="M9", trains="3"), OTHER, then="BO",
                privates={"SCT": "CA"})  # fmt: skip
    before = game.money("Bank")
    game.do("CA: run none; done" if owner is None else "CA: run none")
    if owner is None:
        assert (game.status("CA"), game.money("CA"), game.loans("CA")) == ("open", 0, 2)
        return
    assert (game.status("CA"), game.trains("CA"), game.state.pool_trains) == ("closed", "", ())
    assert [e.price for e in game.told(Nationalised)] == [70]
    assert (game.money("Bob"), game.money("CN"), game.money("Bank")) == (owner, 0, before + cash - owner)
    assert "SCT" not in game.state.privates


def in_debt(cash: int, loans: int, ruling: str = "lower", **rest: object) -> Played:
    given: dict[str, object] = {"phase": "3", "options": {"excess_loans": ruling}, **rest}
    described = public("CNR", {"Bob": 5, "Cat": 3}, 165, cash=cash, loans=loans, markers="M9")
    return turn(described, OTHER, stage="trains", then="BO", **given)


@pytest.mark.rule("11.13", "11.5", "11.8", "6.7", "13.5")
@pytest.mark.parametrize(
    ("ruling", "cash", "loans", "must"),
    [
        ("lower", 230, 7, False),  # 230 - 2 x 45 = 140
        ("lower", 314, 7, False),
        ("lower", 315, 7, True),
        ("lower", 225, 5, True),
        ("lower", 180, 4, True),
        ("ignored", 230, 7, True),
    ],
)
def test_more_than_five_loans_lower_the_buying_power(ruling: str, cash: int, loans: int, must: bool) -> None:
    """Row 11.5, fault 4: such a company may decline a 225 train that it can pay."""
    game = in_debt(cash, loans, ruling)
    assert "train 3" in game.menu(), "it may buy all the same"
    assert ("done" in game.menu()) != must
    assert game.refusals("CNR: done") == ({"train.must_buy"} if must else set())


@pytest.mark.rule("11.13", "13.5", "13.7")
def test_who_declines_is_nationalised() -> None:
    """Row 11.5: four loans repaid, three left: 1 + 6 steps from 165 to 80."""
    game = in_debt(230, 7)
    game.do("CNR: done")
    assert game.status("CNR") == "unstarted"
    assert (game.money("Bob"), game.money("Cat"), game.money("CN")) == (5 * 80, 3 * 80, 0)


@pytest.mark.rule("11.13")
def test_who_buys_stays() -> None:
    """Row 11.5."""
    game = in_debt(230, 7)
    game.do("CNR: train 3; done")
    assert (game.trains("CNR"), game.money("CNR"), game.loans("CNR")) == ("3", 5, 7)


@pytest.mark.rule("6.6", "6.7")
def test_loans_have_no_markers_that_could_run_out() -> None:
    """Row 1.11, fault 6: with 72 loans in hands and more, one that a train needs is still to be had."""
    names = ("CPR", "C&O", "GTR", "GWR", "ICR", "NTR", "NYC")
    others = [public(name, "Cat", 100, loans=11, markers="", trains="3") for name in names]
    game = turn(public("CNR", "Bob", cash=180, markers="M9"), *others, stage="trains", phase="3")
    game.do("CNR: train 3; done")
    assert (game.trains("CNR"), game.loans("CNR")) == ("3", 1)
