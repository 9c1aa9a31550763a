"""Phases and trains of 1867. Numbers in docstrings are rows of the rule sheet."""

from __future__ import annotations

import pytest

from engine.core.events import Nationalised
from engine.core.ids import CompanyId, TrainName
from tests.kit.games.course_1867 import begun, minor, position, public, stock, turn
from tests.kit.games.situations import Described, Played

BUYER = public("NYC", "Ann", 200, cash=3000, markers="", trains="5")


def bought(train: str, *described: Described, **rest: object) -> Played:
    """NYC buys the first train of its type."""
    before = str(int(train) - 1)
    given: dict[str, object] = {"phase": before, "supply": {before: 0}, **rest}
    game = turn(BUYER, *described, stage="trains", **given)  # type: ignore[arg-type]
    game.do(f"NYC: train {train}")
    return game


# ---- what is on sale ------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.1")
@pytest.mark.parametrize(
    ("train", "cost", "number", "rusts"),
    [
        ("2", 100, 10, "4"), ("3", 225, 7, "6"), ("4", 350, 4, "8"), ("5", 550, 4, None), ("6", 650, 2, None),
        ("7", 800, 2, None), ("8", 1000, None, None), ("2+2", 600, None, None), ("5+5E", 1500, None, None),
    ],
)  # fmt: skip
def test_the_trains(train: str, cost: int, number: int | None, rusts: str | None) -> None:
    """Row 11.1."""
    trains = begun().title.trains
    assert (trains[TrainName(train)].cost, trains[TrainName(train)].quantity) == (cost, number)
    assert next((str(t.name) for t in trains.values() if t.rusts == train), None) == rusts


@pytest.mark.rule("11.1", "5.7")
@pytest.mark.parametrize(
    ("phase", "supply", "on_sale"),
    [
        ("2", {}, ["2"]),
        ("2", {"2": 0}, ["3"]),
        ("4", {"4": 1}, ["4"]),
        ("7", {"7": 0}, ["8"]),
        ("8", {}, ["8", "2+2", "5+5E"]),
    ],
)
def test_trains_come_in_order_and_the_special_ones_with_the_8(
    phase: str, supply: dict[str, int], on_sale: list[str]
) -> None:
    """Row 11.1."""
    game = turn(BUYER, stage="trains", phase=phase, supply=supply)
    assert [line[6:] for line in game.menu() if line.startswith("train") and "trade" not in line] == on_sale


# ---- what a phase allows --------------------------------------------------------------------------------------------


@pytest.mark.rule("5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7", "7.2")
@pytest.mark.parametrize(
    ("phase", "color", "minors", "publics"),
    [
        ("2", "yellow", 2, None), ("3", "green", 2, 4), ("4", "green", 1, 3), ("5", "brown", 1, 3),
        ("6", "brown", 1, 2), ("7", "gray", 1, 2), ("8", "gray", None, 2),
    ],
)  # fmt: skip
def test_track_and_train_limits(phase: str, color: str, minors: int | None, publics: int | None) -> None:
    """Rows 5.1 to 5.7, 7.2: gray with phase 7 only."""
    game = position(minor("CA", "Bob", markers="M9"), public("CNR", "Cat", markers="N12"), phase=phase)
    limit = game.title.policies.train_limit
    assert game.title.phase(game.state).colors[-1] == color
    if minors is not None:
        assert limit(game.title, game.state, CompanyId("CA")) == minors
    if publics is not None:
        assert limit(game.title, game.state, CompanyId("CNR")) == publics


@pytest.mark.rule("5.3", "3.11")
@pytest.mark.parametrize(("phase", "refused"), [("3", {"start.too_early"}), ("4", set())])
def test_public_companies_are_started_from_phase_4(phase: str, refused: set[str]) -> None:
    """Row 5.3."""
    assert stock(phase=phase, cash={"Ann": 140}).refusals("Ann: start GWR at 70 in M9") == refused


@pytest.mark.rule("5.2", "5.5", "2.12")
@pytest.mark.parametrize(("phase", "may"), [("2", False), ("3", True), ("4", True), ("5", True), ("6", False)])
def test_companies_buy_privates_in_phases_3_to_5(phase: str, may: bool) -> None:
    """Row 2.6: minors too, from $1 to the face value."""
    game = turn(minor("CA", "Bob", cash=90, markers="M9", trains="3"), phase=phase, privates={"SCT": "Bob"})
    assert game.refusals("CA: buy SCT for 90") == (set() if may else {"private.phase"})
    assert game.refusals("CA: buy SCT for 1") == (set() if may else {"private.phase"})
    assert "private.price" in game.refusals("CA: buy SCT for 91")


# ---- what a first train brings --------------------------------------------------------------------------------------


@pytest.mark.rule("5.3", "5.5", "5.7", "13.1", "13.2")
@pytest.mark.parametrize(
    ("train", "gone", "trainless", "all_minors"),
    [("3", "", False, False), ("4", "2", True, False), ("5", "", False, False), ("6", "3", True, False),
     ("7", "", False, False), ("8", "4", True, True)],
)  # fmt: skip
def test_rust_and_the_minors_that_go(train: str, gone: str, trainless: bool, all_minors: bool) -> None:
    """Rows 5.2 to 5.7, 13.1."""
    game = bought(
        train,
        minor("CA", "Bob", markers="M9"),
        minor("BO", "Bob", markers="N12", trains="7"),
        minor("PM", "Bob", markers="O7", operated=False),
        public("CNR", "Cat", operated=False, markers="I15"),
        pool_trains="2 3 4 5",
    )
    assert set("2345") - set(game.state.pool_trains) == set(gone)
    assert [game.status(m) == "closed" for m in ("CA", "BO", "PM")] == [trainless, all_minors, all_minors]
    assert game.status("CNR") == "open", "it has not operated"


@pytest.mark.rule("5.4", "4.3")
def test_the_first_5_removes_the_minors_that_have_not_started() -> None:
    """Row 4.3."""
    game = bought("5", minor("CA", "Bob", markers="M9", trains="4"))
    assert {game.status(m) for m in ("BO", "NO", "THB")} == {"closed"}
    assert game.status("CA") == "open"


@pytest.mark.rule("13.4", "12.9", "5.8")
def test_the_first_6_pays_for_privates_before_minors_are_looked_at() -> None:
    """Rows 5.5, 13.6: CA's loans are repaid with the 60 for its private, so it falls one step only."""
    game = bought("6", minor("CA", "Bob", 100, loans=1, markers="M9"), privates={"MB": "CA", "SCT": "Cat", "QB": "NYC"})
    assert (game.money("Bob"), game.money("Cat"), game.money("NYC")) == (180, 90, 3000 - 650 + 75)
    assert set(game.state.privates.values()) == {"CN"}
    assert [e.name for e in game.told(Nationalised)][-1] == "CA"


@pytest.mark.rule("13.3", "13.6", "5.9", "11.10")
@pytest.mark.parametrize("train", ["4", "6", "8"])
def test_publics_are_asked_in_operating_order_before_discards(train: str) -> None:
    """Row 13.1 and the order of effects: at once, in the buyer's turn."""
    game = bought(
        train,
        public("CNR", "Bob", 90, markers="M9"),
        public("GTR", "Cat", 110, markers="N12"),
        public("CPR", "Bob", 100, markers="I15", trains="5 6 7 7 7"),
    )
    assert game.asked == ["Cat GTR nationalise"]
    game.do("GTR: nationalise yes")
    assert (game.money("Cat"), game.status("GTR")) == (200, "unstarted")
    game.do("CNR: nationalise no")
    assert game.asked == ["Bob CPR discard"]
    while game.asked == ["Bob CPR discard"]:
        game.do("CPR: discard 7")
    assert game.asked == ["Ann NYC company.turn"]
