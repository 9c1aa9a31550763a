"""Companies of 1861 buying trains and privates: sources, limits, consent, and what follows when it is refused."""

from __future__ import annotations

import pytest

from engine.core.events import ConsentRefused, Lapsed, PhaseBegan
from tests.kit.games.course_1861 import operating_turn
from tests.kit.games.situations import Described, Played, company, situation

EDITIONS = ("v2.0", "first", "2020")


def buying(name: str, *described: Described, **rest: object) -> Played:
    """``name`` is on turn and about to buy trains."""
    return operating_turn(situation(*described, **rest), name, "trains")  # type: ignore[arg-type]


def mvr(cash: int = 500, trains: str = "3", director: str = "Bob") -> Described:
    return company("MVR", {director: 2}, at="r5c6", markers="", cash=cash, trains=trains)


def seller(director: str = "Cat") -> Described:
    """NW, which has two 3-trains to sell."""
    return company("NW", {director: 2}, at="r4c7", markers="", trains="3 3")


# ---- sources --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.2", "11.1", "6.5")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("order", "refused"),
    [
        ("train 3", set()),
        ("train 2 from pool", set()),
        ("train 4", {"train.not_on_sale"}),
        ("train 2", {"train.not_on_sale"}),
        ("train 3 from pool", {"train.not_in_pool"}),
        ("train 5+5E", {"train.not_on_sale", "train.money"}),
        ("train 2 from K-R for 1", set()),
        ("train 2 from K-R for 500", set()),
        ("train 2 from K-R for 501", {"train.price"}),
        ("train 2 from K-R for 0", {"train.price"}),
        ("train 3 from K-R for 10", {"train.seller_has_none"}),
        ("train 2 from M-K for 10", {"train.seller", "train.seller_has_none"}),
        ("train 3 from MVR for 10", {"train.seller"}),
    ],
)
def test_where_trains_come_from(edition: str, order: str, refused: set[str]) -> None:
    game = buying("MVR", mvr(), company("K-R", "Cat", at="r6c4", trains="2"), pool_trains="2", edition=edition)
    assert game.refusals(f"MVR: {order}") == refused


@pytest.mark.rule("11.2")
def test_bank_and_pool_ask_face_value() -> None:
    game = buying("MVR", mvr(), pool_trains="2")
    game.do("MVR: train 2 from pool; train 3")
    assert (game.money("MVR"), game.trains("MVR"), game.state.pool_trains) == (175, "3 2 3", ())
    assert game.state.supply["3"] == 5  # type: ignore[index]


@pytest.mark.rule("11.1", "5.7", "16.1", "16.2")
@pytest.mark.parametrize(
    ("edition", "options", "on_sale"),
    [
        ("v2.0", {}, ["8", "5+5E"]),
        ("first", {}, ["8", "5+5E"]),
        ("2020", {}, ["8", "2+2", "5+5E"]),
        ("v2.0", {"trains_2_2": "2"}, ["8", "2+2", "5+5E"]),
        ("v2.0", {"trains_2_2": "unlimited", "trains_5_5e": "unlimited"}, ["8", "2+2", "5+5E"]),
    ],
)
def test_trains_on_sale_in_phase_8(edition: str, options: dict[str, str], on_sale: list[str]) -> None:
    game = buying("MVR", mvr(cash=5000, trains=""), phase="8", supply={"7": 0}, edition=edition, options=options)
    assert sorted(line.split()[1] for line in game.menu() if line.startswith("train ")) == sorted(on_sale)


@pytest.mark.rule("11.1", "16.1", "16.2")
@pytest.mark.parametrize(
    ("options", "train", "refused"),
    [
        ({}, "5+5E", {"train.not_on_sale"}),
        ({"trains_5_5e": "unlimited"}, "5+5E", set()),
        ({"trains_2_2": "2"}, "2+2", {"train.not_on_sale"}),
        ({"trains_2_2": "unlimited"}, "2+2", set()),
    ],
)
def test_the_number_of_special_trains(options: dict[str, str], train: str, refused: set[str]) -> None:
    rich = company("NW", {"Cat": 2}, at="r4c7", markers="", cash=2000)
    game = situation(mvr(cash=4000, trains=""), rich, phase="8", options=options, round="OR 5.1")
    operating_turn(game, "MVR", "trains", then="NW").do(f"MVR: train {train}; train {train}; done")
    assert game.asked == ["Cat NW company.turn"]
    assert game.refusals(f"NW: train {train}") == refused


# ---- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.3", "5.1", "5.2", "5.3", "5.5")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("name", "phase", "limit"),
    [("K-R", "2", 2), ("K-R", "3", 2), ("MVR", "3", 4), ("K-R", "4", 1), ("MVR", "4", 3), ("MVR", "5", 3),
     ("K-R", "5", 1), ("MVR", "6", 2), ("K-R", "6", 1), ("MVR", "7", 2), ("MVR", "8", 2)],
)  # fmt: skip
def test_train_limits(edition: str, name: str, phase: str, limit: int) -> None:
    for owned in (limit - 1, limit):
        trains = " ".join(["7"] * owned)
        owner = "Bob" if name == "K-R" else {"Bob": 2}
        described = company(name, owner, at="r5c6", trains=trains, cash=3000, markers="")
        game = buying(name, described, phase=phase, pool_trains="7", edition=edition)
        assert game.refusals(f"{name}: train 7 from pool") == (set() if owned < limit else {"train.limit"})


@pytest.mark.rule("11.4", "5.9", "5.2")
def test_the_effects_of_a_purchase_apply_before_the_next_one() -> None:
    game = buying("MVR", mvr(cash=1500, trains="2"), supply={"3": 1})
    game.do("MVR: train 3; train 4")
    assert [e.phase for e in game.told(PhaseBegan)] == ["4"]
    assert game.trains("MVR") == "3 4"
    game.do("MVR: train 4")
    assert game.refusals("MVR: train 4") == {"train.limit"}


# ---- consent --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.11", "11.9", "6.12")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_sellers_director_is_asked(edition: str) -> None:
    seller = company("NW", {"Cat": 3, "Bob": 2}, at="r4c7", markers="", trains="3 3")
    game = buying("MVR", mvr(), seller, edition=edition)
    game.do("MVR: train 3 from NW for 120")
    assert game.asked == ["Cat NW consent"]
    assert game.menu() == ["agree train 3 to MVR for 120", "refuse train 3 to MVR for 120"]
    assert game.refusals("MVR: done") == {"order.not_asked"}
    assert game.refusals("NW: agree train 3 to MVR for 121") == {"consent.other_subject"}
    game.do("NW: agree")
    assert (game.trains("MVR"), game.trains("NW"), game.money("NW"), game.money("MVR")) == ("3 3", "3", 120, 380)
    assert game.asked == ["Bob MVR company.turn"]


@pytest.mark.rule("11.11")
@pytest.mark.parametrize("edition", EDITIONS)
def test_one_director_on_both_sides_needs_no_consent(edition: str) -> None:
    seller = company("NW", {"Bob": 2}, at="r4c7", markers="", trains="3 3")
    game = buying("MVR", mvr(), seller, edition=edition)
    game.do("MVR: train 3 from NW for 1")
    assert (game.trains("MVR"), game.money("NW")) == ("3 3", 1)


@pytest.mark.rule("11.9", "11.11")
def test_refused_the_fallback_is_bought() -> None:
    game = buying("K-R", company("K-R", "Bob", at="r6c4", cash=180), seller())
    game.do("K-R: train 3 from NW for 120 or train 3\nNW: refuse")
    assert [e.player for e in game.told(ConsentRefused)] == ["Cat"]
    assert (game.trains("K-R"), game.loans("K-R"), game.money("K-R")) == ("3", 1, 0)


@pytest.mark.rule("11.9", "11.11")
def test_agreed_the_fallback_lapses() -> None:
    game = buying("K-R", company("K-R", "Bob", at="r6c4", cash=180), seller())
    game.do("K-R: train 3 from NW for 120 or train 3\nNW: agree")
    assert len(game.told(Lapsed)) == 1
    assert (game.trains("K-R"), game.loans("K-R"), game.money("K-R")) == ("3", 0, 60)
    game.do("K-R: done")
    assert game.status("K-R") == "open"


@pytest.mark.rule("11.9")
def test_a_fallback_that_could_not_be_bought_is_refused_with_the_order() -> None:
    game = buying("K-R", company("K-R", "Bob", at="r6c4", cash=120), seller())
    assert game.refusals("K-R: train 3 from NW for 120 or train 3") == {"train.loans"}
    assert game.refusals("K-R: train 3 from NW for 120 or train 4") == {"train.loans", "train.not_on_sale"}


@pytest.mark.rule("11.9", "11.5")
def test_without_a_fallback_the_director_is_asked_again_and_must_buy() -> None:
    game = buying("K-R", company("K-R", "Bob", at="r6c4", cash=180), seller())
    game.do("K-R: train 3 from NW for 120\nNW: refuse")
    assert game.asked == ["Bob K-R company.turn"]
    assert game.refusals("K-R: done") == {"train.must_buy"}


@pytest.mark.rule("11.8", "11.9")
def test_a_company_too_poor_for_the_bank_may_still_buy_from_another() -> None:
    described = company("K-R", "Bob", at="r6c4", cash=50), seller("Bob")
    game = buying("K-R", *described)
    game.do("K-R: train 3 from NW for 50; done")
    assert (game.status("K-R"), game.trains("K-R")) == ("open", "3")


# ---- privates -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("2.12", "5.2", "5.5")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("phase", "refused"), [("2", {"private.phase"}), ("3", set()), ("4", set()), ("5", set()), ("6", {"private.phase"})]
)
def test_companies_buy_privates_in_phases_3_to_5(edition: str, phase: str, refused: set[str]) -> None:
    game = situation(mvr(trains="7"), phase=phase, privates={"WVR": "Bob"}, edition=edition)
    assert operating_turn(game, "MVR").refusals("MVR: buy WVR for 90") == refused


@pytest.mark.rule("2.12", "2.14")
@pytest.mark.parametrize(
    ("order", "refused"),
    [
        ("buy WVR for 91", {"private.price", "private.money"}),
        ("buy WVR for 0", {"private.price"}),
        ("buy WVR for 1", set()),
        ("buy WVR for 81", {"private.money"}),
        ("buy MRR for 10", {"private.not_with_player"}),
        ("buy MYR for 10", {"private.not_with_player"}),
    ],
)
def test_what_a_private_may_cost_and_from_whom(order: str, refused: set[str]) -> None:
    described = mvr(cash=80), company("K-R", "Bob", at="r6c4")
    game = situation(*described, privates={"WVR": "Bob", "MRR": "K-R", "MYR": "RSR"})
    assert operating_turn(game, "MVR").refusals(f"MVR: {order}") == refused


@pytest.mark.rule("2.12")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_owner_of_a_private_agrees_unless_he_directs_the_buyer(edition: str) -> None:
    game = situation(mvr(), privates={"WVR": "Cat", "TSR": "Bob"}, edition=edition)
    operating_turn(game, "MVR").do("MVR: buy TSR for 30; buy WVR for 60")
    assert game.money("Bob") == 30
    assert game.asked == ["Cat consent"]
    assert game.menu() == ["agree WVR to MVR for 60", "refuse WVR to MVR for 60"]
    game.do("Cat: refuse")
    assert game.asked == ["Bob MVR company.turn"]
    game.do("MVR: buy WVR for 90\nCat: agree")
    assert (game.money("Cat"), game.state.privates["WVR"]) == (90, "MVR")  # type: ignore[index]


@pytest.mark.rule("2.13")
def test_a_private_is_bought_at_any_point_of_the_turn() -> None:
    """Before the run, between dividend and repayment, and after a train."""
    described = company("MVR", {"Bob": 2}, at="r5c6", markers="H8", cash=400, trains="3", loans=2)
    privates = {"TSR": "Bob", "BSS": "Bob", "MYR": "Bob", "WVR": "Bob"}
    game = situation(described, phase="3", privates=privates, tiles={"H10": "4#0"})
    operating_turn(game, "MVR").do("MVR: buy TSR for 1; run best; buy BSS for 45; pay none; buy MYR for 60")
    assert game.loans("MVR") == 2, "repayment waits"
    game.do("MVR: settle; buy WVR for 10; done")
    assert game.loans("MVR") == 0
    assert set(game.state.privates.values()) == {"MVR"}


@pytest.mark.rule("6.10", "2.13")
def test_settling_has_its_place() -> None:
    game = operating_turn(situation(mvr(), privates={"TSR": "Bob"}), "MVR")
    assert game.refusals("MVR: settle") == {"settle.not_now"}


@pytest.mark.rule("2.14")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_company_does_not_sell_its_private(edition: str) -> None:
    described = mvr(), company("K-R", "Bob", at="r6c4")
    game = operating_turn(situation(*described, privates={"WVR": "K-R"}, edition=edition), "MVR")
    assert game.refusals("MVR: buy WVR for 10") == {"private.not_with_player"}
    assert not [line for line in game.menu() if line.startswith("buy")]
