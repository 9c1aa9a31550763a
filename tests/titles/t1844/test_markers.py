"""Station markers of 1844: one a turn, where, for how much, circles kept for companies at home, and how many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.core.events import MarkerPlaced, Paid
from tests.kit.games.situations_1844 import EDITIONS, Described, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)

LINE = {"I6": "57#1"}
"""Montreux, open to Lausanne's eastern city."""
ZURICH = {"D19": "57#1", "D17": "4#1"}
"""Zürich, open to Aarau's eastern city."""


def placing(
    name: str = "MOB",
    *others: Described,
    markers: str | None = None,
    cash: int = 500,
    par: int = 100,
    tiles: Mapping[str, str] = LINE,
    **rest: Any,
) -> Swiss:
    """Bob's company before its marker."""
    if name == "SBB":
        company = swiss("SBB", {"Bob": (2, 3)}, cash=cash, markers=markers)
    else:
        shares = {"MOB": 5, "VZ": 3, "JN": 3}.get(name, 2)
        company = swiss(name, {"Bob": shares}, cash=cash, par=par, markers=markers)
    return situation(company, *others, tiles=tiles, **rest).turn(name, "token")


def listed(game: Swiss) -> list[str]:
    return [line.split()[1] for line in game.accepted() if line.startswith("token ")]


# ---- one a turn, on the route ---------------------------------------------------------------------------------------


@pytest.mark.rule("1844:7.1", "1844:7.3")
@both
def test_one_marker_a_turn(edition: str) -> None:
    game = placing(edition=edition, tiles={**LINE, "I8": "9#1", "I10": "58#1", "H11": "8#0"})
    assert listed(game) == ["I4/E"]
    game.do("MOB: token I4/E")
    assert [(e.company, e.hex, e.city) for e in game.told(MarkerPlaced)] == [("MOB", "I4", 1)]
    assert game.failures("MOB: token K10")["token.one_a_turn"] == {"company": "MOB"}
    assert listed(game) == []


@pytest.mark.rule("1844:7.1")
@both
@pytest.mark.parametrize(
    ("space", "check", "facts"),
    [
        ("K10", "token.no_route", {"hex": "K10", "company": "MOB"}),
        ("I4/W", "token.no_route", {"hex": "I4", "company": "MOB"}),
        ("H7", "token.no_city", {"hex": "H7"}),
        ("I8", "token.no_city", {"hex": "I8"}),
        ("I4/NE", "token.no_space", {"hex": "I4", "company": None, "exit": 3, "number": None, "exits": ("W", "E")}),
    ],
)
def test_a_circle_that_the_route_reaches(edition: str, space: str, check: str, facts: dict[str, Any]) -> None:
    assert placing(edition=edition).failures(f"MOB: token {space}")[check] == facts


@pytest.mark.rule("1844:7.1")
@both
def test_a_full_city_takes_no_marker_and_lets_nobody_pass(edition: str) -> None:
    """Aarau, with one circle in each of its cities."""
    scb = swiss("SCB", {"Cat": 2}, markers="D15/1")
    game = placing("NOB", scb, edition=edition, tiles=ZURICH)
    assert game.failures("NOB: token D15/E") == {"token.full": {"hex": "D15", "companies": ("SCB",)}}
    assert listed(game) == []


@pytest.mark.rule("1844:7.1")
@both
def test_a_hex_alone_means_the_only_city_that_takes_a_marker(edition: str) -> None:
    game = placing(edition=edition)
    game.do("MOB: token I4")
    assert game.state.board.circles("I4") == ((), ("MOB",))  # type: ignore[arg-type]


@pytest.mark.rule("1844:7.2")
@both
def test_not_twice_in_one_hex(edition: str) -> None:
    """Neither in the other city of the hex."""
    nob = placing("NOB", edition=edition, markers="D19 D15/0", tiles=ZURICH, par=100)
    assert nob.failures("NOB: token D15/E")["token.same_hex"] == {"hex": "D15", "company": "NOB"}
    game = placing(edition=edition, markers="I6 I4/1")
    assert game.failures("MOB: token I4/W")["token.same_hex"] == {"hex": "I4", "company": "MOB"}
    assert listed(game) == []


# ---- costs and numbers ----------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:7.3")
@both
@pytest.mark.parametrize(
    ("name", "markers", "phase", "tiles", "order", "cost"),
    [
        ("MOB", "I6", "3", LINE, "token I4/E", 40),
        ("MOB", "I6 D13", "3", LINE, "token I4/E", 100),
        ("MOB", "I6 D13 C12 B19", "3", LINE, "token I4/E", 100),
        ("NOB", "D19", "3", ZURICH, "token D15/E", 40),
        ("SBB", "D19", "5", ZURICH, "token D15/E", 100),
        ("SBB", "D19 I4/0", "5", ZURICH, "token D15/E", 100),
    ],
)
def test_the_first_beside_the_home_is_cheaper_but_for_the_sbb(
    edition: str, name: str, markers: str, phase: str, tiles: Mapping[str, str], order: str, cost: int
) -> None:
    rest: dict[str, Any] = {"edition": edition, "markers": markers, "phase": phase, "tiles": tiles}
    game = placing(name, cash=cost, **rest)
    assert listed(game) == [order.split()[1]]
    game.do(f"{name}: {order}")
    assert [(e.payer, e.payee, e.amount) for e in game.told(Paid) if e.reason == "token"] == [(name, "Bank", cost)]
    short = placing(name, cash=cost - 1, **rest)
    hex = order.split()[1].split("/", maxsplit=1)[0]
    facts = {"hex": hex, "cost": cost, "cash": cost - 1, "missing": 1}
    assert short.failures(f"{name}: {order}") == {"token.money": facts} and listed(short) == []


@pytest.mark.rule("1844:7.6", "1844:1.10")
@both
@pytest.mark.parametrize(("par", "markers"), [(60, 1), (70, 2), (80, 3), (90, 4), (100, 5)])
def test_a_historical_company_has_as_many_as_its_par_says(edition: str, par: int, markers: int) -> None:
    places = ["I6", "D13", "C12", "B19", "K22"]
    full = placing(edition=edition, par=par, markers=" ".join(places[:markers]))
    assert full.failures("MOB: token I4/E") == {"token.none_left": {"company": "MOB", "markers": markers}}
    assert listed(full) == []
    if markers > 1:
        one_left = placing(edition=edition, par=par, markers=" ".join(places[: markers - 1]))
        assert listed(one_left) == ["I4/E"]


@pytest.mark.rule("1844:7.6", "1844:1.7", "1844:1.9")
@both
@pytest.mark.parametrize(
    ("name", "places", "number"),
    [
        ("VZ", "K10 D13 C12", 3),
        ("NOB", "D19 C12", 2),
        ("SBB", "D19 C12 C24 F17 G18 D13 E18 B19 K20 K22", 10),
    ],
)
def test_how_many_markers_the_others_have(edition: str, name: str, places: str, number: int) -> None:
    game = placing(name, edition=edition, markers=places, tiles=ZURICH, phase="5")
    failures = game.failures(f"{name}: token D15/E")
    assert failures["token.none_left"] == {"company": name, "markers": number}


# ---- homes ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:7.4")
@both
@pytest.mark.parametrize("launched", [False, True])
def test_a_home_is_kept_for_a_company_that_has_not_operated(edition: str, launched: bool) -> None:
    """Lausanne's eastern city is free to all; the western one is the JS's."""
    js = [swiss("JS", {"Cat": 2}, operated=False)] if launched else []
    game = placing("MOB", *js, edition=edition)
    assert game.failures("MOB: token I4/W")["token.reserved"] == {"hex": "I4", "companies": ("JS",), "free": 1}


@pytest.mark.rule("1844:7.4")
@both
def test_the_last_circle_of_a_city_with_several_is_kept(edition: str) -> None:
    """Aarau in green has two circles, one of them the STB's; which one does not matter."""
    tiles = {**ZURICH, "D15": "14#1"}
    assert listed(placing("NOB", edition=edition, tiles=tiles)) == ["D15"]
    scb = swiss("SCB", {"Cat": 2}, markers="D15")
    kept = placing("NOB", scb, edition=edition, tiles=tiles)
    assert kept.failures("NOB: token D15") == {"token.reserved": {"hex": "D15", "companies": ("STB",), "free": 1}}
    assert listed(kept) == []
    stb = swiss("STB", {"Cat": 5})
    assert listed(placing("NOB", stb, edition=edition, tiles=tiles)) == ["D15"]


@pytest.mark.rule("1844:7.4")
@both
def test_brown_lausanne_is_one_city_with_room_beside_the_js(edition: str) -> None:
    tiles = {**LINE, "I4": "902#4"}
    assert listed(placing(edition=edition, tiles=tiles, phase="5")) == ["I4"]
    fnm = swiss("FNM", {"Cat": 5}, markers="I4")
    js = swiss("JS", {"Cat": 2}, operated=False)
    kept = placing("MOB", fnm, js, edition=edition, tiles=tiles, phase="5")
    assert kept.failures("MOB: token I4") == {"token.reserved": {"hex": "I4", "companies": ("JS",), "free": 1}}


@pytest.mark.rule("1844:7.4")
@both
def test_the_company_at_home_finds_its_circle(edition: str) -> None:
    scb = swiss("SCB", {"Cat": 2}, markers="D15")
    stb = swiss("STB", {"Bob": 5}, operated=False)
    game = situation(scb, stb, edition=edition, tiles={"D15": "14#1"}).operating("STB")
    assert game.state.board.circles("D15") == (("SCB", "STB"),)  # type: ignore[arg-type]


@pytest.mark.rule("1844:7.5")
@both
def test_the_home_of_a_pre_sbb_company_that_never_was_is_open_once_the_sbb_is_formed(edition: str) -> None:
    """Basel, by Olten from Bern."""
    tiles = {"F11": "6#3", "E12": "9#0", "D13": "6#0", "C12": "57#2"}
    bls = swiss("BLS", {"Bob": 5}, cash=500, par=100)
    before = situation(bls, edition=edition, tiles=tiles).turn("BLS", "token")
    assert before.failures("BLS: token C12")["token.reserved"]["companies"] == ("SCB",)
    sbb = swiss("SBB", {"Cat": (2, 3)}, markers="D19")
    after = situation(bls, sbb, edition=edition, tiles=tiles, phase="5").turn("BLS", "token")
    assert "C12" in listed(after)
