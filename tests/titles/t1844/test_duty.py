"""The duty of companies of 1844 to have a train: whose it is, what a route is, and what satisfies it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.core.events import Ran
from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)

TO_LAUSANNE = {"I6": "57#1"}
TO_H7 = {"I6": "5#3"}
"""Montreux, open to the mountain H7 and to I8."""


def without_train(name: str = "MOB", tiles: Mapping[str, str] = TO_LAUSANNE, *, cash: int = 1000, **rest: Any) -> Swiss:
    shares = {"MOB": 5, "FNM": 5, "RhB": 5, "BLS": 5, "VZ": 3, "ChA": 3, "JN": 3}.get(name, 2)
    company = swiss(name, {"Bob": shares}, cash=cash, trains=rest.pop("trains", ""), markers=rest.pop("markers", None))
    return situation(company, tiles=tiles, **rest).turn(name, rest.pop("stage", "track"))


def due(game: Swiss, name: str = "MOB") -> bool:
    """Whether the company may not end its turn; menu and refusal agree."""
    refused = game.failures(f"{name}: done")
    assert refused in ({}, {"train.must_own": {"company": name}})
    assert ("done" in game.accepted()) is not bool(refused)
    return bool(refused)


# ---- whose it is ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:10.13")
@both
def test_a_historical_company_with_a_route_must_have_a_train(edition: str) -> None:
    game = without_train(edition=edition)
    assert due(game)
    game.do("MOB: train 3H; done")
    assert game.trains("MOB") == "3H" and str(game.state.round) == "OR 2.2"


@pytest.mark.rule("1844:10.13")
@both
def test_a_regional_company_too(edition: str) -> None:
    assert due(without_train("VZ", {"K10": "57#1", "K12": "8#1"}, edition=edition), "VZ")


@pytest.mark.rule("1844:10.13", "1844:10.16")
@both
@pytest.mark.parametrize(
    ("name", "tiles", "phase"),
    [("NOB", {"D19": "57#1", "D17": "4#1"}, "3"), ("GB", {"G18": "57#1"}, "4")],
)
def test_a_pre_sbb_company_need_not(edition: str, name: str, tiles: Mapping[str, str], phase: str) -> None:
    assert not due(without_train(name, tiles, edition=edition, phase=phase), name)


@pytest.mark.rule("1844:10.13", "1844:13.15")
@both
def test_the_sbb_too_where_it_may_have_given_up_its_own(edition: str) -> None:
    sbb = swiss("SBB", {"Bob": (2, 3)}, cash=500, markers="D19")
    game = situation(sbb, edition=edition, phase="6", tiles={"D19": "57#1", "D17": "4#1"}, cash={"Bob": 90})
    game.turn("SBB", "trains")
    assert due(game, "SBB")
    game.do("SBB: train 6H; done")
    assert (game.trains("SBB"), game.money("SBB"), game.money("Bob")) == ("6H", 0, 40)


@pytest.mark.rule("1844:10.13")
@both
@pytest.mark.parametrize("tiles", [{}, {"I6": "5#4"}, {"I6": "5#4", "I8": "9#1"}])
def test_without_a_route_no_train(edition: str, tiles: Mapping[str, str]) -> None:
    assert not due(without_train(tiles=tiles, edition=edition))


@pytest.mark.rule("1844:10.13")
@both
def test_the_tile_of_this_turn_can_bring_the_duty(edition: str) -> None:
    game = without_train(tiles={"I6": "5#4"}, edition=edition)
    assert not due(game)
    game = without_train(tiles={"I6": "5#4", "I8": "9#1"}, edition=edition)
    game.do("MOB: lay 58 I10 1")
    assert due(game)


@pytest.mark.rule("1844:10.13")
@both
def test_a_train_that_was_scrapped_must_be_replaced_in_the_same_turn(edition: str) -> None:
    """Its last 2H goes with the first 4 that the company buys itself; that train is its train then."""
    game = without_train(trains="2H", edition=edition, supply={"3": 0}, cash=300)
    game.do("MOB: run best; pay none")
    game.do("MOB: train 4")
    assert game.trains("MOB") == "4" and not due(game)


@pytest.mark.rule("1844:10.13")
@both
def test_who_has_scrapped_trains_of_his_own(edition: str) -> None:
    """MOB scraps its 2H with the first 4, and the BLS buys that. MOB must have a train all the same, and gets help."""
    game = situation(
        swiss("MOB", {"Bob": 5}, "r1c12", cash=320, trains="2H"),
        swiss("BLS", {"Bob": 5}, "r3c6", par=80, cash=1000, trains="2H"),
        edition=edition,
        tiles=TO_LAUSANNE,
        supply={"3": 0},
        cash={"Bob": 50},
    ).operating("MOB", "BLS")  # fmt: skip
    game.do("MOB: run none; train 4" if edition == "18xx.games" else "MOB: run best; pay full; train 4")
    assert game.trains("MOB") == "4" and game.trains("BLS") == ""
    game.do("MOB: done; BLS: train 4 from MOB for 1; done")
    assert game.asked == ["Bob MOB company.turn"] and game.money("MOB") < 100
    assert due(game)
    assert [line for line in game.menu() if line.startswith("sell")]


@pytest.mark.rule("1844:10.13")
@both
def test_whose_trains_others_scrapped_must_have_one(edition: str) -> None:
    game = situation(
        swiss("BLS", {"Cat": 5}, "r1c12", cash=400),
        swiss("MOB", {"Bob": 5}, "r3c6", par=80, cash=20, trains="2H 2H"),
        edition=edition,
        tiles=TO_LAUSANNE,
        supply={"3": 0},
    ).operating("BLS", "MOB")  # fmt: skip
    game.do("BLS: train 4; done")
    assert game.trains("MOB") == "" and due(game)


# ---- what a route is ------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:10.14")
@pytest.mark.parametrize(
    ("edition", "options", "duty"),
    [
        ("rulebook", {}, False),
        ("rulebook", {"train_duty": "mountain"}, True),
        ("18xx.games", {}, True),
        ("18xx.games", {"train_duty": "railway"}, False),
    ],
)
def test_a_mountain_without_a_railway(edition: str, options: dict[str, str], duty: bool) -> None:
    """S-12: Montreux leads to an empty mountain only."""
    assert due(without_train(tiles=TO_H7, edition=edition, options=options)) is duty


@pytest.mark.rule("1844:10.14")
@both
def test_a_mountain_railway_makes_it_a_route(edition: str) -> None:
    """S-12: once somebody has built on H7, the train is due."""
    rest: dict[str, Any] = {"privates": {"B1": "Cat"}, "mountains": {"B1": "H7 XM1"}}
    assert due(without_train(tiles=TO_H7, edition=edition, **rest))


@pytest.mark.rule("1844:10.14")
@both
@pytest.mark.parametrize(("name", "duty"), [("RhB", True), ("ChA", False)])
def test_red_areas_count_for_historical_companies_only(edition: str, name: str, duty: bool) -> None:
    """Arosa, open to Innsbruck."""
    assert due(without_train(name, {"G28": "6#4"}, edition=edition, markers="G28"), name) is duty


@pytest.mark.rule("1844:10.14", "1844:8.14")
@pytest.mark.parametrize("phase", ["2", "3"])
@pytest.mark.parametrize(
    ("edition", "options", "early"),
    [
        ("rulebook", {}, (False, False)),
        ("rulebook", {"torino": "station"}, (True, True)),
        ("rulebook", {"torino": "duty"}, (True, False)),
        ("18xx.games", {}, (True, False)),
        ("18xx.games", {"torino": "no_station"}, (False, False)),
    ],
)
def test_torino_while_it_is_worth_nothing(
    edition: str, options: dict[str, str], early: tuple[bool, bool], phase: str
) -> None:
    """From Sion to Torino in phase 2: whether there is a duty to have a train, and whether one can run. By the rulebook
    and a consistent reading both or neither; on the site the duty alone."""
    more: dict[str, Any] = {"markers": "I6 K10", "phase": phase, "options": options}
    tiles = {"K10": "57#0", "L9": "9#0"}
    running = without_train("MOB", tiles, edition=edition, trains="2", **more)
    found = (
        due(without_train("MOB", tiles, edition=edition, **more)),
        any(line.startswith("run") for line in running.menu()),
    )
    assert found == (early if phase == "2" else (True, True))
    if phase == "2" and found[1]:
        running.do("MOB: run best")
        assert [e.revenue for e in running.told(Ran)] == [20], "Sion's 20, and nothing for Torino"


@pytest.mark.rule("1844:10.14")
@both
@pytest.mark.parametrize("visits", ["yes", "no"])
def test_the_grey_area_of_vaduz_counts_for_regional_companies_whose_trains_go_there(edition: str, visits: str) -> None:
    """Arosa by F27 to Vaduz."""
    options, tiles = {"h_trains_to_vaduz": visits}, {"G28": "6#2", "F27": "9#2"}
    assert due(without_train("ChA", tiles, edition=edition, options=options), "ChA") == (visits == "yes")
    assert due(without_train("RhB", tiles, edition=edition, options=options, markers="G28"), "RhB")


@pytest.mark.rule("1844:8.10")
@both
@pytest.mark.parametrize(("options", "refused"), [({}, set()), ({"h_trains_to_vaduz": "no"}, {"run.avoided_stop"})])
def test_h_trains_to_vaduz(edition: str, options: dict[str, str], refused: set[str]) -> None:
    """p. 12 closes off-board areas to H-trains, the appendix red ones; Vaduz is grey. Other trains go there anyway."""
    tiles, more = {"G28": "6#2", "F27": "9#2"}, dict[str, Any](markers="G28", options=options)
    game = without_train("RhB", tiles, edition=edition, trains="3H", **more)
    assert game.refusals("RhB: run 3H G28-F27-E26") == refused
    assert ("run best" in game.menu()) == (not refused)
    normal = without_train("RhB", tiles, edition=edition, trains="3", **more)
    assert normal.refusals("RhB: run 3 G28-F27-E26") <= {"run.not_best"}


@pytest.mark.rule("1844:10.14")
@both
def test_a_city_full_of_others_can_be_the_end_of_a_route(edition: str) -> None:
    mob, scb = swiss("MOB", {"Bob": 5}, cash=500), swiss("SCB", {"Cat": 2}, markers="I4/1")
    game = situation(mob, scb, edition=edition, tiles=TO_LAUSANNE).turn("MOB")
    assert due(game)


# ---- what satisfies it ----------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:10.15")
@both
def test_an_h_train_is_enough_where_only_a_red_area_can_be_reached(edition: str) -> None:
    game = without_train("FNM", {}, edition=edition)
    game.do("FNM: train 3H")
    assert not due(game, "FNM")
    again = without_train("FNM", {}, edition=edition, trains="3H")
    assert not [line for line in again.accepted() if line.startswith("run")]
    assert not due(again, "FNM")  # it cannot run, and has its train


# ---- S-7 ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:10.4", "1844:11.2")
@both
def test_a_regional_company_could_not_take_the_8e(edition: str) -> None:
    game = without_train("VZ", {"K10": "57#1", "K12": "8#1"}, edition=edition, phase="7", cash=353)
    assert set(game.failures("VZ: train 8E")) == {"train.regional"}
    assert [line for line in game.accepted() if line.startswith("train ")] == ["train 8H"]
