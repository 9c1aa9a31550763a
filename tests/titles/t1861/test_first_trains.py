"""What the first train of a type brings in 1861: who is nationalised, who is asked, who gives up trains."""

from __future__ import annotations

import pytest

from engine.core.events import Nationalised, TrainMoved
from tests.kit.games.course_1861 import buyer, first_train, operating_turn
from tests.kit.games.situations import company, situation

EDITIONS = ("v2.0", "first", "2020")

# ---- who and when ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("13.1", "13.2", "13.3")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("train", "trainless", "with_train", "new"),
    [("3", False, False, False), ("4", True, False, False), ("5", False, False, False), ("6", True, False, False),
     ("7", False, False, False), ("8", True, True, True)],
)  # fmt: skip
def test_which_minors_go_at_which_train(edition: str, train: str, trainless: bool, with_train: bool, new: bool) -> None:
    game = first_train(
        train,
        company("K-R", "Bob", at="r6c4"),
        company("M-K", "Bob", at="r6c4", trains="7"),
        company("M-V", "Bob", at="r6c4", operated=False),
        edition=edition,
    )
    assert [game.status(m) == "closed" for m in ("K-R", "M-K", "M-V")] == [trainless, with_train, new]


@pytest.mark.rule("13.1", "5.8", "5.3")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("train", "old"), [("4", "2"), ("6", "3")])
def test_obsolete_trains_go_before_trainless_minors_are_looked_for(edition: str, train: str, old: str) -> None:
    game = first_train(train, company("K-R", "Bob", at="r6c4", trains=old), pool_trains=old, edition=edition)
    assert game.status("K-R") == "closed"
    assert old not in game.state.pool_trains
    assert game.trains("RSR") == ""


@pytest.mark.rule("13.1")
def test_a_minor_has_operated_when_it_has_distributed_in_this_round() -> None:
    minor = company("K-R", "Bob", at="r6c4", operated=False, cash=100)
    game = situation(minor, buyer(), phase="3", supply={"3": 0, "2": 1})
    operating_turn(game, "K-R", then="GRR").do("K-R: train 2; done\nGRR: train 4")
    assert game.status("K-R") == "closed"


@pytest.mark.rule("13.3", "13.6", "5.9")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("train", ["4", "6", "8"])
def test_directors_of_trainless_public_companies_are_asked_one_after_the_other(edition: str, train: str) -> None:
    game = first_train(
        train,
        company("SW", {"Cat": 2}, at="r5c6", markers=""),
        company("NW", {"Bob": 2}, at="r4c7", markers=""),
        company("SE", {"Bob": 2}, at="r2c9", markers="", operated=False),
        company("MVR", {"Bob": 2}, at="r2c9", markers="", trains="7"),
        edition=edition,
    )
    assert game.asked == ["Bob NW nationalise"]
    game.do("NW: nationalise no")
    assert game.asked == ["Cat SW nationalise"]
    game.do("SW: nationalise yes")
    assert (game.status("NW"), game.status("SW")) == ("open", "unstarted")
    assert game.money("Cat") == 180
    assert game.asked == ["Ann GRR company.turn"], "the buyer's turn goes on"


@pytest.mark.rule("13.3")
@pytest.mark.parametrize("train", ["5", "7"])
def test_they_are_not_asked_at_the_other_trains(train: str) -> None:
    game = first_train(train, company("SW", {"Cat": 2}, at="r5c6", markers=""))
    assert game.asked == ["Ann GRR company.turn"]


@pytest.mark.rule("13.6", "6.1", "12.10")
@pytest.mark.parametrize("edition", EDITIONS)
def test_minors_go_in_operating_order_as_in_the_recorded_phase_4(edition: str) -> None:
    y = "Y" if edition == "2020" else "D"
    game = first_train(
        "4",
        company(y, "Cat", at="r8c1", trains="2"), company("O-K", "Bob", at="r5c6", trains="2", cash=0),
        company("R-O", "Ann", at="r5c6", trains="2", cash=66), company("S-V", "Bob", at="r6c4", cash=2, loans=2),
        company("V", "Cat", at="r6c4", cash=41, loans=2),
        edition=edition,
    )  # fmt: skip
    assert [(e.name, e.price) for e in game.told(Nationalised)] == [
        ("O-K", 90), ("R-O", 90), ("S-V", 55), ("V", 55), (y, 40),
    ]  # fmt: skip
    assert (game.money("RSR"), game.money("Ann"), game.money("Bob"), game.money("Cat")) == (109, 180, 290, 190)


# ---- privates at phase 6 --------------------------------------------------------------------------------------------


@pytest.mark.rule("13.4", "5.8", "5.5", "13.7")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_private_in_a_doomed_minor_is_paid_for_first(edition: str) -> None:
    minor = company("K-R", "Bob", at="r6c4", cash=10, loans=2)
    game = first_train("6", minor, privates={"WVR": "K-R"}, edition=edition)
    assert (game.money("Bob"), game.money("RSR")) == (130, 0)
    assert [(e.name, e.price) for e in game.told(Nationalised)] == [("WVR", 90), ("K-R", 65)]
    assert game.state.privates["WVR"] == "RSR"  # type: ignore[index]


@pytest.mark.rule("13.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_owners_of_privates_get_face_value_and_the_state_railway_nothing(edition: str) -> None:
    owned = {"TSR": "Ann", "BSS": "Bob", "MYR": "GRR", "MRR": "RSR"}
    game = first_train("6", privates=owned, edition=edition)
    assert (game.money("Ann"), game.money("Bob"), game.money("RSR")) == (30, 45, 0)
    assert game.money("GRR") == 2000 - 650 + 60
    assert set(game.state.privates.values()) == {"RSR"}


@pytest.mark.rule("13.4", "2.12")
@pytest.mark.parametrize("train", ["3", "4", "5", "7", "8"])
def test_privates_stay_at_all_other_trains(train: str) -> None:
    assert first_train(train, privates={"TSR": "Ann"}).state.privates["TSR"] == "Ann"  # type: ignore[index]


# ---- the buyer ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("13.2", "13.10", "5.9")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_minor_that_buys_the_first_8_is_nationalised_with_it(edition: str) -> None:
    minor = company("K-R", "Bob", at="r6c4", cash=1100)
    other = company("MVR", {"Ann": 2}, at="r4c7", markers="", trains="6")
    game = situation(minor, other, phase="7", supply={"7": 0}, edition=edition)
    operating_turn(game, "K-R", "trains", then="MVR").do("K-R: train 8")
    assert (game.status("K-R"), game.trains("RSR"), game.money("RSR")) == ("closed", "8", 100)
    assert game.asked == ["Ann MVR company.turn"]


@pytest.mark.rule("5.9", "11.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_minor_at_its_limit_may_not_buy_what_would_make_room(edition: str) -> None:
    game = situation(
        company("K-R", "Bob", at="r6c4", cash=500, trains="2 2"), phase="3", supply={"3": 0}, edition=edition
    )
    assert operating_turn(game, "K-R", "trains").refusals("K-R: train 4") == {"train.limit"}
    below = situation(
        company("K-R", "Bob", at="r6c4", cash=500, trains="3"), phase="3", supply={"3": 0}, edition=edition
    )
    operating_turn(below, "K-R", "trains").do("K-R: train 4")
    assert below.asked == ["Bob K-R discard"], "it may buy and be over the limit by that"


# ---- discards -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.10", "5.8", "5.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_over_the_limit_of_phase_4(edition: str) -> None:
    game = first_train(
        "4",
        company("K-R", "Bob", at="r6c4", trains="3 3"),
        company("M-K", "Bob", at="r6c4", trains="2 3"),
        company("MVR", {"Cat": 2}, at="r4c7", trains="3 3 3 3", markers=""),
        edition=edition,
    )
    assert [game.trains(c) for c in ("K-R", "M-K", "MVR")] == ["3", "3", "3 3 3"], "all alike: nobody is asked"
    assert game.state.pool_trains == ("3", "3")
    assert game.money("K-R") == 0


@pytest.mark.rule("11.10")
@pytest.mark.parametrize(
    ("edition", "order"),
    [("v2.0", ["MVR", "MK", "GRR"]), ("first", ["MVR", "MK", "GRR"]), ("2020", ["MK", "MVR", "GRR"])],
)
def test_the_order_of_discards(edition: str, order: list[str]) -> None:
    game = situation(
        company("MVR", {"Bob": 2}, at="r1c9", trains="4 5 5", markers=""),
        company("MK", {"Cat": 2}, at="r4c7", trains="4 5 5", markers=""),
        company("GRR", {"Ann": 2}, at="r5c6", trains="4 5", cash=900, markers=""),
        phase="5", supply={"5": 0}, edition=edition,
    )  # fmt: skip
    operating_turn(game, "GRR", "trains").do("GRR: train 6")
    asked = []
    while game.asked[0].endswith("discard"):
        asked.append(game.asked[0].split()[1])
        game.do(f"{asked[-1]}: discard 4")
    listed = [str(c) for c in game.title.companies if c in order]
    assert asked == (listed if edition == "2020" else order)
    assert game.state.pool_trains == ("4", "4", "4")
    assert {(e.source, e.target) for e in game.told(TrainMoved) if e.target == "Pool"} == {(c, "Pool") for c in order}


@pytest.mark.rule("5.8", "11.10", "13.3")
def test_public_companies_are_asked_before_anybody_discards() -> None:
    game = first_train(
        "6",
        company("MVR", {"Bob": 2}, at="r2c9", trains="4 5 5", markers=""),
        company("SW", {"Cat": 2}, at="r5c6", trains="3", markers=""),
    )
    assert game.asked == ["Cat SW nationalise"]
    game.do("SW: nationalise no")
    assert game.asked == ["Bob MVR discard"]
