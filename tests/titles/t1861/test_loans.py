"""Money of companies in 1861: loans as payments need them, interest, repayment, redemption of shares, dividends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.acts.act import turn_of
from engine.acts.run_trains import Earned
from engine.core.events import LoansChanged, Paid
from tests.kit.games.course_1861 import operating_turn, whole_round
from tests.kit.games.situations import Played, company, situation

EDITIONS = ("v2.0", "first", "2020")


def minor(cash: int, loans: int = 0, **rest: object) -> Played:
    """K-R without a train: it stands at 60 r6c2 and falls to 55 r6c1 with its earnings of zero. M-K is to follow."""
    other = company("M-K", "Ann", at="r10c1", trains="3")
    game = situation(company("K-R", "Bob", at="r6c2", cash=cash, loans=loans), other, **rest)  # type: ignore[arg-type]
    return operating_turn(game, "K-R", then="M-K")


# ---- track ----------------------------------------------------------------------------------------------------------


TO_VORONEZH = {"H10": "4#0", "H12": "8#3", "I13": "6#0"}


def borrower(cash: int, loans: int = 0, edition: str = "v2.0") -> Played:
    """M-K, with a 2-train and track from Moscow to Voronezh; the next hex to the south, I15, costs 40."""
    described = company("M-K", "Bob", at="r6c2", cash=cash, loans=loans, trains="2")
    other = company("SP-W", "Ann", at="r10c1", trains="2")
    game = situation(described, other, edition=edition, phase="2", tiles=TO_VORONEZH)
    return operating_turn(game, "M-K", then="SP-W")


@pytest.mark.rule("6.5", "6.6", "6.7", "6.8", "6.10", "7.1", "7.8", "10.1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_loans_for_track_and_what_the_run_repays(edition: str) -> None:
    game = borrower(cash=10, edition=edition)
    game.do("M-K: lay 9 I15 0")
    assert (game.money("M-K"), game.loans("M-K")) == (15, 1)
    game.do("M-K: lay 4 I17 0")
    assert (game.money("M-K"), game.loans("M-K")) == (40, 2), "20 for the second lay"
    assert [e.amount for e in game.told(Paid) if e.reason == "loan"] == [45, 45]
    game.do("M-K: run 2 H8-I13; done")
    assert game.money("Bob") == 30
    assert not [e for e in game.told(Paid) if e.reason == "interest"], "new loans have paid theirs"
    assert (game.money("M-K"), game.loans("M-K")) == (20, 1)
    assert [e.change for e in game.told(LoansChanged)] == [1, 1, -1]


@pytest.mark.rule("6.7")
def test_a_payment_that_needs_a_third_loan_is_refused() -> None:
    game = borrower(cash=10, loans=1)
    game.do("M-K: lay 9 I15 0")
    assert (game.money("M-K"), game.loans("M-K")) == (15, 2)
    assert game.refusals("M-K: lay 4 I17 0") == {"lay.money"}
    assert not [line for line in game.menu() if line.startswith("lay")]


@pytest.mark.rule("6.8")
def test_interest_in_the_next_turn() -> None:
    game = minor(cash=70, loans=1, phase="2", supply={"2": 5})
    game.do("K-R: train 2")
    assert [(e.amount, e.payee) for e in game.told(Paid) if e.reason == "interest"] == [(5, "Bank")]


# ---- a compulsory train after a compulsory repayment ----------------------------------------------------------------


@pytest.mark.rule("11.5", "11.8", "6.10", "6.7", "13.5", "13.7")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("cash", "loans", "left", "owing"), [(135, 0, 0, 2), (200, 1, 10, 2), (225, 0, 0, 0), (224, 0, 44, 1)]
)
def test_a_trainless_company_that_can_buy_must(edition: str, cash: int, loans: int, left: int, owing: int) -> None:
    game = minor(cash, loans, edition=edition, supply={"2": 0, "3": 7}, phase="2")
    assert game.refusals("K-R: done") == {"train.must_buy"}
    game.do("K-R: train 3")
    assert (game.money("K-R"), game.loans("K-R"), game.trains("K-R")) == (left, owing, "3")
    assert game.price("K-R") == "55 r6c1"


@pytest.mark.rule("11.8", "13.5", "13.7", "6.10", "12.10")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("cash", "loans", "seized"), [(134, 0, 134), (135, 1, 80), (240, 2, 130)])
def test_a_trainless_company_that_cannot_buy_is_nationalised(edition: str, cash: int, loans: int, seized: int) -> None:
    game = minor(cash, loans, edition=edition, supply={"2": 0, "3": 7}, phase="2")
    assert "train.loans" in game.refusals("K-R: train 3")
    game.do("K-R: done")
    assert game.status("K-R") == "closed"
    assert not [e for e in game.told(LoansChanged) if e.reason == "taken"]
    assert (game.money("Bob"), game.money("RSR")) == (100, seized)


@pytest.mark.rule("11.6", "6.5")
def test_a_trainless_company_may_borrow_for_the_dearer_train() -> None:
    game = minor(250, phase="4", pool_trains="3", supply={"4": 3})
    assert game.refusals("K-R: train 3 from pool") == game.refusals("K-R: train 4") - {"train.loans"} == set()
    rich = minor(300, phase="4", pool_trains="3", supply={"4": 3})
    rich.do("K-R: train 4")
    assert (rich.money("K-R"), rich.loans("K-R")) == (40, 2)


@pytest.mark.rule("6.5", "6.7", "11.5")
@pytest.mark.parametrize(
    ("described", "train", "refused"),
    [
        (company("K-R", "Bob", at="r6c2", cash=200, trains="2"), "train 3", {"train.money"}),
        (company("K-R", "Bob", at="r6c2", cash=225, trains="2"), "train 3", set()),
        (company("MVR", {"Bob": 2}, at="r6c4", markers="", trains="3", cash=224), "train 3", {"train.money"}),
        (company("MVR", {"Bob": 2}, at="r6c4", markers="", cash=0), "train 3", set()),
        (company("MVR", {"Bob": 2}, at="r6c4", markers="", cash=0, loans=0), "train 3", set()),
    ],
)
def test_who_may_borrow_for_a_train(described: object, train: str, refused: set[str]) -> None:
    game = operating_turn(situation(described), described.id, "trains")  # type: ignore[arg-type,attr-defined]
    assert game.refusals(f"{described.id}: {train}") == refused  # type: ignore[attr-defined]


@pytest.mark.rule("6.7", "11.5", "11.8", "14.14")
def test_five_loans_or_more_leave_no_room() -> None:
    """Out of a merger with seven loans, 224 in hand, no train: it is nationalised."""
    described = company("MVR", {"Bob": 2}, at="r3c8", markers="", cash=224, loans=7)
    game = operating_turn(situation(described), "MVR", "trains")
    assert game.refusals("MVR: train 3") == {"train.loans"}
    game.do("MVR: done")
    assert game.status("MVR") == "unstarted"


@pytest.mark.rule("6.5", "11.7", "11.4")
def test_what_is_left_of_a_loan_buys_a_train_of_another_company() -> None:
    seller = company("M-K", "Bob", at="r6c4", trains="2 2")
    described = company("MVR", {"Bob": 2}, at="r6c4", cash=200, markers="")
    game = operating_turn(situation(seller, described), "MVR", "trains")
    game.do("MVR: train 3")
    assert (game.money("MVR"), game.loans("MVR")) == (20, 1)
    assert game.refusals("MVR: train 2 from M-K for 21") == {"train.price"}
    game.do("MVR: train 2 from M-K for 20; done")
    assert (game.trains("MVR"), game.money("M-K")) == ("3 2", 20)


@pytest.mark.rule("6.5")
def test_no_loan_for_a_train_of_another_company() -> None:
    seller = company("M-K", "Bob", at="r6c4", trains="2 2")
    game = operating_turn(situation(seller, company("K-R", "Bob", at="r6c4", cash=10)), "K-R", "trains")
    assert game.refusals("K-R: train 2 from M-K for 11") == {"train.price"}
    assert game.refusals("K-R: train 2 from M-K for 10") == set()


# ---- interest -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.8", "13.5", "13.7")
@pytest.mark.parametrize("edition", EDITIONS)
def test_interest_paid_and_then_no_train(edition: str) -> None:
    game = minor(cash=10, loans=2, edition=edition)
    game.do("K-R: done")
    assert [e.amount for e in game.told(Paid) if e.reason == "interest"] == [10]
    assert game.status("K-R") == "closed"
    assert (game.money("Bob"), game.money("RSR")) == (80, 0)


@pytest.mark.rule("6.9", "13.5", "13.10", "13.7")
@pytest.mark.parametrize(("edition", "railway"), [("v2.0", 0), ("first", 9), ("2020", 9)])
def test_who_cannot_pay_interest_is_nationalised_at_once(edition: str, railway: int) -> None:
    game = minor(cash=9, loans=2, edition=edition)
    game.do("K-R: done")
    assert game.status("K-R") == "closed"
    assert (game.money("Bob"), game.money("RSR"), game.money("Bank")) == (80, railway, 15_000 - 80 - railway)


@pytest.mark.rule("6.9", "6.7", "6.5")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_new_loan_for_interest(edition: str) -> None:
    game = minor(cash=4, loans=1, edition=edition)
    game.do("K-R: done")
    assert [e.change for e in game.told(LoansChanged) if e.reason == "taken"] == [1]
    assert game.status("K-R") == "closed"
    assert (game.money("Bob"), game.money("RSR")) == (80, 44)


@pytest.mark.rule("6.9", "13.10")
def test_a_train_ordered_by_a_company_that_cannot_pay_interest_lapses() -> None:
    game = minor(cash=9, loans=2)
    game.do("K-R: train 3")
    assert game.status("K-R") == "closed"
    assert game.trains("K-R") == game.trains("RSR") == ""


@pytest.mark.rule("6.9")
def test_a_public_company_with_seven_loans_takes_none_for_interest() -> None:
    described = company("MVR", {"Bob": 2}, at="r3c8", markers="", cash=34, loans=7)
    game = operating_turn(situation(described), "MVR")
    game.do("MVR: done")
    assert game.status("MVR") == "unstarted"
    assert game.money("RSR") == 0


@pytest.mark.rule("6.9", "13.7")
@pytest.mark.parametrize(("edition", "railway", "bob"), [("v2.0", 0, 80), ("first", 2, 90), ("2020", 2, 90)])
def test_what_a_company_keeps_repays_loans_first(edition: str, railway: int, bob: int) -> None:
    described = company("MVR", {"Bob": 2}, at="r3c8", markers="", cash=52, loans=11)
    game = operating_turn(situation(described, edition=edition, cash={"Ann": 200}), "MVR")
    game.do("MVR: done")
    assert (game.money("RSR"), game.money("Bob")) == (railway, bob)


@pytest.mark.rule("6.10")
@pytest.mark.parametrize(
    ("cash", "loans", "after"),
    [(54, 1, (49, 1)), (55, 1, (0, 0)), (160, 2, (50, 0)), (109, 2, (49, 1)), (60, 0, (60, 0))],
)
def test_repayment_is_compulsory_and_comes_after_interest(cash: int, loans: int, after: tuple[int, int]) -> None:
    described = company("K-R", "Bob", at="r6c4", cash=cash, loans=loans, trains="2")
    game = operating_turn(situation(described), "K-R")
    game.do("K-R: done")
    assert (game.money("K-R"), game.loans("K-R")) == after


# ---- redemption of shares -------------------------------------------------------------------------------------------


@pytest.mark.rule("6.4", "6.3", "6.5")
@pytest.mark.parametrize(
    ("described", "order", "refused"),
    [
        (company("MVR", {"Bob": 2}, at="r5c6", markers="", pool=3, cash=299), "redeem 2", set()),
        (company("MVR", {"Bob": 2}, at="r5c6", markers="", pool=3, cash=299), "redeem 3", {"redeem.money"}),
        (company("MVR", {"Bob": 2}, at="r5c6", markers="", pool=1, cash=299), "redeem 2", {"redeem.not_in_pool"}),
        (company("K-R", "Bob", at="r5c6", cash=299), "redeem 1", {"redeem.kind"}),
    ],
)
def test_what_may_be_redeemed(described: object, order: str, refused: set[str]) -> None:
    game = operating_turn(situation(described), described.id)  # type: ignore[arg-type,attr-defined]
    assert game.refusals(f"{described.id}: {order}") == refused  # type: ignore[attr-defined]


@pytest.mark.rule("6.4")
def test_redeemed_shares_lie_in_the_treasury_and_the_price_stays() -> None:
    described = company("MVR", {"Bob": 2}, at="r5c6", markers="", pool=3, cash=299, trains="3")
    game = operating_turn(situation(described), "MVR")
    game.do("MVR: redeem 1; redeem 1")
    assert game.shares("MVR") == {"Bob": 2, "Pool": 1, "Treasury": 7}
    assert (game.money("MVR"), game.price("MVR")) == (99, "100 r5c6")
    game.do("MVR: done")


@pytest.mark.rule("6.3")
def test_the_steps_of_a_turn_do_not_go_back() -> None:
    described = company("MVR", {"Bob": 2}, at="r5c6", markers="M7", pool=3, cash=299, trains="3")
    game = operating_turn(situation(described, tiles={"M7": "57#0"}), "MVR", "trains")
    for order in ("redeem 1", "lay 9 M5 0", "token H8/S", "run best"):
        assert "turn.step_over" in game.refusals(f"MVR: {order}"), order


# ---- dividends ------------------------------------------------------------------------------------------------------


def public(revenue: int, at: str = "r4c7", edition: str = "v2.0", pool: int = 1) -> Played:
    """MVR has earned ``revenue``: Bob has five shares, Cat two, the pool one, the treasury two."""
    described = company("MVR", {"Bob": 5, "Cat": 2}, at=at, markers="", pool=pool, trains="3")
    game = operating_turn(situation(described, edition=edition), "MVR", "pay")
    top = turn_of(game.state).noting(Earned(revenue))
    game.state = replace(game.state, agenda=(*game.state.agenda[:-1], top))
    return game


@pytest.mark.rule("10.3", "10.4", "10.5")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("revenue", "kind", "share", "kept", "price"),
    [
        (230, "half", 12, 110, "135 r4c8"),
        (210, "half", 11, 100, "120 r4c7"),
        (250, "half", 13, 120, "135 r4c8"),
        (240, "half", 12, 120, "135 r4c8"),
        (110, "full", 11, 0, "120 r4c7"),
        (120, "full", 12, 0, "135 r4c8"),
        (230, "none", 0, 230, "110 r4c6"),
        (10, "half", 1, 0, "120 r4c7"),
    ],
)
def test_dividends_and_the_price(edition: str, revenue: int, kind: str, share: int, kept: int, price: str) -> None:
    game = public(revenue, edition=edition)
    game.do(f"MVR: pay {kind}")
    assert (game.money("Bob"), game.money("Cat")) == (5 * share, 2 * share)
    assert game.money("MVR") == kept + 2 * share, "the treasury's two shares are paid too, the pool's is lost"
    assert game.price("MVR") == price


@pytest.mark.rule("10.2", "10.5", "10.6")
@pytest.mark.parametrize(
    ("at", "kind", "after"),
    [
        ("r10c1", "none", "35 r10c1"),
        ("r9c1", "none", "35 r10c1"),
        ("r4c2", "none", "65 r5c2"),
        ("r1c19", "full", "540 r1c19"),
        ("r5c10", "full", "165 r4c10"),
        ("r1c7", "full", "180 r1c8"),
    ],
)
def test_arrows_and_corners(at: str, kind: str, after: str) -> None:
    game = public(600, at=at)
    game.do(f"MVR: pay {kind}")
    assert game.price("MVR") == after


@pytest.mark.rule("10.3")
def test_a_dividend_is_asked_for_and_cannot_be_skipped() -> None:
    game = public(230)
    assert game.asked == ["Bob MVR company.pay"]
    assert game.refusals("MVR: done") == {"turn.pay_first"}
    assert game.refusals("MVR: train 3") == {"turn.pay_first"}


@pytest.mark.rule("10.3")
def test_nothing_is_paid_without_a_run_and_nothing_chosen_for_a_minor() -> None:
    described = company("MVR", {"Bob": 5}, at="r4c7", markers="", trains="3")
    game = operating_turn(situation(described, company("K-R", "Bob", at="r6c4")), "MVR", then="K-R")
    assert game.refusals("MVR: pay full") == {"pay.nothing_run"}
    game.do("MVR: done")
    assert game.refusals("K-R: pay full") == {"pay.kind"}


@pytest.mark.rule("10.5", "9.11")
def test_a_public_company_that_earns_nothing_falls() -> None:
    described = company("MVR", {"Bob": 5}, at="r4c7", markers="", trains="3")
    game = operating_turn(situation(described), "MVR")
    game.do("MVR: done")
    assert game.price("MVR") == "110 r4c6"


MINOR_MOVES = [
    ("r5c6", True, "110 r5c7"), ("r4c7", True, "135 r3c7"), ("r1c7", True, "165 r1c7"), ("r2c7", True, "165 r1c7"),
    ("r6c6", True, "100 r6c7"), ("r7c6", True, "90 r6c6"), ("r5c5", True, "100 r5c6"), ("r10c3", True, "50 r9c3"),
    ("r4c7", False, "110 r4c6"), ("r10c1", False, "35 r10c1"), ("r6c1", False, "50 r7c1"), ("r1c7", False, "150 r1c6"),
]  # fmt: skip


@pytest.mark.rule("10.2", "10.1", "10.6")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("at", "earns", "after"), MINOR_MOVES)
def test_how_the_price_of_a_minor_moves(edition: str, at: str, earns: bool, after: str) -> None:
    described = company("K-R", "Bob", at=at, trains="2", cash=0)
    tiles = {"G15": "202#3", "G13": "58#0"} if earns else {}
    game = operating_turn(situation(described, tiles=tiles, edition=edition), "K-R")
    game.do("K-R: run best; done" if earns else "K-R: done")
    assert game.price("K-R") == after


# ---- income ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("2.11", "12.9")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("phase", ["3", "6", "8"])
def test_privates_pay_players_companies_and_the_state_railway(edition: str, phase: str) -> None:
    game = situation(
        company("MVR", {"Bob": 2}, at="r4c7", markers="", trains="5"),
        edition=edition, phase=phase, privates={"TSR": "Ann", "MYR": "MVR", "WVR": "RSR"},
    )  # fmt: skip
    whole_round(game)
    assert (game.money("Ann"), game.money("MVR"), game.money("RSR")) == (10, 20, 30)
    assert game.asked == ["Bob MVR company.turn"]
