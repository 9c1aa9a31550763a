"""Destinations of 1844: when a company is connected, what it gets, and the Gotthard."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import DestinationReached
from tests.kit.games.situations_1844 import EDITIONS, Described, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)

TO_AARAU = {"D19": "57#1", "C12": "5#5"}
"""All from Zürich to Aarau's eastern city but the town between them; and a tile in Basel."""
TO_THUN = {"C14": "3#5", "D13": "57#0", "E12": "9#0", "F11": "6#3", "G12": "9#2", "H13": "57#2", "C12": "5#5"}
"""Aarau's northwestern city by Olten and Bern to Thun."""


def reached(game: Swiss) -> list[tuple[str, str, int]]:
    return [(e.company, e.hex, e.amount) for e in game.told(DestinationReached)]


def nob(**rest: Any) -> Described:
    return swiss("NOB", {"Ann": 2}, par=90, **rest)


def stb(**rest: Any) -> Described:
    return swiss("STB", {"Ann": 5}, par=70, **rest)


# ---- the bonus ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:6.23")
@both
def test_a_pre_sbb_company_gets_twice_its_par(edition: str) -> None:
    game = situation(nob(cash=50), edition=edition, tiles=TO_AARAU).turn("NOB")
    game.do("NOB: lay 4 D17 1")
    assert reached(game) == [("NOB", "D15", 180)] and game.money("NOB") == 230


@pytest.mark.rule("1844:6.23")
@both
def test_a_historical_company_gets_five_times_its_par(edition: str) -> None:
    tiles = {h: t for h, t in TO_THUN.items() if h != "E12"}
    game = situation(stb(cash=20, markers="D15/0 D13"), edition=edition, tiles=tiles).turn("STB")
    game.do("STB: lay 9 E12 0")
    assert reached(game) == [("STB", "H13", 350)] and game.money("STB") == 350


@pytest.mark.rule("1844:6.23")
@both
def test_once_in_the_game(edition: str) -> None:
    game = situation(nob(cash=100), edition=edition, tiles={**TO_AARAU, "D17": "4#1"}, round="OR 2.1")
    game.operating("NOB")
    assert reached(game) == [("NOB", "D15", 180)]
    game.do("NOB: lay 14 D15 1; done")
    assert len(reached(game)) == 1


@pytest.mark.rule("1844:6.23")
@both
def test_regional_companies_have_no_destination(edition: str) -> None:
    vz = swiss("VZ", {"Ann": 3}, cash=100)
    game = situation(vz, edition=edition, tiles={"K10": "57#1", "K12": "8#1"})
    game.operating("VZ")
    assert reached(game) == []


# ---- the route ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:6.24")
@both
def test_whoever_built_the_last_of_it(edition: str) -> None:
    cat = swiss("SCB", {"Cat": 2}, cash=100, markers="D15/1")
    game = situation(nob(), cat, edition=edition, tiles=TO_AARAU).turn("SCB")
    game.do("SCB: lay 4 D17 1")
    assert reached(game) == [("NOB", "D15", 180)]


@pytest.mark.rule("1844:6.24")
@both
@pytest.mark.parametrize(
    ("city", "tiles", "there"),
    [
        ("D13", TO_THUN, False),  # Olten with one circle, which another company fills
        ("D13", {**TO_THUN, "D13": "14#2"}, True),  # with two
        ("H13", TO_THUN, True),  # Thun may be full: it is the end
    ],
)
def test_not_through_a_city_full_of_others(edition: str, city: str, tiles: dict[str, str], there: bool) -> None:
    other = swiss("SCB", {"Cat": 2}, markers=city)
    game = situation(stb(), other, edition=edition, tiles=tiles).operating("STB")
    assert reached(game) == ([("STB", "H13", 350)] if there else [])


@pytest.mark.rule("1844:6.24")
@both
def test_a_circle_more_opens_the_way(edition: str) -> None:
    scb = swiss("SCB", {"Cat": 2}, markers="D13")
    game = situation(stb(), scb, edition=edition, tiles=TO_THUN).turn("SCB")
    assert reached(game) == []
    game.do("SCB: lay 619 D13 3")
    assert reached(game) == [("STB", "H13", 350)]


@pytest.mark.rule("1844:6.23")
@both
def test_the_other_city_of_the_home_hex_is_not_the_home(edition: str) -> None:
    """The STB's home is the city that leaves to the northwest; Aarau's eastern one does not help it."""
    tiles = {h: t for h, t in TO_THUN.items() if h != "C14"}
    tiles |= {"D17": "3#0", "E16": "8#1", "E14": "9#1"}  # D15 east - D17 - E16 - E14 - D13 would have to be reached
    game = situation(stb(), edition=edition, tiles=tiles).operating("STB")
    assert reached(game) == []


@pytest.mark.rule("1844:6.24")
@pytest.mark.parametrize(
    ("edition", "options", "at_once"),
    [
        ("rulebook", {}, True),
        ("rulebook", {"destination_from": "marker"}, False),
        ("18xx.games", {}, True),
        ("18xx.games", {"destination_from": "marker"}, False),
    ],
)
def test_a_launched_company_that_has_not_operated(edition: str, options: dict[str, str], at_once: bool) -> None:
    """Its reserved home counts; or only its marker does, which it places at the start of its first turn."""
    cat = swiss("SCB", {"Cat": 2}, cash=100, markers="D15/1", at="r1c12")
    game = situation(nob(operated=False), cat, edition=edition, options=options, tiles=TO_AARAU)
    game.operating("SCB", "NOB")
    game.do("SCB: lay 4 D17 1")
    assert reached(game) == ([("NOB", "D15", 180)] if at_once else [])
    game.do("SCB: done")
    assert game.asked == ["Ann NOB company.turn"] and reached(game) == [("NOB", "D15", 180)]


@pytest.mark.rule("1844:6.24")
@both
def test_a_company_that_is_not_launched_gets_nothing(edition: str) -> None:
    cat = swiss("SCB", {"Cat": 2}, cash=100, markers="D15/1")
    idle = swiss("STB", {"Ann": 4}, par=70)
    game = situation(idle, cat, edition=edition, tiles=TO_THUN).operating("SCB")
    assert game.status("STB") == "unstarted" and reached(game) == []


@pytest.mark.rule("1844:6.23", "1844:6.21")
@both
def test_the_furka_track_can_bring_a_destination(edition: str) -> None:
    """Chur by Disentis and the new track to Brig."""
    rhb = swiss("RhB", {"Ann": 5}, par=100)
    game = situation(
        rhb, edition=edition, tiles={"H25": "58#1", "J15": "9#1"}, privates={"P4": "Ann"}
    ).turn("RhB")  # fmt: skip
    game.do("Ann: use P4")
    assert reached(game) == [("RhB", "J13", 500)] and game.money("Ann") == 80


@pytest.mark.rule("1844:6.24", "1844:4.20")
@pytest.mark.parametrize(
    ("edition", "options", "at_once"),
    [
        ("rulebook", {}, True),
        ("rulebook", {"destination_from": "turns"}, False),
        ("18xx.games", {}, False),
        ("18xx.games", {"destination_from": "home"}, True),
    ],
)
def test_launched_where_others_have_built(edition: str, options: dict[str, str], at_once: bool) -> None:
    """Its home is connected before it is launched: the bonus comes with the launch, or in the next turn of a company.
    So it is for a company that is launched by the purchase of an ordinary share."""
    scb = swiss("SCB", {"Cat": 2}, trains="2", cash=0)
    idle = swiss("STB", {"Bob": 4}, par=70)
    tiles = {**TO_AARAU, "D17": "4#1"}
    game = situation(
        scb, edition=edition, options=options, tiles=tiles, cash={"Ann": 200, "Bob": 200}, round="SR 2"
    ).stock("Ann")  # fmt: skip
    game.do("Ann: start NOB at 90")
    assert reached(game) == ([("NOB", "D15", 180)] if at_once else [])
    assert game.money("NOB") == (360 if at_once else 180)
    game.all_pass()
    assert reached(game) == [("NOB", "D15", 180)] and game.money("NOB") == 360
    game = situation(
        scb, idle, edition=edition, options=options, tiles=TO_THUN, cash={"Ann": 200, "Bob": 200}, round="SR 2"
    ).stock("Ann")  # fmt: skip
    game.do("Ann: buy STB")
    assert reached(game) == ([("STB", "H13", 350)] if at_once else [])


# ---- the Gotthard ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:6.25")
@both
def test_gb_is_there_when_anybody_builds_the_gotthard_tunnel(edition: str) -> None:
    """Not connected with it, and before its first turn too."""
    gb = swiss("GB", {"Ann": 2}, par=60, operated=False)
    fnm = swiss("FNM", {"Cat": 5}, cash=200, markers="L21 K20")
    tiles = {"K20": "5#2", "J21": "8#0", "I20": "9#2"}
    game = situation(gb, fnm, edition=edition, tiles=tiles, privates={"T1": "Cat"}).turn("FNM")
    game.do("FNM: tunnel H19 NW-SE")
    assert reached(game) == [("GB", "H19", 120)] and game.money("GB") == 120


@pytest.mark.rule("1844:6.25")
@pytest.mark.parametrize(
    ("edition", "options", "paid"),
    [
        ("rulebook", {}, "launch"),
        ("rulebook", {"destination_from": "turns"}, "turn"),
        ("18xx.games", {}, "turn"),
        ("18xx.games", {"destination_from": "home"}, "launch"),
        ("18xx.games", {"destination_from": "marker"}, "own turn"),
    ],
)
def test_gb_launched_after_the_tunnel(edition: str, options: dict[str, str], paid: str) -> None:
    """It gets its bonus at its launch; by a ruling in the first turn of a company, or in its own."""
    fnm = swiss("FNM", {"Cat": 5}, par=100, trains="2")
    game = situation(
        fnm,
        edition=edition,
        options=options,
        privates={"T1": "Cat"},
        tunnels={"T1": "H19 X79 2"},
        cash={"Ann": 200},
        round="SR 2",
    ).stock("Ann")
    game.do("Ann: start GB at 60")
    assert reached(game) == ([("GB", "H19", 120)] if paid == "launch" else [])
    game.all_pass()
    assert game.asked == ["Cat FNM company.turn"]
    assert reached(game) == ([] if paid == "own turn" else [("GB", "H19", 120)])
    game.do("FNM: run best; pay none; done")
    assert reached(game) == [("GB", "H19", 120)] and game.money("GB") == 240


@pytest.mark.rule("1844:6.24", "1844:6.21")
@pytest.mark.parametrize(("edition", "at_once"), [("rulebook", True), ("18xx.games", False)])
def test_the_furka_track_in_a_stock_round(edition: str, at_once: bool) -> None:
    """18xx.games looks at destinations in turns of companies."""
    rhb = swiss("RhB", {"Ann": 5}, par=100, trains="2")
    tiles = {"H25": "58#1", "J15": "9#1"}
    game = situation(rhb, edition=edition, tiles=tiles, privates={"P4": "Ann"}, round="SR 2").stock("Ann")
    game.do("Ann: use P4")
    assert reached(game) == ([("RhB", "J13", 500)] if at_once else [])
    game.all_pass()
    assert game.asked == ["Ann RhB company.turn"] and reached(game) == [("RhB", "J13", 500)]


@pytest.mark.rule("1844:6.25")
@both
def test_the_furka_track_in_the_gotthard_hex_is_no_tunnel(edition: str) -> None:
    gb = swiss("GB", {"Ann": 2})
    game = situation(gb, edition=edition, privates={"P4": "Ann"}).turn("GB")
    game.do("Ann: use P4")
    assert reached(game) == []
